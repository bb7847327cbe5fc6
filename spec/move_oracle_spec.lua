-- Random worlds on every back end, in which boxes move as move_oracle.lua says: places, hits,
-- velocities, what they rest on and where there is room, to the last bit.

local lockstep = require("spec.support.lockstep")
local moveWalk = require("spec.support.move_walk")
local random = require("spec.support.random")

local WORLDS, MOTIONS = 2, 30

local kinds = {
  {
    name = "tenths",
    make = function(rng)
      return function()
        return rng:int(-40, 40) / 10
      end, function()
        return rng:int(1, 20) / 10
      end
    end,
  },
}
for i, kind in ipairs(random.kinds) do
  kinds[1 + i] = kind
end

local function newWorld(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  moveWalk.populate(ls, 30)
  if ls:count() == 0 then
    ls:insert(random.rect(ls.coord, ls.size, dim))
  end
  return ls
end

local function move(ls)
  local box = ls:anyBox()
  local goal = moveWalk.goal(ls, box)
  moveWalk.move(ls, box, goal, "check")
  moveWalk.move(ls, box, goal, "move")
  moveWalk.again(ls, ls:anyBox())
end

local function askAboutPlaces(ls)
  moveWalk.touching(ls, ls:anyBox())
  moveWalk.canFit(ls, ls:anyBox())
end

local function step(ls)
  if ls.rng:chance(0.3) then
    local gravity = {}
    for axis = 1, ls.dim do
      gravity[axis] = ls.rng:pick({ 0, 0, 1, -10 })
    end
    ls:setGravity(gravity)
  end
  moveWalk.step(ls, ls.rng:pick({ 0.5, 0.25, 1, 1 / 60, 0 }))
end

local function push(ls)
  local gravity = {}
  for axis = 1, ls.dim do
    gravity[axis] = ls.rng:pick({ 0, 0, 1, -1 })
  end
  ls:setGravity(gravity)
  local platform = ls:anyBox()
  moveWalk.push(ls, platform, moveWalk.goal(ls, platform))
end

describe("a way", function()
  it("is hardly ever too near to rounding to be known", function()
    local count = moveWalk.count
    count.all, count.loose = 0, 0
    for _, kind in ipairs(kinds) do
      if kind.name ~= "tiny" and kind.name ~= "huge" and kind.name ~= "a mixture"
        and kind.name ~= "one ulp apart" then
        local ls = newWorld(2, kind, 1)
        for _ = 1, 60 do
          move(ls)
        end
      end
    end
    assert.is_true(count.all > 1000)
    assert.is_true(count.loose < count.all / 50, count.loose .. " of " .. count.all)
  end)
end)

for dim = 2, 3 do
  for _, kind in ipairs(kinds) do
    describe(("movement against the oracle in %dD: %s"):format(dim, kind.name), function()
      local function each(count, act)
        for _, seed in ipairs(random.seeds(WORLDS)) do
          local ls = newWorld(dim, kind, seed)
          for _ = 1, count do
            ls.steps = ls.steps + 1
            act(ls)
          end
          ls:checkContents()
        end
      end

      it("move and check", function()
        each(MOTIONS, move)
      end)

      it("moveMany, touching and canFit", function()
        each(10, function(ls)
          moveWalk.moveMany(ls)
          askAboutPlaces(ls)
        end)
      end)

      it("push", function()
        each(15, push)
      end)

      it("step", function()
        each(10, step)
      end)
    end)
  end
end
