-- broadside.walker: what a look at the ground, or for a step, must not take for ground.

local ground = require("spec.support.ground")

local CRATE = 2

local function eachSide(case)
  for quarter = 0, 3 do
    case(ground.newScene(quarter))
  end
end

describe("a walker before a step", function()
  it("does not climb where a crate on it is held", function()
    eachSide(function(s)
      s:box(-500, 0, 1000, 50)
      s:box(40, -8, 400, 8)
      local crate = s:box(40, -38, 31, 30, { layer = CRATE })
      s:box(71, -100, 30, 92)
      s:walker(ground.bodies.box(s, 0, -1, 20, 32),
        { stepHeight = 10, filter = { push = CRATE, slide = 1 } })
      s:land()
      s:run(60, 200)
      local x, y = s:place()
      assert.is_true(math.abs(x - 20) < 1e-9 and y == -32, ("%.17g, %.17g"):format(x, y))
      assert.is_true(s.hero.onFloor and s:wall() == 1)
      local crateX, crateY = s:place(crate)
      assert.is_true(crateX == 40 and crateY == -38)
    end)
  end)
end)

describe("a walker that comes to an edge", function()
  it("slides down a steep side to the floor at its foot, and is not put there", function()
    eachSide(function(s)
      s:box(-500, 0, 500, 200)
      s:polygon({ 0, 0, 20, 34, 20, 200, 0, 200 })
      s:box(20, 34, 500, 166)
      s:walker(ground.bodies.box(s, -60, -1, 20, 32), { snap = 40 })
      s:land()
      local last = s:place()
      s:run(60, 120, function(frame)
        local x = s:place()
        assert.is_true(x - last <= 10, ("frame %d: %.17g"):format(frame, x - last))
        last = x
      end)
      assert.is_true(s.hero.onFloor and last > 20)
    end)
  end)

  it("leaves a slope when it jumps uphill, however low", function()
    eachSide(function(s)
      s:polygon({ -100, 0, 900, -839, 900, 100, -100, 100 })
      s:walker(ground.bodies.box(s, 0, -200, 20, 32))
      s:land()
      s:walk(200, -50)
      assert.is_true(not s.hero.onFloor and s.vy < 0)
    end)
  end)
end)

describe("a walker under a ceiling that leans", function()
  it("is stopped by the ceiling, and by no wall", function()
    eachSide(function(s)
      s:box(-500, 0, 1500, 50)
      s:polygon({ 0, -80, 400, 40, 400, -80 })
      s:walker(ground.bodies.box(s, -20, -1, 20, 32))
      s:land()
      s:run(120, 200)
      assert.is_true(s.hero.onFloor and s.hero.onCeiling and s:wall() == 0)
    end)
  end)
end)
