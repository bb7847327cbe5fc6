-- The sandbox in LÖVE: draw shapes with the mouse, cast segments, sweep shapes.

local broadside = require("broadside")
local debugView = require("broadside.debug")
local look = require("support.look")
local sandbox = require("sandbox.simulation")

local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local SEEN = { box = true, shape = true, fat = true, node = true, cell = true }
local TOOLS = { "draw", "segment", "sweep" }
local HINTS = {
  draw = "Drag on the ground draws a shape, drag on a shape moves it.",
  segment = "Drag casts a segment: every shape it enters, and the normal there.",
  sweep = "Drag sweeps a shape: what it meets first, where it stops.",
}

local view = { title = "sandbox", width = sandbox.WIDTH, height = sandbox.HEIGHT }

local backend, tool, shape, isStatic, showDebug
local drag -- nil; or {x =, y =}, where it began, with a box and its offset if one is moved
local pointerX, pointerY

function view.load()
  backend, tool, shape, isStatic, showDebug = 1, "draw", 1, true, false
  drag, pointerX, pointerY = nil, 0, 0
  view.game = sandbox.newGame()
end

function view.update(dt)
  if drag and drag.box and not drag.box:isRemoved() then
    drag.box:setRect(pointerX + drag.x, pointerY + drag.y)
    drag.box:setVelocity(0, 0)
  end
  view.game:update(dt)
end

local function startDrag(x, y)
  drag = { x = x, y = y }
  local box = tool == "draw" and view.game:pick(x, y)
  if box then
    local left, top = box:getRect()
    drag = { box = box, x = left - x, y = top - y }
  elseif tool ~= "draw" then
    view.game:setProbe(tool, x, y, x, y, sandbox.SHAPES[shape])
  end
end

function view.mousepressed(x, y, button)
  pointerX, pointerY = x, y
  if x >= view.width then
    return
  elseif button == 1 then
    startDrag(x, y)
  else
    local box = view.game:pick(x, y)
    if box then
      box:remove()
    end
  end
end

function view.mousemoved(x, y)
  pointerX, pointerY = x, y
  if drag and tool ~= "draw" then
    view.game:setProbe(tool, drag.x, drag.y, x, y, sandbox.SHAPES[shape])
  end
end

function view.mousereleased(x, y, button)
  if button == 1 and drag and tool == "draw" and not drag.box then
    view.game:draw(drag.x, drag.y, x, y, isStatic, sandbox.SHAPES[shape])
  end
  drag = nil
end

function view.keypressed(key)
  local game = view.game
  if TOOLS[tonumber(key)] then
    tool, drag = TOOLS[tonumber(key)], nil
  elseif key == "s" then
    shape = shape % #sandbox.SHAPES + 1
  elseif key == "t" then
    isStatic = not isStatic
  elseif key == "b" then
    backend = backend % #BACKENDS + 1
    game.world:setBackend(BACKENDS[backend])
  elseif key == "d" then
    showDebug = not showDebug
  elseif key == "g" then
    game:setFalling(not game.falling)
  elseif key == "r" then
    view.game = sandbox.newGame(BACKENDS[backend])
  end
end

-- drawing -----------------------------------------------------------------------------------------

-- Draws a filled shape, with an outline of the same colour. The other arguments are the results of
-- sandbox.outline.
local function drawOutline(color, alpha, kind, ...)
  local draw = kind == "circle" and love.graphics.circle
    or kind == "polygon" and love.graphics.polygon or love.graphics.rectangle
  love.graphics.push()
  love.graphics.translate(5, 7)
  look.setColor("background", 0.4 * alpha)
  draw("fill", ...) -- its shadow
  love.graphics.pop()
  look.setColor(color, 0.75 * alpha)
  draw("fill", ...)
  look.setColor(color, alpha)
  draw("line", ...)
end

local function drawShape(color, alpha, box)
  if box:getShape() == "box" then
    drawOutline(color, alpha, "box", box:getRect())
  else
    drawOutline(color, alpha, box:getShape())
  end
end

local function drawBoxes()
  love.graphics.setLineWidth(1.5)
  local isHit = {}
  for _, hit in ipairs(view.game.hits) do
    isHit[hit.box] = not hit.box:isRemoved()
  end
  for box in view.game.world:boxes() do
    local color = isHit[box] and "hit" or box:isStatic() and "static" or "dynamic"
    drawShape(color, 1, box)
  end
end

-- Draws the overlap of two boxes. For other shapes it draws both.
local function drawPair(a, b)
  if a:getShape() ~= "box" or b:getShape() ~= "box" then
    drawShape("pair", 0.5, a)
    drawShape("pair", 0.5, b)
    return
  end
  local ax, ay, aw, ah = a:getRect()
  local bx, by, bw, bh = b:getRect()
  local x, y = math.max(ax, bx), math.max(ay, by)
  local right, bottom = math.min(ax + aw, bx + bw), math.min(ay + ah, by + bh)
  look.box("pair", x, y, right - x, bottom - y)
end

local function drawSwept(color, x, y, alpha)
  local w, h, swept = sandbox.SWEPT_W, sandbox.SWEPT_H, view.game.swept
  drawOutline(color, alpha or 1, swept, sandbox.outline(swept, x - w / 2, y - h / 2, w, h))
end

local function drawNormal(hit, x, y)
  look.setColor("text")
  love.graphics.circle("fill", x, y, 4)
  if hit.nx ~= 0 or hit.ny ~= 0 then
    look.arrow("normal", x, y, x + 34 * hit.nx, y + 34 * hit.ny, 10)
  end
end

local function drawSegment(game)
  look.arrow("text", game.x1, game.y1, game.x2, game.y2, 10)
  for _, hit in ipairs(game.hits) do
    drawNormal(hit, hit.x, hit.y)
    look.label(("t = %.2f"):format(hit.t), hit.x + 12, hit.y + 12)
  end
end

-- Draws the box where it starts and where it hits something, and faintly where it would have gone.
local function drawSweep(game)
  local hit = game.hits[1]
  look.setColor("text", 0.5)
  love.graphics.line(game.x1, game.y1, game.x2, game.y2)
  drawSwept("text", game.x1, game.y1, 0.5)
  if not hit then
    drawSwept("normal", game.x2, game.y2)
    return
  end
  local w, h = sandbox.SWEPT_W, sandbox.SWEPT_H
  local x, y = hit.x + w / 2, hit.y + h / 2
  drawSwept("text", game.x2, game.y2, 0.3)
  drawSwept("normal", x, y)
  drawNormal(hit, x, y)
  look.label(("t = %.2f"):format(hit.t), x - w / 2 + 4, y - h / 2 - 20)
end

local function drawNewBox()
  if not (drag and tool == "draw") or drag.box then
    return
  end
  local x, y, w, h = broadside.bounds({ drag.x, drag.y, pointerX, pointerY })
  local kind = sandbox.SHAPES[shape]
  drawOutline(isStatic and "static" or "dynamic", 0.6, kind, sandbox.outline(kind, x, y, w, h))
end

function view.draw()
  local game = view.game
  look.sky("room", view.width, view.height)
  look.grid(view.width, view.height, 40)
  drawBoxes()
  for i = 1, 2 * game.pairCount, 2 do
    drawPair(game.pairs[i], game.pairs[i + 1])
  end
  drawNewBox()
  love.graphics.setLineWidth(2)
  if game.probe == "segment" then
    drawSegment(game)
  elseif game.probe == "sweep" then
    drawSweep(game)
  end
  if showDebug then
    debugView.draw(game.world, SEEN)
  end
end

function view.display()
  look.display({ "tool", tool == "segment" and tool or tool .. " " .. sandbox.SHAPES[shape],
    "pairs", view.game.pairCount, "hits", #view.game.hits })
  look.center(HINTS[tool], view.width / 2, view.height - 27, "faint")
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "sandbox", HINTS[tool])
  look.row("tool", tool == "segment" and tool or tool .. " " .. sandbox.SHAPES[shape])
  look.row("new shapes are", isStatic and "static" or "dynamic")
  look.row("boxes", game.world:count())
  look.row("pairs", game.pairCount)
  look.row("hits", #game.hits)
  look.row("back end", BACKENDS[backend])
  look.space()
  look.legend("static", "static")
  look.legend("dynamic", "dynamic")
  look.legend("pair", "pair: where two overlap")
  look.legend("hit", "hit by segment or sweep")
  look.legend("normal", "normal, and place of the hit", "line")
  look.keys({ "1 2 3", "draw, segment, sweep", "drag", "use the tool", "right", "remove a shape",
    "S", "box, circle, polygon", "T", "static or dynamic", "G", "gravity", "D", "debug view",
    "B", "next back end", "R", "restart", "Esc", "leave" })
end

return view
