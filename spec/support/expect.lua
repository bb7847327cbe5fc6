-- What several specs assert alike.

local assert = require("luassert")

local expect = {}

-- The list holds these boxes in this order.
function expect.boxes(expected, got)
  assert.equal(#expected, #got)
  for i = 1, #expected do
    assert.is_true(rawequal(expected[i], got[i]), "box " .. i)
  end
end

-- Box, time and normal of what sweep, sweepRect or segmentCast gave.
function expect.hit(expected, t, normal, ...)
  local got = { ... }
  assert.is_true(rawequal(expected, got[1]), "the box hit")
  assert.equal(t, got[2])
  assert.same(normal, got[3])
end

-- That they gave none.
function expect.miss(...)
  assert.is_nil((...))
end

-- A number right to 1e-12, relative to numbers above 1.
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

-- That f raises "bad argument #position to 'name' (... problem ...)". (Lua 5.1 hides a parameter of
-- the name of arg in a function with `...`.)
function expect.badArgument(position, name, problem, f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok, ("no error, but '%s' expected"):format(problem))
  local start = ("bad argument #%d to '%s' ("):format(position, name)
  assert.is_true(message:find(start, 1, true) ~= nil and message:find(problem, 1, true) ~= nil,
    ("expected '%s... %s', got '%s'"):format(start, problem, message))
end

return expect
