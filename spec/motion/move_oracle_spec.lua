-- Random worlds in which boxes move: on every back end alike, to the last bit, and as sweeps say.

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
