-- What memory a world keeps for its steps.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local crowds = require("spec.support.crowds")
local random = require("spec.support.random")

describe("the memory of a world", function()
  local function most(make, n, steps, dt)
    local world = make(n)
    local before = world:stats().memory
    local largest = 0
    for _ = 1, steps do
      world:step(dt)
      largest = math.max(largest, world:stats().memory)
    end
    return largest - before
  end

  it("grows with the bodies in a long step, by some kilobytes each", function()
    local function check(name, make, limit)
      local memory = most(make, 100, 2, 0.5)
      assert.is_true(memory < 100 * limit, ("%s: %g bytes a body"):format(name, memory / 100))
    end
    check("gas", function(n) return crowds.gas(n, 100) end, 8192)
    check("heap", crowds.heap, 16384)
    check("cradle", crowds.cradle, 8192)
    -- Each has a plane with each: what is squeezed in a long step meets all others.
    check("swept", crowds.swept, 65536)
    check("squeezed", crowds.squeezed("slide"), 65536)
  end)

  it("of one crowd comes back, when steps are quiet or it is trimmed", function()
    local rng, world, list = random.new(5), broadside.newWorld(), {}
    for i = 1, 300 do
      list[i] = world:insert(rng:real(0, 1), rng:real(0, 1), 10, 10,
        { response = "slide", vx = rng:real(-50, 50), vy = rng:real(-50, 50) })
    end
    local start = world:stats().memory
    world:step(bodies.DT)
    for i, body in ipairs(list) do
      body:setRect(i * 100, 0, 10, 10)
      body:setVelocity(1, 0)
    end
    bodies.steps(world, 300)
    assert.is_true(world:stats().memory < start + 300 * 4096,
      ("%g, %g at the start"):format(world:stats().memory, start))
    world:trim()
    assert.is_true(world:stats().memory < start + 300 * 2048,
      ("%g, %g at the start"):format(world:stats().memory, start))
  end)
end)
