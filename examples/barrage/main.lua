-- The barrage game for LÖVE 11: dodge with the arrow keys or WASD, R restarts.
--
-- The bullets are drawn by one call: the pool writes its rows of floats into a Data, which becomes
-- the attributes of a mesh's instances. No Lua loop, and no garbage.

local barrage = require("simulation")

local ROW = 5 * 4 -- bytes: x, y, vx, vy and the tag, as floats

local SHADER = [[
  attribute vec2 BulletPlace;
  attribute vec2 BulletVelocity;
  attribute float BulletTag;

  vec4 position(mat4 transform, vec4 vertex) {
    vec2 along = length(BulletVelocity) > 0.0 ? normalize(BulletVelocity) : vec2(1.0, 0.0);
    vec2 size = BulletTag > 3.5 ? vec2(9.0, 1.5) : vec2(2.0 + 1.5 * BulletTag, 1.5 + BulletTag);
    vec2 corner = size * vertex.xy;
    VaryingColor = BulletTag < 1.5 ? vec4(0.95, 0.55, 0.35, 1.0)
      : BulletTag < 2.5 ? vec4(0.9, 0.4, 0.75, 1.0)
      : BulletTag < 3.5 ? vec4(0.98, 0.85, 0.4, 1.0) : vec4(0.5, 0.8, 1.0, 1.0);
    vec2 turned = vec2(corner.x * along.x - corner.y * along.y,
      corner.x * along.y + corner.y * along.x);
    return transform * vec4(BulletPlace + turned, 0.0, 1.0);
  }
]]

local game, data, rows, quad, shader

function love.load()
  love.graphics.setBackgroundColor(0.06, 0.07, 0.11)
  game = barrage.newGame()
  data = love.data.newByteData(barrage.CAPACITY * ROW)
  rows = love.graphics.newMesh({
    { "BulletPlace", "float", 2 }, { "BulletVelocity", "float", 2 }, { "BulletTag", "float", 1 },
  }, barrage.CAPACITY, "points", "stream")
  quad = love.graphics.newMesh({ { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } }, "fan", "static")
  for _, name in ipairs({ "BulletPlace", "BulletVelocity", "BulletTag" }) do
    quad:attachAttribute(name, rows, "perinstance")
  end
  shader = love.graphics.newShader(SHADER)
end

-- -1, 0 or 1, from two keys each.
local function axis(less, lessToo, more, moreToo)
  local value = 0
  if love.keyboard.isDown(less, lessToo) then value = value - 1 end
  if love.keyboard.isDown(more, moreToo) then value = value + 1 end
  return value
end

function love.update(dt)
  game:walk(axis("left", "a", "right", "d"), axis("up", "w", "down", "s"))
  game:update(dt)
end

function love.keypressed(name)
  if name == "r" then
    game = barrage.newGame()
  elseif name == "escape" then
    love.event.quit()
  end
end

function love.draw()
  for box in game.world:boxes() do
    if box == game.player then
      love.graphics.setColor(0.4, 0.9, 0.6)
    elseif box == game.boss then
      love.graphics.setColor(0.75, 0.25, 0.3)
    else
      love.graphics.setColor(0.33, 0.37, 0.46)
    end
    love.graphics.rectangle("fill", box:getRect())
  end
  love.graphics.setColor(1, 1, 1)
  local n = game.bullets:write(data)
  if n > 0 then
    rows:setVertices(data, 1, n)
    love.graphics.setShader(shader)
    love.graphics.drawInstanced(quad, n)
    love.graphics.setShader()
  end
  love.graphics.print(("bullets %d    hits taken %d    score %d    %d fps"):format(n, game.hits,
    game.score, love.timer.getFPS()), 8, 8)
end
