-- Random worlds on every back end: rectangle, point, circle and box queries and the nearest boxes,
-- asked between random changes, answer as the oracle does, in its order.

local lockstep = require("spec.support.lockstep")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local WORLDS, STEPS, QUESTIONS = 10, 10, 3

local function queriesStayRight(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 40)
  for _ = 1, STEPS do
    walk.query(ls, QUESTIONS)
    for _ = 1, ls.rng:int(1, 6) do
      walk.change(ls)
    end
  end
  walk.query(ls, QUESTIONS)
  ls:checkContents()
end

-- A long row of single changes with a question after each shows what a structure forgets.
local function singleChanges(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 60)
  for _ = 1, 120 do
    walk.change(ls)
    walk.query(ls)
  end
end

for dim = 2, 3 do
  describe(("queries against the oracle in %dD"):format(dim), function()
    for _, kind in ipairs(random.kinds) do
      it("agree on every back end: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(WORLDS)) do
          queriesStayRight(dim, kind, seed)
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
