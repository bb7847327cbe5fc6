-- The barrage game in LÖVE: dodge with the arrow keys or WASD.
--
-- The bullets are drawn by one call: the pool writes its rows of floats into a Data, which becomes
-- the attributes of a mesh's instances. No Lua loop, and no garbage.

local barrage = require("barrage.simulation")
local look = require("support.look")

local ROW = 5 * 4 -- bytes: x, y, vx, vy and the tag, as floats
local FLASH = 0.4 -- seconds

local view = { title = "barrage", width = barrage.WIDTH, height = barrage.HEIGHT }

-- By tag: see barrage.simulation.
local COLORS = {
  { 0.96, 0.56, 0.35 }, { 0.92, 0.43, 0.78 }, { 1.00, 0.86, 0.42 }, { 0.47, 0.91, 0.80 },
}

local SHADER = [[
  attribute vec2 BulletPlace;
  attribute vec2 BulletVelocity;
  attribute float BulletTag;
  uniform vec3 Colors[4];

  vec4 position(mat4 transform, vec4 vertex) {
    vec2 along = length(BulletVelocity) > 0.0 ? normalize(BulletVelocity) : vec2(1.0, 0.0);
    vec2 size = BulletTag > 3.5 ? vec2(9.0, 1.5) : vec2(2.0 + 1.5 * BulletTag, 1.5 + BulletTag);
    vec2 corner = size * vertex.xy;
    VaryingColor = vec4(Colors[int(BulletTag + 0.5) - 1], 1.0);
    vec2 turned = vec2(corner.x * along.x - corner.y * along.y,
      corner.x * along.y + corner.y * along.x);
    return transform * vec4(BulletPlace + turned, 0.0, 1.0);
  }
]]

local data, rows, quad, shader
local hitsSeen, flash

local function makeMeshes()
  data = love.data.newByteData(barrage.CAPACITY * ROW)
  rows = love.graphics.newMesh({
    { "BulletPlace", "float", 2 }, { "BulletVelocity", "float", 2 }, { "BulletTag", "float", 1 },
  }, barrage.CAPACITY, "points", "stream")
  quad = love.graphics.newMesh({ { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } }, "fan", "static")
  for _, name in ipairs({ "BulletPlace", "BulletVelocity", "BulletTag" }) do
    quad:attachAttribute(name, rows, "perinstance")
  end
  shader = love.graphics.newShader(SHADER)
  shader:send("Colors", COLORS[1], COLORS[2], COLORS[3], COLORS[4])
end

local function restart()
  view.game = barrage.newGame()
  hitsSeen, flash = 0, 0
end

function view.load()
  makeMeshes()
  restart()
end

-- -1, 0 or 1, from two keys each.
local function axis(less, lessToo, more, moreToo)
  local value = 0
  if love.keyboard.isDown(less, lessToo) then value = value - 1 end
  if love.keyboard.isDown(more, moreToo) then value = value + 1 end
  return value
end

function view.update(dt)
  view.game:walk(axis("left", "a", "right", "d"), axis("up", "w", "down", "s"))
  view.game:update(dt)
  flash = view.game.hits > hitsSeen and FLASH or math.max(0, flash - dt)
  hitsSeen = view.game.hits
end

function view.keypressed(name)
  if name == "r" then
    restart()
  end
end

local function drawPlayer(box)
  local x, y = box:getCenter()
  look.setColor(flash > 0 and "hit" or "dynamic", 0.4)
  love.graphics.circle("fill", x, y, 14 + 40 * flash)
  look.setColor("text")
  love.graphics.rectangle("fill", box:getRect()) -- all that can be hit of you
  look.setColor(flash > 0 and "hit" or "dynamic")
  love.graphics.setLineWidth(2)
  love.graphics.circle("line", x, y, 14)
end

local function drawBoxes()
  local game = view.game
  for box in game.world:boxes() do
    if box == game.player then
      drawPlayer(box)
    else
      look.setColor(box == game.boss and "other" or "static")
      love.graphics.rectangle("fill", box:getRect())
    end
  end
end

local function drawBullets()
  local n = view.game.bullets:write(data)
  if n > 0 then
    rows:setVertices(data, 1, n)
    love.graphics.setColor(1, 1, 1)
    love.graphics.setShader(shader)
    love.graphics.drawInstanced(quad, n)
    love.graphics.setShader()
  end
end

function view.draw()
  look.grid(view.width, view.height, 40)
  drawBoxes()
  drawBullets()
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "barrage",
    "Dodge. Bullets fire bullets; a pool steps, hits and draws them all.")
  look.row("bullets", game.bullets:count())
  look.row("fired so far", game.bullets:stats().spawned)
  look.row("hits taken", game.hits)
  look.row("hits scored", game.score)
  look.space()
  look.legend("dynamic", "you: the dot alone is hit", "dot")
  look.legend("other", "the boss")
  look.legend("static", "wall: static")
  look.legend(COLORS[barrage.SHELL], "shell, bursts into petals", "line")
  look.legend(COLORS[barrage.PETAL], "petal, splits into shards", "line")
  look.legend(COLORS[barrage.SHARD], "shard", "line")
  look.legend(COLORS[barrage.NEEDLE], "needle: yours", "line")
  look.keys({ "arrows", "or WASD: move", "R", "restart", "Esc", "leave" })
end

return view
