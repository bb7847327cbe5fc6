-- The town in one area that was never split: what two areas together must be equal to.

local area = require("area.area")
local border = require("area.border")
local town = require("area.town")

local whole = {}

local Whole = {}
Whole.__index = Whole

function whole.new(people)
  local self = setmetatable({ area = area.new(town.WALLS), actors = {}, tick = 0 }, Whole)
  for _, actor in ipairs(people) do
    self.actors[actor.name] = self.area:add(actor, actor.x, actor.y)
  end
  return self
end

function Whole:step()
  self.tick = self.tick + 1
  for name, actor in pairs(self.actors) do
    local vx, vy = town.steer(name, self.tick)
    if vx then
      self.area:steer(actor, vx, vy)
    end
  end
  self.area:move()
  self.area:look(function(phase, actor, name)
    town.tell(phase, actor, name, self.tick)
  end)
end

function Whole:records()
  local records = {}
  for _, actor in pairs(self.actors) do
    table.insert(records, border.write(self.area, "actor", actor))
  end
  return records
end

-- The actors among the records of one area or of several, as one text.
function whole.describe(...)
  local lines = {}
  for _, records in ipairs({ ... }) do
    for _, record in ipairs(records) do
      table.insert(lines, record:find("^actor ") and record or nil)
    end
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

return whole
