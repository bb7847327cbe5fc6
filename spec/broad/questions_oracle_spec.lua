-- Random worlds on every back end. The answers between random changes must be those of the oracle:
-- for rectangle, point, circle and box queries and the nearest boxes in the oracle's order, and for
-- segment casts, segment queries and sweeps to the last bit of place, time and normal.

local lockstep = require("spec.support.lockstep")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local WORLDS, STEPS, QUESTIONS = 5, 10, 4

local function answersStayRight(ask, dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 40)
  for _ = 1, STEPS do
    ask(ls, QUESTIONS)
    for _ = 1, ls.rng:int(1, 6) do
      walk.change(ls)
    end
  end
  ask(ls, QUESTIONS)
  ls:checkContents()
end

-- A long row of single changes, with a question after each, shows what a structure fails to update.
local function singleChanges(ask, dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 60)
  for _ = 1, 120 do
    walk.change(ls)
    ask(ls)
  end
end

local function compare(name, ask, dim)
  describe(("%s against the oracle in %dD"):format(name, dim), function()
    for _, kind in ipairs(random.kinds) do
      it("agree on every back end: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(WORLDS)) do
          answersStayRight(ask, dim, kind, seed)
        end
      end)

      it("agree after each of many single changes: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(1)) do
          singleChanges(ask, dim, kind, seed)
        end
      end)
    end
  end)
end

for dim = 2, 3 do
  compare("queries", walk.query, dim)
  compare("casts", walk.cast, dim)
end
