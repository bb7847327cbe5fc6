-- doc/topdown.md: plays its game with a stand-in for LÖVE.

local compat = require("spec.support.compat")
local page = require("spec.support.page")
local standin = require("spec.love.standin")

describe("doc/topdown.md", function()
  local love, keys, hero, countCoins

  local function play(frames, ...)
    keys = {}
    for _, key in ipairs({ ... }) do
      keys[key] = true
    end
    for _ = 1, frames do
      love.update(1 / 60)
    end
  end

  before_each(function()
    love = standin.new()
    love.keyboard.isDown = function(key) return keys[key] or false end
    local code = page.blocks("doc/topdown.md")[1].code .. "return hero, function() return coins end"
    rawset(_G, "love", love)
    hero, countCoins = compat.loadIn(code, setmetatable({ love = love }, { __index = _G }))()
  end)

  after_each(function()
    rawset(_G, "love", nil)
  end)

  it("has a hero that walls stop, and that slides along them", function()
    play(200, "left")
    local x, y = hero.box:getRect()
    assert.equal(40, x)
    play(10, "left", "up")
    local besideX, besideY = hero.box:getRect()
    assert.equal(40, besideX)
    assert.near(y - 10 / 60 * 200 * math.sqrt(0.5), besideY, 1e-9)
  end)

  it("has coins, which are taken, and drawn until then", function()
    play(12, "right")
    assert.equal(0, countCoins())
    play(20, "up")
    assert.equal(1, countCoins())
    love.draw()
    assert.is_true(love.drawn.rectangle > 10 and love.drawn.print == 1)
  end)
end)
