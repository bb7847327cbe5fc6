-- Assertions that several specs share.

local assert = require("luassert")
local broadside = require("broadside")
local compat = require("spec.support.compat")

local expect = {}

-- Asserts that the list holds these boxes in this order.
function expect.boxes(expected, got)
  assert.equal(#expected, #got)
  for i = 1, #expected do
    assert.is_true(rawequal(expected[i], got[i]), "box " .. i)
  end
end

-- Asserts the box, time and normal that sweep, sweepRect or segmentCast returned.
function expect.hit(expected, t, normal, ...)
  local got = { ... }
  assert.is_true(rawequal(expected, got[1]), "the box hit")
  assert.equal(t, got[2])
  assert.same(normal, got[3])
end

-- Asserts that they returned none.
function expect.miss(...)
  assert.is_nil((...))
end

-- Asserts a number to within 1e-12, relative to numbers above 1.
function expect.near(expected, actual)
  assert.is_true(math.abs(expected - actual) <= 1e-12 * math.max(1, math.abs(expected)),
    ("expected %.17g, got %.17g"):format(expected, actual))
end

function expect.allNear(expected, actual)
  assert.equal(#expected, #actual)
  for i = 1, #expected do
    expect.near(expected[i], actual[i])
  end
end

-- Asserts that f(...) raises an error that has this text, or each text of a list. Returns the
-- message.
function expect.refused(texts, f, ...)
  local ok, message = pcall(f, ...)
  for _, text in ipairs(type(texts) == "table" and texts or { texts }) do
    assert.is_false(ok, ("no error, but '%s' expected"):format(text))
    assert.is_true(tostring(message):find(text, 1, true) ~= nil,
      ("'%s' expected, got '%s'"):format(text, tostring(message)))
  end
  return message
end

-- Asserts that f(...) raises this error, without a position.
function expect.message(expected, f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok, ("no error, but '%s' expected"):format(expected))
  assert.equal(expected, message)
end

-- Calls f in one line, which is that of messages. Not a tail call.
local function call(f, args)
  local result = f(compat.unpack(args, 1, args.n))
  return result
end

-- Asserts that f(...) raises this error, behind the place from which f was called.
function expect.messageWithPlace(expected, f, ...)
  local ok, message = pcall(call, f, compat.pack(...))
  assert.is_false(ok, ("no error, but '%s' expected"):format(expected))
  local place = ("expect%%.lua:%d: "):format(debug.getinfo(call, "S").linedefined + 1)
  assert.is_truthy(message:find(place), message)
  assert.equal(expected, (message:gsub("^.-" .. place, "")))
end

-- Asserts that f raises "bad argument #position to 'name' (... problem ...)". (In a function with
-- `...`, Lua 5.1 hides a parameter called arg.)
function expect.badArgument(position, name, problem, f, ...)
  expect.refused({ ("bad argument #%d to '%s' ("):format(position, name), problem }, f, ...)
end

-- The options of world:insert, as messages list them.
function expect.optionsOfInsert()
  local world = broadside.newWorld()
  local _, message = pcall(world.insert, world, 0, 0, 1, 1, { [""] = 1 })
  return message:match("known: (.*)%)$")
end

return expect
