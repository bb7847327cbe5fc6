-- Random worlds of boxes, circles and polygons. Answers must be those of the oracle of shapes, and
-- the same on all back ends to the last bit.

local compat = require("spec.support.compat")
local random = require("spec.support.random")
local worlds = require("spec.support.shape_worlds")

local WORLDS, SHAPES, QUESTIONS = 2, 30, 4

for dim = 2, 3 do
  for _, kind in ipairs(worlds.kinds) do
    describe(("shapes against the oracle in %dD: %s"):format(dim, kind.name), function()
      local function each(count, ask)
        for _, seed in ipairs(random.seeds(WORLDS)) do
          local w = worlds.new(dim, kind, seed, SHAPES)
          for _ = 1, compat.share(count) do
            ask(w)
          end
        end
      end

      it("pairs, from both sides", function()
        each(1, function(w)
          w:checkPairs()
          w:checkSymmetry()
        end)
      end)

      it("queries and the nearest", function()
        each(4 * QUESTIONS, function(w)
          w:checkQueries()
          w:checkNearest()
        end)
      end)

      it("casts and sweeps", function()
        each(QUESTIONS, function(w)
          w:checkCasts()
        end)
      end)

      it("sweeps from both sides", function()
        each(20 * QUESTIONS, function(w)
          w:checkOpposite()
        end)
      end)

      it("moves and pushes out", function()
        each(2 * QUESTIONS, function(w)
          w:checkMove()
          w:checkResolve()
        end)
      end)

      it("steps", function()
        each(QUESTIONS, function(w)
          w:checkStep()
          w:checkPairs()
        end)
      end)
    end)
  end
end
