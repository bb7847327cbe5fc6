-- A World's methods that insert a shape as several convex polygons: a polygon that is not convex,
-- and a wall along a polyline.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local convex = require(root .. ".convex")
local fields = require(root .. ".support.fields")
local polyline = require(root .. ".support.polyline")

local pieces = {}

local unpack = table.unpack or unpack

-- Calls one of our functions in C. If it raises an error, that names `call` instead.
local function run(call, name, f, ...)
  local ok, result = pcall(f, ...)
  if not ok then
    arguments.raiseAgain((tostring(result):gsub("'" .. name .. "'", "'" .. call .. "'")))
  end
  return result
end

local function checkPoints(half, call, points, least)
  if points == nil then
    run(call, "bounds", half.bounds) -- it says that there is no value
  end
  run(call, "bounds", half.bounds, points)
  if #points < 2 * least then
    arguments.refuse(call, 1, ("at least %d points expected, got %d"):format(least, #points / 2))
  end
end

-- All must be polygons that a world takes, before one of them is inserted.
local function checkPolygons(half, call, polygons, expected)
  local trial, areFine = half.newWorld(), #polygons > 0
  for _, polygon in ipairs(polygons) do
    areFine = areFine and not arguments.complaintOf(trial.insertPolygon, trial, polygon)
  end
  if not areFine then arguments.refuse(call, 1, expected .. " expected") end
end

-- Inserts all polygons, or raises an error and inserts none. optsAt: which argument opts is.
local function insertAll(world, call, polygons, opts, optsAt)
  if type(opts) == "table" and rawget(opts, "key") ~= nil then
    arguments.refuse(call, optsAt, "option 'key': one table has room for one box, not for several")
  end
  local boxes = {}
  for i, polygon in ipairs(polygons) do
    local ok, box = pcall(world.insertPolygon, world, polygon, opts)
    if not ok then
      for k = i - 1, 1, -1 do
        world:remove(boxes[k])
      end
      box = tostring(box):gsub("'insertPolygon'", "'" .. call .. "'")
      arguments.raiseAgain((box:gsub("argument #2", "argument #" .. optsAt)))
    end
    boxes[i] = box
  end
  return boxes
end

local function newMethods(half, methods)
  local own = {}

  --- Inserts a polygon that need not be convex, and does not cross itself.
  function own.insertConcave(world, points, opts)
    run("insertConcave", "getGravity", methods.getGravity, world)
    checkPoints(half, "insertConcave", points, 3)
    local polygons = convex.cut(points) or {}
    checkPolygons(half, "insertConcave", polygons,
      "polygon that has an area and does not cross itself")
    return insertAll(world, "insertConcave", polygons, opts, 2)
  end

  --- Inserts a wall along a polyline, with the line in its middle.
  function own.insertPolyline(world, points, ...)
    local thickness, opts = ...
    run("insertPolyline", "getGravity", methods.getGravity, world)
    checkPoints(half, "insertPolyline", points, 2)
    -- A function in C reads the number, so that the error says what any value is.
    local n = select("#", ...) > 0 and 4 or 0
    local ok, problem = pcall(half.reflect, unpack({ thickness, 0, 0, 0 }, 1, n))
    if not ok then
      arguments.raiseAgain((problem:gsub("#1 to 'reflect'", "#2 to 'insertPolyline'")))
    end
    arguments.check(arguments.isSize(thickness), "insertPolyline", 2, "thickness > 0", thickness)
    local polygons = polyline.thicken(points, thickness)
    checkPolygons(half, "insertPolyline", polygons, "points that are apart")
    return insertAll(world, "insertPolyline", polygons, opts, 3)
  end

  return own
end

--- Adds the methods to the Worlds of a half of the module, d2 or d3. Those of 3D refuse all. There
-- are no classes if they have them from a first try to load the module, which found no memory.
function pieces.add(half, axes)
  for _, metatable in ipairs(half.classes or {}) do
    local methods = metatable.__index
    local own = metatable.__metatable == "World" and newMethods(half, methods) or {}
    for name, method in fields(own) do
      methods[name] = axes == 2 and method or function(world)
        run(name, "insertPolygon", methods.insertPolygon, world)
      end
    end
  end
end

return pieces
