-- The barrage game without a window: plays for some seconds and prints what happens. From the
-- project's folder:
--
--   lua5.4 examples/barrage/demo.lua [seconds]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/?.lua;" .. package.path

local barrage = require("simulation")

local seconds = tonumber(arg[1]) or 10
local COLUMNS, ROWS = 64, 24
local SIGNS = { [barrage.SHARD] = ".", [barrage.PETAL] = "o", [barrage.SHELL] = "@",
  [barrage.NEEDLE] = "|" }

local function put(field, x, y, sign)
  local column = math.floor(x / barrage.WIDTH * COLUMNS) + 1
  local row = math.floor(y / barrage.HEIGHT * ROWS) + 1
  if field[row] and field[row][column] then
    field[row][column] = sign
  end
end

local function printField(game)
  local field = {}
  for row = 1, ROWS do
    field[row] = {}
    for column = 1, COLUMNS do
      field[row][column] = " "
    end
  end
  for id, x, y in game.bullets:each() do
    put(field, x, y, SIGNS[game.bullets:getTag(id)])
  end
  for box in game.world:boxes() do
    local x, y, w, h = box:getRect()
    for i = 0, w, barrage.WIDTH / COLUMNS do
      put(field, x + i, y + h / 2, box == game.player and "A" or box == game.boss and "W" or "#")
    end
  end
  for _, row in ipairs(field) do
    print("|" .. table.concat(row) .. "|")
  end
end

local game = barrage.newGame()
local most = 0
for step = 1, seconds * 60 do
  game:walk(math.floor(step / 50) % 3 - 1, 0)
  game:step()
  most = math.max(most, game.bullets:count())
end
printField(game)
local stats = game.bullets:stats()
print(("%d steps: %d bullets now, %d at most, %d fired, %d ended, %d dropped"):format(game.steps,
  stats.count, most, stats.spawned, stats.freed, stats.dropped))
print(("the player was hit %d times, the boss %d times"):format(game.hits, game.score))
