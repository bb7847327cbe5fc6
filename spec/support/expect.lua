-- Assertions that several specs share.

local assert = require("luassert")
local broadside = require("broadside")

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

-- Asserts that f raises "bad argument #position to 'name' (... problem ...)". (In a function with
-- `...`, Lua 5.1 hides a parameter called arg.)
function expect.badArgument(position, name, problem, f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok, ("no error, but '%s' expected"):format(problem))
  local start = ("bad argument #%d to '%s' ("):format(position, name)
  assert.is_true(message:find(start, 1, true) ~= nil and message:find(problem, 1, true) ~= nil,
    ("expected '%s... %s', got '%s'"):format(start, problem, message))
end

-- The options of world:insert, as messages list them.
function expect.optionsOfInsert()
  local world = broadside.newWorld()
  local _, message = pcall(world.insert, world, 0, 0, 1, 1, { [""] = 1 })
  return message:match("known: (.*)%)$")
end

return expect
