-- The annotations in types/library must describe every function of the module, and nothing else.

local annotations = require("tools.annotations")
local broadside = require("broadside")
local compat = require("spec.support.compat")
local lfs = require("lfs")
local properties = require("tools.properties")
local responses = require("tools.responses")

local RESULTS = "types/library/broadside/results.lua"

local function readFile(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

local function sortedKeys(t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

-- The methods of a userdata that scripts can see.
local function methodsOf(object)
  return sortedKeys(debug.getmetatable(object).__index)
end

describe("the annotations", function()
  local blocks, methods = nil, {}

  setup(function()
    blocks = annotations.readAll()
    for _, block in ipairs(blocks) do
      if block.name then
        methods[block.owner] = methods[block.owner] or {}
        assert.is_nil(methods[block.owner][block.name], block.name .. " is there twice")
        methods[block.owner][block.name] = block
      end
    end
  end)

  for dim = 2, 3 do
    it(("have the methods of every object in %dD"):format(dim), function()
      local suffix = dim == 3 and "3" or ""
      local world = broadside.newWorld({ dim = dim })
      local pool = broadside.newPool({ capacity = 1, dim = dim })
      local objects = {
        World = world,
        Box = world:insert(compat.values(dim == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 })),
        Snapshot = world:snapshot(),
        PoolSnapshot = pool:snapshot(),
        Pool = pool,
        Emitter = pool:newEmitter(),
        Model = broadside.newModel({ dim = dim }),
      }
      for name, object in pairs(objects) do
        local documented = methods["broadside." .. name .. suffix] or {}
        assert.same(methodsOf(object), sortedKeys(documented))
      end
    end)
  end

  it("have the methods of back ends", function()
    assert.same(methodsOf(broadside.newTree()), sortedKeys(methods["broadside.Backend"]))
  end)

  it("have the functions of the modules", function()
    local functions = {}
    for name, value in pairs(broadside) do
      functions[name] = type(value) == "function" or nil
    end
    assert.same(sortedKeys(functions), sortedKeys(methods.broadside))
    for _, path in ipairs(annotations.files) do
      local name = path:match("^types/library/broadside/(%l+)%.lua$")
      functions = {}
      for key, value in pairs(name and require("broadside." .. name) or {}) do
        functions[key] = type(value) == "function" or nil
      end
      assert.same(sortedKeys(functions), sortedKeys(methods["broadside." .. (name or "")] or {}))
    end
  end)

  it("have the methods of a Map", function()
    local map = require("broadside.tiles").newMap(broadside.newWorld(), "#", nil, { w = 1 })
    assert.same(methodsOf(map), sortedKeys(methods["broadside.Map"]))
  end)

  it("have the functions of broadside.bump, its rectangles and its worlds", function()
    local bump = require("broadside.bump")
    assert.same({ "newWorld" }, sortedKeys(methods["broadside.bump"]))
    assert.is_function(bump.newWorld)
    assert.same(sortedKeys(bump.rect), sortedKeys(methods["broadside.BumpRect"]))
    assert.same(methodsOf(bump.newWorld()), sortedKeys(methods["broadside.BumpWorld"]))
  end)

  it("have the options that C reads, and no others", function()
    local read, documented = {}, {}
    for _, row in ipairs(properties) do
      read[row.option] = true
    end
    for _, row in ipairs(responses) do
      read[row.name] = true
    end
    for name in lfs.dir("src/lua") do
      if name:find("%.[ch]$") then
        local source = readFile("src/lua/" .. name):gsub("\\\n", " ") -- joins the lines of macros
        for option in source:gmatch('{%s*"(%w+)",%s*[%w_]*read[%w_]*,') do
          read[option] = true
        end
        for three in source:gmatch("BSL_VECTOR_ROWS%(([^%)]*)%)") do
          for option in three:gmatch('"(%w+)"') do
            read[option] = true
          end
        end
      end
    end
    for _, block in ipairs(blocks) do
      local isRead = block.class and (block.class:find("Options") or block.class:find("Spec")
        or block.class:find("Properties") or block.class:find("Masks"))
      if isRead and block.class ~= "broadside.WalkerOptions" then
        for _, field in ipairs(block.fields) do
          documented[field.name] = true
        end
      end
    end
    assert.is_true(read.cellSize and read.nway and read.static and read.vz)
    assert.same(sortedKeys(read), sortedKeys(documented))
  end)

  it("name every parameter as the signature does, optional ones last", function()
    for _, block in ipairs(blocks) do
      if block.name then
        local names, optional = {}, false
        for i, param in ipairs(block.params) do
          names[i] = param.name
          assert.is_false(optional and not param.isOptional, block.name)
          optional = optional or param.isOptional
        end
        assert.same(block.args, names, block.name)
      end
    end
  end)

  it("say something about everything, and name what is returned", function()
    for _, block in ipairs(blocks) do
      local what = block.name or block.class or block.alias
      -- The class of the module continues in other files.
      assert.is_true(block.class == "broadside" or #block.text > 0, what)
      for _, value in ipairs(block.returns) do
        assert.is_true(value.name ~= "", what)
      end
      for _, field in ipairs(block.fields) do
        assert.is_true(field.type ~= "", what)
      end
    end
  end)

  it("refer to types that are there", function()
    local known = {}
    for _, block in ipairs(blocks) do
      known[block.class or block.alias or ""] = true
    end
    for name in readFile(RESULTS):gmatch("%-%-%-@%a+ (broadside%.%w+)") do
      known[name] = true
    end
    for _, path in ipairs({ RESULTS, compat.values(annotations.files) }) do
      for line in io.lines(path) do
        for name in line:gmatch("broadside%.%u%w*") do
          assert.is_true(line:sub(1, 3) ~= "---" or known[name], path .. ": " .. name)
        end
      end
    end
  end)

  it("are Lua", function()
    for _, path in ipairs({ RESULTS, compat.values(annotations.files) }) do
      assert(loadfile(path))
    end
  end)

  it("of properties are made from their rows", function()
    local text = readFile("types/library/broadside/2d.lua")
    assert.equal(require("tools.types_properties")(text), text)
  end)

  it("of responses are made from their rows", function()
    local text = readFile("types/library/broadside.lua")
    assert.equal(require("tools.types_responses")(text), text)
  end)

  it("of 3D, and of ids and data as results, are made from those of 2D", function()
    local convert = require("tools.types3d")
    assert.equal(convert(readFile("types/library/broadside/2d.lua")),
      readFile("types/library/broadside/3d.lua"))
    assert.equal(require("tools.types_results")(), readFile(RESULTS))
  end)

  -- The methods that return ids, instead of Boxes, in a world of ids.
  it("say which methods return ids in worlds of ids", function()
    local world = broadside.newWorld({ results = "id" })
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 1, 2, 2)
    local handed = {
      insert = a,
      queryRect = world:queryRect(0, 0, 1, 1)[1],
      nearest = world:nearest(0, 0)[1],
      segmentCast = world:segmentCast(-1, 1, 5, 1),
      sweepRect = world:sweepRect(-5, 0, 1, 1, 5, 0),
      collectPairs = world:collectPairs()[2],
      touching = world:touching(world:insert(0, 2, 1, 1), 0, -1),
    }
    assert.equal(b, handed.collectPairs)
    local text = readFile(RESULTS)
    for name, value in pairs(handed) do
      assert.equal("number", type(value), name)
      local start = "@field " .. name .. " fun%(self: broadside%.WorldOfIds,"
      assert.truthy(text:match(start .. "[^\n]*%): integer"), name)
    end
  end)
end)
