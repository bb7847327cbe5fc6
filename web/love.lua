-- love.lua: the part of LÖVE that the examples call, for programs in a page. It draws with
-- web.graphics. The page sends keys, the mouse and frames by calling the handlers at the end of
-- this file.

local web = web
local graphics = require("web.graphics")

local files, handlers = web.files, web.handlers
local output, ended = {}, false
local folder = "" -- the folder of the program's main.lua
local width, height, title = 800, 600, ""
local keys, buttons, mouseX, mouseY = {}, {}, 0, 0
local delta = 0

-- Files -------------------------------------------------------------------------------------------

-- "a/../b" becomes "b", and so does "./b".
local function plain(path)
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." and #parts > 0 then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local function loadFile(path)
  path = plain(path)
  if not files[path] then
    return nil, "cannot open " .. path
  end
  return load(files[path], "@" .. path)
end

package.path = "?.lua;?/init.lua;lua/?.lua;lua/?/init.lua"
package.cpath = ""
-- As in LÖVE, modules are first looked for in the program's own folder.
package.searchers = { package.searchers[1], function(name)
  local tried = {}
  for template in package.path:gmatch("[^;]+") do
    local inside = (template:gsub("%?", (name:gsub("%.", "/"))))
    for _, path in ipairs({ plain(folder .. "/" .. inside), plain(inside) }) do
      if files[path] then
        return assert(load(files[path], "@" .. path)), path
      end
      tried[#tried + 1] = "no file '" .. path .. "'"
    end
  end
  return table.concat(tried, "\n\t")
end }
loadfile = loadFile

function dofile(path)
  return assert(loadFile(path))()
end

function print(...)
  local list = table.pack(...)
  for i = 1, list.n do
    list[i] = tostring(list[i])
  end
  if #output < 200 then
    output[#output + 1] = table.concat(list, "\t", 1, list.n):sub(1, 2000)
  end
end

-- Worlds and pools --------------------------------------------------------------------------------

local worlds = setmetatable({}, { __mode = "k" })
local pools = setmetatable({}, { __mode = "k" })

-- The page's graphs count all worlds and pools, so new ones are added to a list. Errors still name
-- the caller's line.
local function noted(make, list)
  return function(...)
    local ok, made = pcall(make, ...)
    if not ok then
      error(made, 2)
    end
    list[made] = true
    return made
  end
end

local broadside = require("broadside")
broadside.newWorld = noted(broadside.newWorld, worlds)
broadside.newPool = noted(broadside.newPool, pools)

local function count()
  local boxes, pairCount = 0, 0
  for world in next, worlds do
    local isThere, n = pcall(world.count, world)
    if isThere then
      boxes, pairCount = boxes + n, pairCount + world:countPairs()
    end
  end
  for pool in next, pools do
    boxes = boxes + pool:count()
  end
  return boxes, pairCount
end

-- LÖVE --------------------------------------------------------------------------------------------

love = {
  graphics = graphics,
  data = require("web.data"),
  timer = {},
  keyboard = {},
  mouse = {},
  event = {},
  window = {},
  filesystem = {},
  image = {},
}

love.timer.getTime = web.now

function love.timer.getDelta()
  return delta
end

function love.keyboard.isDown(...)
  for i = 1, select("#", ...) do
    if keys[select(i, ...)] then
      return true
    end
  end
  return false
end

function love.mouse.getPosition()
  return mouseX, mouseY
end

function love.mouse.getX()
  return mouseX
end

function love.mouse.getY()
  return mouseY
end

function love.mouse.isDown(...)
  for i = 1, select("#", ...) do
    if buttons[select(i, ...)] then
      return true
    end
  end
  return false
end

function love.event.quit()
  ended = true
end

function love.window.setMode(w, h)
  width, height = math.floor(w), math.floor(h)
end

function love.window.setTitle(text)
  title = tostring(text)
end

function love.filesystem.getSource()
  return folder
end

function love.filesystem.read(path)
  local text = files[plain(folder .. "/" .. path)]
  return text, text and #text or ("cannot open " .. path)
end

function love.filesystem.write(path, text)
  files[plain(folder .. "/" .. path)] = text
  return true
end

function love.filesystem.getSaveDirectory()
  return folder
end

function love.filesystem.load(path)
  return loadFile(folder .. "/" .. path)
end

function graphics.getWidth()
  return width
end

function graphics.getHeight()
  return height
end

function graphics.getDimensions()
  return width, height
end

-- Pictures: the results of mapPixel are kept as bytes --------------------------------------------

local ImageData = {}
ImageData.__index = ImageData

function ImageData:getWidth()
  return self.w
end

function ImageData:getHeight()
  return self.h
end

local function toByte(part)
  return math.floor(255 * math.min(1, math.max(0, part)) + 0.5)
end

function ImageData:setPixel(x, y, r, g, b, a)
  self[y * self.w + x + 1] = string.char(toByte(r), toByte(g), toByte(b), toByte(a or 1))
end

function ImageData:getPixel(x, y)
  local r, g, b, a = self[y * self.w + x + 1]:byte(1, 4)
  return r / 255, g / 255, b / 255, a / 255
end

function ImageData:mapPixel(change)
  for y = 0, self.h - 1 do
    for x = 0, self.w - 1 do
      self:setPixel(x, y, change(x, y, self:getPixel(x, y)))
    end
  end
end

function love.image.newImageData(w, h)
  local data = setmetatable({ w = w, h = h }, ImageData)
  for i = 1, w * h do
    data[i] = "\0\0\0\0"
  end
  return data
end

function graphics.newImage(data)
  if getmetatable(data) ~= ImageData then
    error("bad argument #1 to 'newImage' (ImageData expected: there are no files here)", 2)
  end
  return graphics.newImageOf(data.w, data.h, table.concat(data))
end

-- Text --------------------------------------------------------------------------------------------

local Font = debug.getregistry()["web.Font"].__index

-- Returns the width of the widest line, and the lines.
function Font:getWrap(text, limit)
  local lines, most = {}, 0
  for paragraph in (text .. "\n"):gmatch("(.-)\n") do
    local line = nil
    for word in paragraph:gmatch("%S+") do
      local longer = line and line .. " " .. word or word
      if line and self:getWidth(longer) > limit then
        lines[#lines + 1], longer = line, word
      end
      line = longer
    end
    lines[#lines + 1] = line or ""
  end
  for _, line in ipairs(lines) do
    most = math.max(most, self:getWidth(line))
  end
  return most, lines
end

local ALIGN = { left = 0, center = 0.5, right = 1 }

function graphics.printf(text, x, y, limit, align)
  local font = graphics.getFont()
  local _, lines = font:getWrap(tostring(text), limit)
  for i, line in ipairs(lines) do
    local rest = limit - font:getWidth(line)
    graphics.print(line, x + (ALIGN[align] or 0) * rest, y + (i - 1) * font:getHeight())
  end
end

local usual = graphics.newFont(12)

-- What the page calls -----------------------------------------------------------------------------

local function call(name, ...)
  if love[name] then
    return love[name](...)
  end
end

-- Runs a program. It gets the path of its main.lua, and a seed as its argument.
function handlers.begin(main, seed)
  folder = plain(main .. "/..")
  graphics.setFont(usual)
  assert(loadFile(main))()
  call("load", { seed >= 0 and ("%.0f"):format(seed) or nil })
end

function handlers.update(_, dt)
  delta = dt
  call("update", dt)
end

function handlers.draw()
  graphics.reset()
  graphics.setFont(usual)
  call("draw")
end

function handlers.press(key, isAgain)
  keys[key] = true
  call("keypressed", key, key, isAgain == 1)
end

function handlers.release(key)
  keys[key] = nil
  call("keyreleased", key, key)
end

-- Moves the mouse to a place, in pixels of the program.
function handlers.move(_, x, y)
  x, y = math.floor(x), math.floor(y) -- integers, which print as in LÖVE
  local dx, dy = x - mouseX, y - mouseY
  mouseX, mouseY = x, y
  call("mousemoved", x, y, dx, dy, false)
end

function handlers.button(_, button, isDown)
  button = math.floor(button)
  buttons[button] = isDown == 1 or nil
  call(isDown == 1 and "mousepressed" or "mousereleased", mouseX, mouseY, button, false, 1)
end

function handlers.wheel(_, x, y)
  call("wheelmoved", x, y)
end

-- Returns the state of the program as lines: width, height, whether it has ended, bytes, boxes and
-- pairs in the first, its title in the second, then what it has printed.
function handlers.tell(_, wantsCounts)
  local boxes, pairCount = -1, -1
  if wantsCounts == 1 then
    boxes, pairCount = count()
  end
  local text = ("%d %d %d %.0f %d %d\n%s\n%s"):format(width, height, ended and 1 or 0, web.used(),
    boxes, pairCount, (title:gsub("\n", " ")), table.concat(output, "\n"))
  output = {}
  return text
end

-- A program may set web.sliders to rows: name, from, to, step, value, and a function that is called
-- with each new value. Each becomes a line, with tabs between its columns.
function handlers.sliders()
  local lines = {}
  for i, row in ipairs(web.sliders or {}) do
    lines[i] = ("%s\t%g\t%g\t%g\t%g"):format(row[1], row[2], row[3], row[4], row[5])
  end
  return table.concat(lines, "\n")
end

function handlers.slide(name, value)
  for _, row in ipairs(web.sliders or {}) do
    if row[1] == name then
      row[6](value)
    end
  end
end

-- Runs a chunk, and returns its result as text.
function handlers.evaluate(text)
  return tostring(assert(load(text, "=evaluate"))())
end
