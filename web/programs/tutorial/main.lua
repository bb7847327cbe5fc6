-- Runs the tutorial's spec with the functions of busted that it calls, and shows the results.

local lines, passed, failed = {}, 0, 0
local before
local check = assert

function describe(_, body)
  body()
end

function before_each(prepare)
  before = prepare
end

function it(name, test)
  local isRight, problem = pcall(function()
    before()
    test()
  end)
  passed, failed = passed + (isRight and 1 or 0), failed + (isRight and 0 or 1)
  lines[#lines + 1] = { isRight, name }
  if not isRight then
    lines[#lines + 1] = { false, "   " .. tostring(problem) }
  end
end

local function expect(isRight, expected, got)
  if not isRight then
    error(("expected %s, got %s"):format(tostring(expected), tostring(got)), 3)
  end
end

assert = setmetatable({
  equal = function(expected, got)
    expect(expected == got, expected, got)
  end,
  is_true = function(got)
    expect(got == true, true, got)
  end,
  near = function(expected, got, tolerance)
    expect(math.abs(expected - got) <= tolerance, expected, got)
  end,
}, { __call = function(_, ...)
  return check(...)
end })

function love.load()
  love.window.setMode(480, 150)
  love.graphics.setBackgroundColor(0.12, 0.14, 0.2)
  love.filesystem.load("spec/game_spec.lua")()
  print(("%d successes / %d failures / 0 errors"):format(passed, failed))
end

function love.draw()
  for i, line in ipairs(lines) do
    if line[1] then
      love.graphics.setColor(0.5, 0.85, 0.6)
    else
      love.graphics.setColor(1, 0.5, 0.45)
    end
    love.graphics.print((line[1] and "+ " or "- ") .. line[2], 24, 10 + 24 * i)
  end
end
