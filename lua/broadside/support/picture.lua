-- A world as text, and assertions for busted that show it: see play.lua.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local fields = require(root .. ".support.fields")

local picture = {}

local abs, ceil, floor, max, min = math.abs, math.ceil, math.floor, math.max, math.min
local isFinite, unpack = arguments.isFinite, table.unpack or unpack

local OPTIONS = {
  { "columns", "integer >= 1", 80 },
  { "rows", "integer >= 1", 24 },
  { "view", "{x, y, w, h} with w and h > 0", nil, function(view)
    return type(view) == "table" and isFinite(view[1]) and isFinite(view[2]) and isFinite(view[3])
      and isFinite(view[4]) and view[3] > 0 and view[4] > 0
  end },
  { "sign", "function" },
}

local function boundsOf(world)
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for box in world:boxes() do
    local x, y, w, h = box:getRect()
    left, top, right, bottom = min(left, x), min(top, y), max(right, x + w), max(bottom, y + h)
  end
  local w, h = right - left, bottom - top
  return min(w, h) > 0 and max(w, h) < math.huge and { left, top, w, h } or { 0, 0, 1, 1 }
end

-- The sign of a box, and its rank: which box is seen where several are.
local function lookOf(box, sign)
  local own = sign and sign(box)
  own = own and own:match("^[^\128-\191]?[\128-\191]*") -- one character of UTF-8
  if box:isSensor() then return own or ".", 1 end
  local isStatic = box:isStatic()
  return own or box:getOneWay() and "=" or isStatic and "#" or "@", isStatic and 2 or 3
end

-- Of cells that are 1 wide, the first and the last whose middles are between two places. If there
-- is none, the one in the middle between the places, and this middle.
local function cellsOf(from, to)
  local first, last, middle = ceil(from - 0.5), ceil(to - 0.5) - 1, (from + to) / 2
  if first <= last then return first, last end
  return floor(middle), floor(middle), middle
end

-- Whether a box or its shape overlaps a rectangle.
local function overlaps(world, box, x, y, w, h, out)
  local _, all = world:queryRect(x, y, w, h, nil, out)
  local _, others = world:queryRect(x, y, w, h, box, out)
  return all > others
end

--- The world as lines of text: `#` static, `=` one-way, `.` sensors, `@` other dynamic boxes.
-- opts: columns (80), rows (24), view ({x, y, w, h}: all boxes), sign (a function that returns the
-- character of a box; nil for those above, "" to leave it out).
function picture.draw(world, opts)
  arguments.checkWorld(world, "picture", picture)
  opts = arguments.readOptions(opts, "picture", 2, OPTIONS)
  local columns, rows, view = opts.columns, opts.rows, opts.view or boundsOf(world)
  local left, top, w, h = view[1], view[2], view[3] / columns, view[4] / rows
  local cells, ranks, lines, out = {}, {}, {}, {}
  for i = 1, columns * rows do
    cells[i], ranks[i] = " ", 0
  end
  for box in world:boxes() do
    local sign, rank = lookOf(box, opts.sign)
    local boxX, boxY, boxW, boxH = box:getRect()
    local c1, c2, x = cellsOf((boxX - left) / w, (boxX + boxW - left) / w)
    local r1, r2, y = cellsOf((boxY - top) / h, (boxY + boxH - top) / h)
    for row = max(r1, 0), sign == "" and -1 or min(r2, rows - 1) do
      for column = max(c1, 0), min(c2, columns - 1) do
        local i = row * columns + column + 1
        if rank >= ranks[i] and (box:getShape() == "box" or overlaps(world, box,
          left + ((x or column + 0.5) - 0.3) * w, top + ((y or row + 0.5) - 0.3) * h,
          0.6 * w, 0.6 * h, out)) then
          cells[i], ranks[i] = sign, rank
        end
      end
    end
  end
  for row = 1, rows do
    lines[row] = table.concat(cells, "", (row - 1) * columns + 1, row * columns)
  end
  return table.concat(lines, "\n")
end

-- The surroundings of a box, which is an X.
local function drawAround(box)
  local x, y, w, h = box:getRect()
  local size = max(w, h) / 4
  return picture.draw(box:getWorld(), { columns = 60, rows = 16,
    view = { x + w / 2 - 30 * size, y + h / 2 - 16 * size, 60 * size, 32 * size },
    sign = function(other) return rawequal(other, box) and "X" or nil end })
end

local function placeOf(box, call, expected, value)
  local isBox, x, y = pcall(function() return box:getRect() end)
  arguments.check(isBox, call, 1, expected, value)
  return x, y
end

-- How a message names what a call of the world has returned: a Box, its id, or its data, which may
-- be a text that many boxes share.
local function nameOf(world, said)
  for box in world:boxes() do
    if arguments.isSaid(box, said) and type(said) ~= "string" then
      return ("the one at %.17g, %.17g"):format(box:getRect())
    end
  end
  return arguments.describe(said)
end

-- The assertions. Each returns whether it is so, how it is, and the box that it is about.
local ASSERTIONS = {}

function ASSERTIONS.no_overlap(world)
  arguments.checkWorld(world, "no_overlap", picture)
  for box in world:boxes() do
    local x, y = box:getRect()
    local isFree, other = box:isStatic() or box:isSensor() or box:getOneWay(), nil
    if not isFree then isFree, other = world:canFit(box, x, y) end
    if not isFree then
      return false, ("the box at %.17g, %.17g overlaps %s"):format(x, y, nameOf(world, other)), box
    end
  end
  return true, "no box overlaps another one"
end

function ASSERTIONS.at(box, x, y, within)
  local boxX, boxY = placeOf(box, "at", "Box", box)
  within = within or 1e-6
  arguments.checkNumbers("at", 2, x, y, within)
  local text = ("the box is at %.17g, %.17g; asked for %.17g, %.17g, within %g"):format(boxX, boxY,
    x, y, within)
  return abs(boxX - x) <= within and abs(boxY - y) <= within, text, box
end

function ASSERTIONS.on_floor(walker)
  local box = type(walker) == "table" and walker.box
  local x, y = placeOf(box, "on_floor", "walker", walker)
  local how = walker.onFloor and "on the floor" or ("in the air for %g"):format(walker.airTime)
  return walker.onFloor, ("the walker is at %.17g, %.17g, %s"):format(x, y, how), box
end

--- Adds no_overlap(world), at(box, x, y, within?) and on_floor(walker) to busted's assert.
function picture.register(assert)
  local isAssert = type(assert) == "table" and type(assert.register) == "function"
  arguments.check(isAssert, "assertions", 1, "assert of busted", assert)
  for name, test in fields(ASSERTIONS) do
    assert:register("assertion", name, function(state, args, level)
      local isRight, isSo, text, box = pcall(test, unpack(args, 1, args.n))
      if not isRight then error(arguments.withoutPlace(isSo), level + 1) end
      if isSo ~= state.mod then
        state.failure_message = text .. (box and "\n" .. drawAround(box) or "")
      end
      return isSo
    end)
  end
end

return picture
