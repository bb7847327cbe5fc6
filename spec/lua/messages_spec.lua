-- Random wrong calls of every function and method. The message has the position of the call, and
-- the form of Lua's own. It names an argument that the call has, and its type.

local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")
local kinds = require("spec.support.kinds")
local random = require("spec.support.random")

local nan, huge, unpack = compat.nan, compat.huge, compat.unpack

local function repeated(n, value)
  local list = {}
  for i = 1, n do
    list[i] = value
  end
  return list
end

-- What is wrong for most arguments, or for what came before them.
local function badValues(f)
  local n, far = f.dim, repeated(3 * f.dim, 1)
  far[1], far[2 * n + 1] = 1.7e308, -1.7e308
  return { far, f.removed, f.removedId, f.foreign, f.World, f.Pool, f.Model, f.Emitter,
    f.PoolSnapshot, { f.box }, { f.box, f.boxes[7], f.removed }, nan, huge, 1e308, -1e308, 1.7e308,
    0.5, -1, 2 ^ 32, 2 ^ 60, "x", "5", true, {}, { {} }, { "x" }, repeated(n, 1),
    repeated(3 * n, 1.7e308), repeated(2 * n, 1e308), repeated(3 * n, 1), { slide = nan },
    { slid = 1 }, { [print] = 1 }, { data = 5, key = "box" }, { capacity = 3, w = 1 },
    { capacity = 3, bounds = {} }, { dim = 4 }, { emitters = { { nway = 0 } } }, type,
    function() return "slid" end, function() error("thrown", 0) end,
    coroutine.create(function() end), io.stdout, kinds.ABSENT }
end

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

local function problemOf(message, row, f, args)
  local name = calls.nameOf(row, f.dim):gsub("__len", "count")
  local _, self = calls.functionOf(row, f)
  local selfs, words = self and 1 or 0, calls.parameters(row, f.dim)
  if message:find("thrown$") then
    return nil
  elseif not message:find(PLACE) then
    return "it has no position"
  end
  local text = message:gsub(PLACE, "")
  local n, told, problem = text:match("^bad argument #(%d+) to '([%w_]+)' %((.+)%)$")
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
  elseif tonumber(n) > math.max(#words, 1) and not problem:find("^no further argument") then
    return "the call has no such argument"
  elseif problem:find("out comes") and not table.concat(words, " "):find("out")
    and not table.concat(words, " "):find("hits") then
    return "the call has no out"
  elseif TYPES[got] and got ~= (n + selfs > args.n and "no value" or type(args[n + selfs])) then
    return "the argument is another value"
  end
  return nil
end

local function inWords(row, args)
  local words = {}
  for i = 1, args.n do
    words[i] = type(args[i]) == "number" and ("%.17g"):format(args[i]) or tostring(args[i])
  end
  return ("%s.%s(%s)"):format(row.class, row.name, table.concat(words, ", "))
end

-- Arguments for a call: any choice of good ones, of which some are wrong, or missing, or too many.
local function draw(rng, f, row)
  local choices, bads = {}, badValues(f)
  for i, word in ipairs(row.words) do
    choices[i] = rng:int(1, #kinds.good(word, f))
  end
  local _, args = calls.prepare(row, f, calls.arguments(row, f, choices))
  local wrong = rng:pick({ 0.1, 0.3 })
  local function spoil(i)
    local bad = rng:pick(bads)
    args[i] = bad ~= kinds.ABSENT and bad or nil
  end
  for i = 1 + (args.n - #calls.parameters(row, f.dim)), args.n do
    if rng:chance(wrong) then
      spoil(i)
    end
  end
  if rng:chance(0.1) then
    args.n = rng:int(0, args.n)
  elseif rng:chance(0.1) then
    args.n = args.n + 1
    spoil(args.n)
  elseif rng:chance(0.02) then
    spoil(1)
  end
  return args
end

local function isWhole(f)
  return not f.box:isRemoved() and not f.boxes[1]:isRemoved() and not f.boxes[2]:isRemoved()
    and not f.boxes[7]:isRemoved()
    and f.pool:isAlive(f.movers[3])
end

describe("a wrong call", function()
  for dim = 2, 3 do
    it(("in %dD has a message of the usual form"):format(dim), function()
      local raised = 0
      for _, seed in ipairs(random.seeds(60)) do
        local rng, f = random.new(seed), fixture.new(dim, "box", "tree", 14)
        for _, row in ipairs(calls.rowsOf(dim)) do
          local args = draw(rng, f, row)
          local ok, message = pcall(call, calls.functionOf(row, f), args)
          local problem = not ok and problemOf(tostring(message), row, f, args) or nil
          assert.is_nil(problem, ("seed %d: %s, of %s:\n%s"):format(seed, tostring(problem),
            inWords(row, args), tostring(message)))
          raised = raised + (ok and 0 or 1)
          f = isWhole(f) and f or fixture.new(dim, "box", "tree", 14)
        end
      end
      assert.is_true(raised > 20 * #random.seeds(60))
    end)
  end
end)
