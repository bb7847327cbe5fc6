-- What the first question after many changes costs with n boxes, and with 4 n.

local broadside = require("broadside")
local growth = require("spec.support.growth")

-- Where box i of n begins, and where it goes.
local MOVES = {
  ["when all leave one place together"] = function() return 0, 1000 end,
  ["when all leave one place for others"] = function(i) return 0, 100 * i end,
  ["when every second leaves one place"] = function(i) return 0, i % 2 == 0 and 1000 or 0 end,
  ["when all come to one place"] = function(i) return 100 * i, 0 end,
  ["when their order is reversed"] = function(i, n) return 100 * i, 100 * (n - i) end,
}

-- A segment and a rectangle that meet nothing.
local function ask(world)
  world:segmentCast(-1e4, -500, -9e3, -500)
  world:queryRect(-1e4, -500, 1, 1)
end

local cases = {}
for _, backend in ipairs({ "sweep", "grid", "tree", "auto" }) do
  for name, place in pairs(MOVES) do
    local few = backend == "grid" and 4000 or 1000 -- grid files anew after some steps for each box
    cases[#cases + 1] = { backend .. " " .. name, few, function(n)
      local world = broadside.newWorld({ backend = backend, results = "id" })
      local flat, goals = {}, {}
      for i = 1, n do
        flat[4 * i - 3], goals[2 * i - 1] = place(i, n)
        flat[4 * i - 2], flat[4 * i - 1], flat[4 * i], goals[2 * i] = 0, 4, 4, 0
      end
      local ids = world:insertMany(flat)
      ask(world)
      world:updateMany(ids, goals)
      return function() ask(world) end
    end }
  end
end
table.sort(cases, function(a, b) return a[1] < b[1] end)

growth.spec("spec.broad.growth_spec", cases)
