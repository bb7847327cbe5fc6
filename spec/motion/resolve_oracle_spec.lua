-- In random worlds, whose sums are exact, `resolve` pushes as the oracle does on every back end.

local lockstep = require("spec.support.lockstep")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local EXACT = { ["small integers that tie"] = true, halves = true, ["touching tiles"] = true }

local function pushesAreRight(dim, kind, seed)
  local ls = lockstep.new({ dim = dim, kind = kind, seed = seed, exact = true })
  walk.populate(ls, 40)
  for _ = 1, 20 do
    walk.change(ls)
    if ls:count() > 0 then
      ls:checkResolve(ls:anyBox())
      walk.query(ls)
    end
  end
  ls:checkPairs()
end

for dim = 2, 3 do
  describe(("resolve against the oracle in %dD"):format(dim), function()
    for _, kind in ipairs(random.kinds) do
      if EXACT[kind.name] then
        it("agrees on every back end: " .. kind.name, function()
          for _, seed in ipairs(random.seeds(10)) do
            pushesAreRight(dim, kind, seed)
          end
        end)
      end
    end
  end)
end
