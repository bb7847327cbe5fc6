-- Random worlds on every back end. After every few changes the pairs must be those of the oracle,
-- and every few rounds the contacts, too.

local compat = require("spec.support.compat")
local lockstep = require("spec.support.lockstep")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local WORLDS, STEPS = 4, 12
-- The steps in large worlds, where a check takes long.
local LONG_STEPS = compat.share(STEPS)

local function pairsStayRight(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 40)
  for _ = 1, STEPS do
    for _ = 1, ls.rng:int(1, 5) do
      walk.change(ls)
    end
    ls:checkPairs()
    if ls.rng:chance(0.3) then
      ls:checkContacts()
    end
  end
  ls:checkContents()
end

-- Makes few changes in a large world, so that most pairs are kept. With far fewer boxes, even one
-- or two changes would be too many to keep pairs (bs_world_most_noted in world_parts.h).
local function fewChanges(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  walk.populate(ls, 260)
  ls:checkPairs()
  for _ = 1, LONG_STEPS do
    for _ = 1, ls.rng:int(1, 3) do
      walk.change(ls)
    end
    ls:checkPairs()
  end
  ls:checkContacts()
end

-- The same few boxes keep changing. At times one is removed, and another one takes its place among
-- those that change.
local function sameFewChange(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed })
  local rng = ls.rng
  local function insert()
    return ls:insert(random.rect(ls.coord, ls.size, dim))
  end
  local others, restless = {}, {}
  for i = 1, 130 do
    others[i] = insert()
  end
  for _ = 1, 2 * LONG_STEPS do
    for _, box in ipairs(restless) do
      if rng:chance(0.7) then
        ls:update(box, random.rect(ls.coord, ls.size, dim))
      end
    end
    if rng:chance(0.2) and #restless > 0 then
      ls:remove(table.remove(restless))
    end
    if rng:chance(0.3) then
      restless[#restless + 1] = rng:chance(0.5) and insert() or table.remove(others)
    end
    ls:checkPairs()
  end
  ls:checkContacts()
end

for dim = 2, 3 do
  describe(("pairs against the oracle in %dD"):format(dim), function()
    for _, kind in ipairs(random.kinds) do
      it("agree on every back end: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(WORLDS)) do
          pairsStayRight(dim, kind, seed)
        end
      end)

      it("agree when few of many boxes change: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(1)) do
          fewChanges(dim, kind, seed)
        end
      end)

      it("agree when the same few of many boxes change: " .. kind.name, function()
        for _, seed in ipairs(random.seeds(1)) do
          sameFewChange(dim, kind, seed)
        end
      end)
    end
  end)
end
