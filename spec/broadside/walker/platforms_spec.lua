-- broadside.walker: what carries it, and what it falls through.

local ground = require("spec.support.ground")
local random = require("spec.support.random")

local function eachSide(case, opts)
  for quarter = 0, 3 do
    case(ground.newScene(quarter, opts), quarter)
  end
end

local function plank(s, x, y, w, h, data)
  return s:box(x, y, w, h, { static = true, oneWay = s.up, data = data })
end

describe("walker:drop", function()
  it("lets it run through a row of planks of any thickness, and of one name", function()
    for _, kind in ipairs({ "box", "circle", "polygon" }) do
      for _, results in ipairs({ "box", "data" }) do
        eachSide(function(s)
          for column = -8, 8 do
            plank(s, 16 * column, 0, 16, 4 + 5 * (column % 3), "plank")
          end
          s:walker(ground.bodies[kind](s, 0, -1, 20, 32))
          s:land()
          s.hero:drop()
          local x, y = s:place()
          for i = 1, 20 do
            s:run(1, 90)
            local x2 = s:place()
            assert.is_true(math.abs(x2 - x - 90 / 60 * i) < 1e-6 and not s.hero.onFloor,
              ("%s, frame %d: %.17g"):format(kind, i, x2 - x))
          end
          assert.is_true(select(2, s:place()) > y + 40)
        end, { results = results })
      end
    end
  end)

  it("lands on the next plank, also within one long walk", function()
    for _, kind in ipairs({ "box", "circle" }) do
      eachSide(function(s)
        plank(s, -100, 0, 200, 5)
        plank(s, -100, 40, 200, 5)
        s:walker(ground.bodies[kind](s, 0, -1, 20, 20))
        s:land()
        s.hero:drop()
        s:walk(0, 600, 0.2)
        local _, y, _, h = s:place()
        assert.is_true(s.hero.onFloor and math.abs(y + h - 40) < 1e-6, y)
      end)
    end
  end)

  it("is over when it has fallen through: a slot has the planks of now", function()
    eachSide(function(s)
      plank(s, -100, 0, 200, 5)
      s:box(-100, 300, 200, 50)
      s:walker(ground.bodies.box(s, 0, -1, 20, 32))
      s:land()
      s.hero:drop()
      local slot = s.hero:save()
      assert.is_number(slot.plank1)
      s:run(120, 0)
      assert.is_true(s.hero.onFloor)
      assert.is_nil(s.hero:save(slot).plank1)
    end)
  end)
end)

describe("a one-way box on the floor", function()
  it("is walked through, however low, and a solid one is a step", function()
    for _, isOneWay in ipairs({ true, false }) do
      eachSide(function(s)
        s:box(-100, 0, 1000, 50)
        local lift = s:box(60, -8, 60, 8, { static = true, oneWay = isOneWay and s.up or nil })
        s:walker(ground.bodies.box(s, 0, -1, 20, 32), { stepHeight = 10 })
        s:land()
        s:run(54, 100)
        local x, y = s:place()
        assert.is_true(s.hero.onFloor and math.abs(x - 80) < 1e-6 and s:wall() == 0, x)
        assert.equal(isOneWay and -32 or -40, y)
        assert.equal(not isOneWay, s.hero.floor == lift)
      end)
    end
  end)
end)

describe("the floor of a walker", function()
  it("is the box under its feet, though several are called alike", function()
    eachSide(function(s)
      s:box(-100, 0, 100, 50, { static = true, data = "floor" })
      local lift = s:box(0, 0, 100, 50, { static = true, data = "floor" })
      s:walker(ground.bodies.box(s, -30, -1, 20, 32))
      s:land()
      s:run(60, 80)
      local x, y = s:place()
      assert.is_true(x > 0 and s.hero.floor == "floor")
      local liftX, liftY = s:rect(7, -20, 100, 50)
      lift:setRect(liftX, liftY)
      s:walk(0, 0)
      local x2, y2 = s:place()
      assert.is_true(math.abs(x2 - x - 7) < 1e-9 and math.abs(y2 - y + 20) < 1e-9)
    end, { results = "data" })
  end)

  it("is none as soon as it has been removed", function()
    eachSide(function(s)
      local floor = s:box(-100, 0, 200, 50)
      s:walker(ground.bodies.box(s, 0, -1, 20, 32))
      s:land()
      floor:remove()
      assert.is_nil(s.hero.floor)
      assert.is_false(s.hero.onFloor)
    end)
  end)
end)

describe("a filter that raises in the midst of a walk", function()
  it("leaves the walker where it was, without a floor, and crates where they came to", function()
    eachSide(function(s)
      s:box(-100, 0, 1000, 50)
      local crate = s:box(15, -20, 20, 20, { layer = 2 })
      local wall = s:box(60, -100, 20, 100)
      local raises, crates = false, 0
      s:walker(ground.bodies.box(s, 0, -1, 20, 32), { filter = function(_, other)
        if other == crate then
          crates = crates + 1
          if raises and crates > 1 then error("of the game", 0) end
          return "push"
        end
        return "slide"
      end })
      s:land()
      local x, y = s:place()
      raises, crates = true, 0
      local done, problem = pcall(s.walk, s, 3000, 0)
      assert.is_true(not done and problem == "of the game")
      local x2, y2 = s:place()
      assert.is_true(x2 == x and y2 == y)
      assert.is_true(not s.hero.onFloor and s.hero.floor == nil and s.hero.n == 0)
      local crateX = s:place(crate)
      local wallX = s:place(wall)
      assert.is_true(crateX + 20 == wallX, crateX)
    end)
  end)

  it("leaves it where it was, whatever the filter is asked about when it raises", function()
    local raised = 0
    for seed = 1, 40 do
      local s, rng, left = ground.newScene(seed), random.new(seed), math.huge
      local outline = ground.random(rng, 0, 400)
      ground.insert(s, outline, rng)
      s:walker(ground.bodies.box(s, 60 + 5 * seed, -400, 20, 32), { filter = function()
        left = left - 1
        if left == 0 then error("of the game", 0) end
        return "slide"
      end })
      s:land()
      for n = 1, 8 do
        local x, y = s:place()
        left = n
        local done = pcall(s.walk, s, 1200, 0)
        local x2, y2 = s:place()
        assert.is_true(done or (x2 == x and y2 == y and not s.hero.onFloor),
          ("seed %d, %d: %.17g, %.17g, was %.17g, %.17g"):format(seed, n, x2, y2, x, y))
        raised = raised + (done and 0 or 1)
        left = math.huge
        s:land()
      end
    end
    assert.is_true(raised > 40, raised)
  end)
end)
