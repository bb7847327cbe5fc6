-- Random worlds on every back end: segment casts, segment queries and sweeps, asked between random
-- changes, give the oracle's box, time, place and normal to the last bit.

local lockstep = require("spec.support.lockstep")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local WORLDS, STEPS, QUESTIONS = 10, 10, 4

local function castsStayRight(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 40)
  for _ = 1, STEPS do
    walk.cast(ls, QUESTIONS)
    for _ = 1, ls.rng:int(1, 6) do
      walk.change(ls)
    end
  end
  walk.cast(ls, QUESTIONS)
end

local function singleChanges(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 60)
  for _ = 1, 120 do
    walk.change(ls)
    walk.cast(ls)
  end
end

for dim = 2, 3 do
  describe(("casts against the oracle in %dD"):format(dim), function()
    for _, kind in ipairs(random.kinds) do
      it("agree on every back end: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(WORLDS)) do
          castsStayRight(dim, kind, seed)
        end
      end)
    end

    for _, kind in ipairs(random.kinds) do
      it("agree after each of many single changes: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(1)) do
          singleChanges(dim, kind, seed)
        end
      end)
    end
  end)
end
