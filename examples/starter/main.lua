-- A game to start from: `make love-package` lays it out with Broadside beside it. Left and right
-- run, space jumps, D shows what the world sees.

local broadside = require("broadside")
local debugView = require("broadside.debug")
local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

local RUN, JUMP, GRAVITY, TILE = 260, 720, 1600, 50 -- pixels, and seconds
local MAP = [[
#              #
#  o o       o #
# =====     ===#
#              #
#       o      #
# o    ===     #
#===           #
#     o o     o#
#    /##\    ###
#  P/####\L o###
################
################]]

local world, hero, lift = broadside.newWorld() -- the map has the hero and the lift
local vx, vy, facing, walked, time, score, showDebug = 0, 0, 1, 0, 0, 0, false

local legend = { -- what the signs of the map are. Ledges and the lift are solid only from above
  ["#"] = { data = "ground" }, -- data: any value of yours
  ["/"] = { data = "ground", polygon = { 0, TILE, TILE, 0, TILE, TILE } },
  ["\\"] = { data = "ground", polygon = { 0, 0, TILE, TILE, 0, TILE } },
  ["="] = { data = "ledge", oneWay = { 0, -1 }, rect = { 0, 0, TILE, 12 } },
  o = { data = "coin", sensor = true, circle = { 25, 25, 10 } },
  P = function(x, y) hero = walker.new(world, world:insert(x, y, 32, 40, { data = "hero" })) end,
  L = function(x, y) lift = world:insert(x, y, 76, 12, { data = "lift", oneWay = { 0, -1 } }) end,
}
tiles.insert(world, MAP, legend, { w = TILE })
local liftX, liftY = lift:getRect()

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  time = time + dt
  world:push(lift, liftX, liftY - 175 + 175 * math.cos(time)) -- it carries what stands on it
  vx, vy = 0, vy + GRAVITY * dt
  if love.keyboard.isDown("left") then vx, facing = -RUN, -1 end
  if love.keyboard.isDown("right") then vx, facing = RUN, 1 end
  vx, vy = hero:walk(vx, vy, dt)
  walked = walked + vx * dt
  for i = 1, hero.n do -- what it has met
    local other = hero.hits[i].other
    if other:getData() == "coin" then
      other:remove()
      score = score + 1
    end
  end
end

function love.keypressed(key)
  if key == "space" and hero.onFloor then vy = hero.platformVy - JUMP end
  if key == "d" then showDebug = not showDebug end
end

local COLORS = { ground = { 0.27, 0.2, 0.3 }, ledge = { 0.75, 0.5, 0.35 }, lift = { 1, 0.8, 0.35 } }

local function fill(shape, r, g, b, a, ...) -- red, green, blue, opacity
  love.graphics.setColor(r, g, b, a)
  love.graphics[shape]("fill", ...)
end

local function drawCoin(x, y)
  for i = 1, 4 do fill("circle", 1, 0.8, 0.3, 0.12, x + 10, y + 10, 6 + 5 * i) end -- its glow
  fill("ellipse", 1, 0.82, 0.35, 1, x + 10, y + 10, 8 * math.abs(math.cos(2 * time + x)) + 1, 9)
end

local function drawHero(x, y, w, h)
  local step = hero.onFloor and 8 * math.sin(walked / 12) or 5
  fill("rectangle", 0.3, 0.65, 0.98, 1, x, y, w, h - 6, 10)
  for side = -1, 1, 2 do -- a leg and an eye
    local eyeX = x + w / 2 + 4 * facing + 6 * side
    fill("rectangle", 0.15, 0.3, 0.6, 1, x + w / 2 - 4 + side * step, y + h - 8, 9, 8, 3)
    fill("ellipse", 1, 1, 1, 1, eyeX, y + 13, 5, 6)
    fill("circle", 0.1, 0.1, 0.2, 1, eyeX + 2 * facing, y + 13, 2.5)
  end
end

function love.draw()
  for i = 0, 29 do fill("rectangle", 0.2 + i / 40, 0.24 + i / 60, 0.5, 1, 0, 20 * i, 800, 20) end
  for i = 1, 9 do fill("circle", 1, 0.9, 0.6, 0.1, 480, 400, 13 * i) end -- the sun
  for i = 0, 4 do fill("circle", 0.4, 0.3, 0.5, 1, 200 * i, 620, 170 + 40 * (i % 2)) end -- hills
  for box in world:boxes() do
    local kind, shape, corners = box:getData(), box:getShape()
    love.graphics.setColor(COLORS[kind] or COLORS.ground)
    if kind == "coin" then drawCoin(box:getRect())
    elseif kind == "hero" then drawHero(box:getRect())
    elseif shape == "polygon" then love.graphics.polygon("fill", corners)
    else love.graphics.rectangle("fill", box:getRect()) end
  end
  if showDebug then debugView.draw(world, { walkers = { hero } }) end
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("coins: " .. score .. "    left, right, space", 60, 12)
end
