-- What maps of all kinds share, where a world cannot take all of their boxes.

local broadside = require("broadside")
local level = require("broadside.maps.level")

-- Stands for a world in which only so many calls that insert succeed, as if memory had run out.
local function newLimited(world, calls)
  return setmetatable({}, { __index = function(_, name)
    return function(_, ...)
      if name:find("^insert") then
        calls = calls - 1
        if calls < 0 then
          error("not enough memory", 0)
        end
      end
      return world[name](world, ...)
    end
  end })
end

local function refuse(text)
  error(text, 0)
end

describe("The boxes of a map", function()
  it("are gone again, and keys as they were, if the world has no memory for one", function()
    for _, results in ipairs({ "box", "id" }) do
      for before = 0, 4 do
        local world, door, chest = broadside.newWorld({ results = results }), { box = "old" }, {}
        local calls = {
          { "insertMany", { 0, 0, 1, 1, 2, 0, 1, 1 }, { static = true } },
          { "insert", 4, 0, 1, 1, { data = door, key = "box" } },
          { "insertCircle", 7, 1, 1, { data = chest, key = "box" } },
          { "insertPolygon", { 9, 0, 10, 0, 10, 1 }, {} },
        }
        local done, boxes, n = pcall(level.insert, newLimited(world, before), calls, refuse)
        if before == #calls then
          assert.is_true(done)
          assert.same({ 5, 5, 5 }, { #boxes, n, #world })
          assert.is_true(door.box == boxes[3] and chest.box == boxes[4])
        else
          assert.same({ false, "not enough memory" }, { done, boxes })
          assert.same({ 0, "old" }, { #world, door.box })
          assert.is_nil(chest.box)
        end
      end
    end
  end)
end)
