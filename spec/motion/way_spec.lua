-- Ways: friction of what bounces, and what lies around a way or its start.

local broadside = require("broadside")
local random = require("spec.support.random")

local BACK_ENDS = { "auto", "tree", "grid", "sweep", "brute" }

describe("friction at a wall", function()
  it("is a share of the whole push, also of the part that bounces back", function()
    for _, bounce in ipairs({ 0, 0.5, 1 }) do
      local world = broadside.newWorld()
      world:insert(-500, 10, 1000, 10, { static = true })
      local body = world:insert(0, -1, 10, 10,
        { response = "bounce", bounce = bounce, friction = 0.125, vx = 64, vy = 80 })
      world:step(0.5)
      local vx, vy = body:getVelocity()
      assert.equal(64 - 0.125 * 80 * (1 + bounce), vx)
      assert.equal(-80 * bounce, vy)
    end
  end)
end)

describe("boxes that a box is in at its start", function()
  it("are told in the order of insertion, whatever slots they have", function()
    for _, backend in ipairs(BACK_ENDS) do
      for _, seed in ipairs(random.seeds(10)) do
        local rng, world = random.new(seed), broadside.newWorld({ backend = backend })
        local list, others = {}, {}
        for i = 1, 30 do
          others[i] = world:insert(1000 * i, 0, 1, 1)
        end
        for i = 1, 24 do
          if rng:chance(0.5) then table.remove(others, rng:int(1, #others)):remove() end
          list[i] = world:insert(rng:real(-5, 4), rng:real(-5, 4), 8, 8)
        end
        local hero = world:insert(2, 2, 2, 2)
        local inside = {}
        for _, box in ipairs(list) do
          local x, y = box:getRect()
          if x < 4 and x + 8 > 2 and y < 4 and y + 8 > 2 then inside[#inside + 1] = box end
        end
        local _, _, hits, n = world:check(hero, 2, 2.5, { cross = true })
        assert.is_true(#inside > 5)
        for i, box in ipairs(inside) do
          assert.is_true(i <= n and rawequal(box, hits[i].other) and hits[i].t == 0)
        end
      end
    end
  end)
end)

-- A world with one shape among many boxes; with another one far away it is the same.
describe("one shape in a world of boxes", function()
  local function play(seed, backend, far)
    local rng, world = random.new(seed), broadside.newWorld({ backend = backend })
    for _ = 1, 30 do
      world:insert(rng:int(-20, 20), rng:int(-20, 20), rng:int(1, 6), rng:int(1, 6),
        { static = rng:chance(0.5) })
    end
    world:insertCircle(rng:int(-6, 6), rng:int(-6, 6), rng:real(0.5, 3))
    if far then world:insertCircle(1e5, 0, 1) end
    local hero, out = world:insert(0, 0, 2, 2), {}
    for _ = 1, 10 do
      world:setBackend(backend)
      local x, y, hits, n = world:move(hero, rng:int(-20, 20), rng:int(-20, 20),
        { bounce = true })
      out[#out + 1] = ("%.17g %.17g"):format(x, y)
      for i = 1, n do
        local hit = hits[i]
        out[#out + 1] = ("%s %.17g %.17g %.17g"):format(hit.response, hit.t, hit.x, hit.y)
      end
      x, y, _, n = world:move(hero, rng:int(-20, 20), rng:int(-20, 20))
      out[#out + 1] = ("%.17g %.17g %d"):format(x, y, n)
      out[#out + 1] = tostring(world:touching(hero, 1, 0) ~= nil)
      out[#out + 1] = world:countPairs()
      local t = select(2, world:sweep(hero, rng:int(-9, 9), rng:int(-9, 9)))
      out[#out + 1] = ("%s"):format(t)
      hero:setRect(rng:int(-9, 9), rng:int(-9, 9))
    end
    return table.concat(out, "\n")
  end

  it("changes no answer by where it is, on any back end", function()
    for _, seed in ipairs(random.seeds(40)) do
      local expected = play(seed, "brute", true)
      for _, backend in ipairs(BACK_ENDS) do
        assert.equal(expected, play(seed, backend, false), "seed " .. seed .. ", " .. backend)
      end
    end
  end)

  it("makes no pair with a box that has come to a corner of its rectangle", function()
    for _, backend in ipairs(BACK_ENDS) do
      local world = broadside.newWorld({ backend = backend })
      for i = 1, 200 do
        world:insert(100 * i, 0, 10, 10)
      end
      world:insertCircle(0, 0, 10)
      local box = world:insert(-100, 0, 2, 2)
      assert.equal(0, world:countPairs())
      box:setRect(8, 8)
      assert.equal(0, world:countPairs(), backend)
      box:setRect(6, 6)
      assert.equal(1, world:countPairs(), backend)
    end
  end)
end)
