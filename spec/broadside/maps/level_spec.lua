-- What maps of all kinds share: where a world cannot take all of their boxes, and where a chunk is
-- covered while another one is.

local broadside = require("broadside")
local cover = require("broadside.maps.cover")
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

describe("The cover of a chunk", function()
  it("is the same if another one is covered meanwhile, as a finaliser may do", function()
    local kinds = { { rect = { 0, 0, 1, 1 }, goesAlong = true, goesDown = true } }
    local layout = { x = 0, y = 0, w = 1, h = 1 }
    local cells = {}
    for i = 1, cover.CELLS do
      cells[i] = i % 5 == 0 and "hole" or "wall"
    end
    local numbers = { wall = 1, hole = 0 }
    local expected = cover.find(cells, { numbers }, kinds, layout, 0, 0)
    for at = 100, cover.CELLS, 100 do
      local asked = 0
      local asking = setmetatable({}, { __index = function(_, code)
        asked = asked + 1
        if asked == at then
          cover.find(cells, { { wall = 1, hole = 1 } }, kinds, layout, 0, 0)
        end
        return numbers[code]
      end })
      assert.same(expected, cover.find(cells, { asking }, kinds, layout, 0, 0))
    end
  end)
end)
