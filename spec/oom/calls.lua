-- Calls the cases of cases.lua, and describes their results in words.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")

local unpack = compat.unpack

local calls = {}

local BACKENDS = { "auto", "tree", "grid", "sweep", "brute" }
local RESULTS = { "box", "id", "data" }
local SIZES = { 14, 60 } -- auto uses another back end from 49 boxes on

-- Functions by name ----------------------------------------------------------------------------

local function methods(object)
  local found = {}
  local meta = debug.getmetatable(object)
  for _, list in ipairs({ meta, meta.__index }) do
    for name, value in pairs(list) do
      found[name] = type(value) == "function" and value or nil
    end
  end
  return found
end

-- "World.insert" -> function. In 3D these are other functions than in 2D.
local function allFunctions(dim)
  local f = fixture.new(dim, "box", "auto", SIZES[1])
  local objects = { World = f.world, Box = f.boxes[1], Backend = f.spare, Pool = f.pool,
    Snapshot = f.world:snapshot(), PoolSnapshot = f.pool:snapshot(), Emitter = f.emitter,
    Contacts = f.contacts,
    Model = f.model, module = setmetatable({}, { __index = broadside }) }
  local found = {}
  for class, object in pairs(objects) do
    for name, value in pairs(methods(object)) do
      found[class .. "." .. name] = value
    end
  end
  return found
end

-- Returns whether a case raises an error even if there is enough memory.
function calls.raises(case, dim)
  return case.note == "raises" or (case.note == "flat" or case.note == "takes back") and dim == 3
end

calls.functions = { [2] = allFunctions(2), [3] = allFunctions(3) }

-- Results --------------------------------------------------------------------------------------

local UNORDERED = { ["World.pairs"] = true, ["World.eachPair"] = true,
  ["World.collectPairs"] = true }

-- The results of the call in words; `rows` is a list of the results of its loop.
function calls.inWords(f, case, ok, results, rows)
  local list = { tostring(ok) }
  for _, row in ipairs(rows) do
    list[#list + 1] = f:name(row)
  end
  for i = 1, case.note == "loop" and 0 or results.n do
    local value = results[i]
    if UNORDERED[case.name] and type(value) == "table" then
      for k, item in ipairs(value) do
        list[#list + 1] = k <= #value and f:name(item)
      end
    else
      list[#list + 1] = f:name(value)
    end
  end
  if UNORDERED[case.name] then
    table.sort(list)
  end
  return table.concat(list, "\n")
end

function calls.drain(rows, next, state)
  for a, b, c, d, e, f, g in next, state do
    rows[#rows + 1] = { a, b, c, d, e, f, g }
  end
end

-- Makes a fixture and the case's arguments, ready for the call.
function calls.prepare(case, combo)
  local f = fixture.new(unpack(combo, 1, 4))
  return f, compat.pack(case.arguments(f))
end

-- The combinations for a case: all of them, or one in 2D and one in 3D, which differ from case to
-- case.
function calls.combinations(number, all)
  local list = {}
  for i, boxes in ipairs(SIZES) do
    for j, backend in ipairs(BACKENDS) do
      for k, results in ipairs(RESULTS) do
        for dim = 2, 3 do
          local turn = number + (dim - 2) * 7
          local size = backend == "auto" and turn % 4 < 2 and 2 or 1
          local chosen = i == size and j == 1 + turn % 5 and k == 1 + turn % 3
          if all or chosen then
            list[#list + 1] = { dim, results, backend, boxes }
          end
        end
      end
    end
  end
  return list
end

return calls
