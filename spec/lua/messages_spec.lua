-- Random wrong calls of every function and method, also of those that no other spec knows. The
-- message has the position of the call, and the form of Lua's own. It names an argument that the
-- call has, and its type.

local annotations = require("tools.annotations")
local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local nan, huge, unpack = compat.nan, compat.huge, compat.unpack

local registry = debug.getregistry()
local CLASSES = { "World", "Box", "Pool", "Emitter", "Model", "Snapshot", "PoolSnapshot",
  "Backend" }
local FUNCTIONS = { "newWorld", "newPool", "newModel", "newBrute", "newSweep", "newGrid", "newTree",
  "newAuto" }
local GEOMETRY = { "overlap", "sweep", "segment", "separation", "reflect", "bounds", "transform" }

-- { name, f, class } of all that can be called in that dimension.
local function functionsOf(dim)
  local list, suffix = {}, dim == 3 and "3" or ""
  for _, class in ipairs(CLASSES) do
    local metatable = registry["broadside." .. class .. (class ~= "Backend" and suffix or "")]
    for name, f in pairs(metatable.__index) do
      list[#list + 1] = { name = name, f = f, class = class }
    end
  end
  for _, name in ipairs(FUNCTIONS) do
    list[#list + 1] = { name = name, f = broadside[name], class = "broadside" }
  end
  for _, name in ipairs(GEOMETRY) do
    list[#list + 1] = { name = name .. suffix, f = broadside[name .. suffix], class = "broadside" }
  end
  table.sort(list, function(a, b)
    return a.name .. a.class < b.name .. b.class
  end)
  return list
end

-- The names of the parameters of all functions, by class and name.
local function parametersOf(dim)
  local found = {}
  for _, path in ipairs({ "types/library/broadside.lua",
    ("types/library/broadside/%dd.lua"):format(dim) }) do
    for _, block in ipairs(annotations.read(path, {})) do
      local owner = block.owner and block.owner:match("^broadside%.(%a+)3?$") or "broadside"
      local names = {}
      for i, param in ipairs(block.params or {}) do
        names[i] = param.name
      end
      found[owner .. "." .. tostring(block.name)] = names
    end
  end
  return found
end

-- Objects of every kind, some of them no longer of use.
local function newFixture(dim)
  local f = { dim = dim, world = broadside.newWorld({ dim = dim }),
    model = broadside.newModel({ dim = dim }),
    pool = broadside.newPool({ dim = dim, capacity = 9 }) }
  local function insert(world, x)
    return world:insert(compat.values(dim == 3 and { x, 0, 0, 2, 2, 2 } or { x, 0, 2, 2 }))
  end
  f.box, f.other, f.removed = insert(f.world, 0), insert(f.world, 3), insert(f.world, 9)
  f.foreign = insert(broadside.newWorld({ dim = dim }), 0)
  f.removedId = f.removed:getId()
  f.removed:remove()
  f.emitter = f.pool:newEmitter({ delay = 3 })
  f.mover = f.pool:spawn(compat.values(dim == 3 and { 0, 0, 0, 1, 1, 1 } or { 0, 0, 1, 1 }))
  f.selfs = { World = f.world, Box = f.box, Pool = f.pool, Emitter = f.emitter, Model = f.model,
    Snapshot = f.world:snapshot(), PoolSnapshot = f.pool:snapshot(),
    Backend = broadside.newTree() }
  return f
end

local function repeated(n, value)
  local list = {}
  for i = 1, n do
    list[i] = value
  end
  return list
end

-- A good value for a parameter of that name. All others take a small number.
local GOOD = {
  all = function() return true end,
  backend = function() return "tree" end,
  bounce = function() return 0.5 end,
  box = function(f) return f.box end,
  boxes = function(f) return { f.box, f.other, f.box } end,
  corners = function() return { 0, 0, 4, 0, 0, 4 } end,
  data = function() return {} end,
  distances = function() return {} end,
  f = function() return function() end end,
  filter = function(f, rng)
    return rng:pick({ false, false, 1, f.other, { slide = true }, function() return "cross" end })
      or nil
  end,
  flat = function(f) return repeated(2 * f.dim, 1) end,
  goals = function(f, rng) -- the last one may be too far from the first, which is the same box's
    local list = repeated(3 * f.dim, 1)
    list[1] = 1.7e308
    list[2 * f.dim + 1] = rng:chance(0.5) and -1.7e308 or 1
    return list
  end,
  id = function(f) return f.mover end,
  kind = function() return "circle" end,
  opts = function() return nil end,
  out = function() return {} end,
  response = function() return "slide" end,
  reuse = function() return nil end,
  rotates = function() return false end,
  sensor = function() return false end,
  snapshot = function(f) return f.selfs.Snapshot end,
  spec = function() return { delay = 5 } end,
  static = function() return false end,
  which = function() return "all" end,
  world = function(f) return f.world end,
}

-- What is wrong for most parameters, or for what came before it.
local BAD = {
  function(f) return f.removed end, function(f) return f.removedId end,
  function(f) return f.foreign end, function(f) return f.world end, function(f) return f.pool end,
  function(f) return f.model end, function(f) return f.emitter end,
  function(f) return f.selfs.PoolSnapshot end, function(f) return { f.box } end,
  function(f) return { f.box, f.other, f.removed } end, function() return nil end,
  function() return nan end, function() return huge end, function() return 1e308 end,
  function() return -1e308 end, function() return 1.7e308 end, function() return 0.5 end,
  function() return -1 end, function() return 2 ^ 32 end, function() return 2 ^ 60 end,
  function() return "x" end, function() return "5" end, function() return true end,
  function() return {} end, function() return { {} } end, function() return { "x" } end,
  function(f) return repeated(f.dim, 1) end, function(f) return repeated(3 * f.dim, 1.7e308) end,
  function(f) return repeated(2 * f.dim, 1e308) end, function(f) return repeated(3 * f.dim, 1) end,
  function() return { slide = nan } end, function() return { slid = 1 } end,
  function() return { [print] = 1 } end, function() return { data = 5, key = "box" } end,
  function() return { capacity = 3, w = 1 } end,
  function() return { capacity = 3, bounds = {} } end, function() return { dim = 4 } end,
  function() return { emitters = { { nway = 0 } } } end,
  function() return type end, function() return function() return "slid" end end,
  function() return function() error("thrown", 0) end end,
  function() return coroutine.create(function() end) end, function() return io.stdout end,
}

-- In one line, which is that of the call. Not a tail call.
local function call(f, args)
  local result = f(unpack(args, 1, args.n))
  return result
end

local PLACE = ("^[^:]*messages_spec%%.lua:%d: "):format(debug.getinfo(call).linedefined + 1)
local OTHERS = { -- besides those that name an argument
  "^'NAME' has no finite result %(%w+ would be %S+%)$",
  "^'NAME' would not give a box %([%w +]+ would be %S+%)$",
  "^bad self to 'NAME' %(.+%)$",
  "^the filter function returned .+ %(.+ expected%)$",
}

-- Of what messages say that they got.
local TYPES = { boolean = true, ["function"] = true, ["nil"] = true, ["no value"] = true,
  string = true, table = true, thread = true, userdata = true }

local function problemOf(message, entry, args, names)
  local name, selfs = entry.name, entry.class ~= "broadside" and 1 or 0
  if message:find("thrown$") then
    return nil
  elseif not message:find(PLACE) then
    return "it has no position"
  end
  local text = message:gsub(PLACE, "")
  local n, told, problem = text:match("^bad argument #(%d+) to '([%w]+)' %((.+)%)$")
  if not n then
    for _, form in ipairs(OTHERS) do
      if text:find((form:gsub("NAME", name))) then
        return nil
      end
    end
    return "it has another form"
  end
  local isOfArgument = not problem:find("^item") and not problem:find("^option")
  local got = isOfArgument and problem:match("expected, got ([^,;]+)")
  if told ~= name then
    return "it names another function"
  elseif tonumber(n) > math.max(#names, 1) then
    return "the call has no such argument"
  elseif problem:find("out comes") and not table.concat(names, " "):find("out") then
    return "the call has no out"
  elseif TYPES[got] and got ~= (n + selfs > args.n and "no value" or type(args[n + selfs])) then
    return "the argument is another value"
  end
  return nil
end

local function inWords(entry, args)
  local words = {}
  for i = 1, args.n do
    words[i] = type(args[i]) == "number" and ("%.17g"):format(args[i]) or tostring(args[i])
  end
  return ("%s.%s(%s)"):format(entry.class, entry.name, table.concat(words, ", "))
end

-- Arguments for a function: those of a good call, of which some are wrong, or missing, or too many.
local function draw(rng, f, entry, names)
  local args = { f.selfs[entry.class], n = f.selfs[entry.class] and 1 or 0 }
  local wrong = rng:pick({ 0.1, 0.3 })
  for _, name in ipairs(names) do
    args.n = args.n + 1
    local good = GOOD[name] or function() return rng:int(1, 3) end
    args[args.n] = (rng:chance(wrong) and rng:pick(BAD) or good)(f, rng)
  end
  if rng:chance(0.1) then
    args.n = rng:int(0, args.n)
  elseif rng:chance(0.1) then
    args.n = args.n + 1
    args[args.n] = rng:pick(BAD)(f)
  elseif rng:chance(0.02) then
    args[1] = rng:pick(BAD)(f)
  end
  return args
end

local function isWhole(f)
  return not f.box:isRemoved() and not f.other:isRemoved() and f.pool:isAlive(f.mover)
end

describe("a wrong call", function()
  for dim = 2, 3 do
    it(("in %dD has a message of the usual form"):format(dim), function()
      local functions, parameters, raised = functionsOf(dim), parametersOf(dim), 0
      for _, seed in ipairs(random.seeds(60)) do
        local rng, f = random.new(seed), newFixture(dim)
        for _, entry in ipairs(functions) do
          local names = parameters[entry.class .. "." .. entry.name]
          local args = draw(rng, f, entry, names)
          local ok, message = pcall(call, entry.f, args)
          local problem = not ok and problemOf(tostring(message), entry, args, names) or nil
          assert.is_nil(problem, ("seed %d: %s, of %s:\n%s"):format(seed, tostring(problem),
            inWords(entry, args), tostring(message)))
          raised = raised + (ok and 0 or 1)
          f = isWhole(f) and f or newFixture(dim)
        end
      end
      assert.is_true(raised > 20 * #random.seeds(60))
    end)
  end
end)
