-- What moves and pushes cost in scenes of n boxes and of 4 n.

local broadside = require("broadside")
local growth = require("spec.support.growth")
local random = require("spec.support.random")

-- A box that moves past n boxes that it does not meet, which were inserted from the far end. The
-- circle is the only shape of the world.
local function moveAlong(circleX, insert)
  return function(n)
    local world = broadside.newWorld()
    for i = n, 1, -1 do
      world:insert(i * 10, 0, 5, 5, { sensor = true })
    end
    world:insertCircle(circleX, 6, 1)
    local mover = insert(world)
    return function() world:move(mover, n * 10 + 50, 0) end
  end
end

local function insertBox(world)
  return world:insert(-20, 0, 5, 5)
end

local function insertCircle(world)
  return world:insertCircle(-18, 2, 2)
end

-- Boxes that move among others, by that method, in a world with so many circles, far away.
local function moveBeside(method)
  return function(circles)
    local world, boxes = broadside.newWorld(), {}
    for i = 1, 200 do
      world:insert(i * 37 % 960, i * 91 % 960, 16, 16, { static = true })
      boxes[i] = world:insert(i * 41 % 960, i * 83 % 960, 6, 6)
    end
    for i = 1, circles do
      world:insertCircle(-5000, 10 * i, 3)
    end
    world:countPairs()
    return function()
      for i, box in ipairs(boxes) do
        world[method](world, box, (i * 41 + 30) % 960, i * 83 % 960 + 15)
      end
    end
  end
end

-- A world with n boxes, circles or triangles that lie in one place.
local function newCrowd(kind, n)
  local world = broadside.newWorld()
  local rng = random.new(3)
  for _ = 1, n do
    local x, y = rng:real(0, 5), rng:real(0, 5)
    if kind == "triangles" then
      world:insertPolygon({ x, y, x + 10, y + 2, x + 3, y + 10 })
    elseif kind == "circles" then
      world:insertCircle(x + 5, y + 5, 5)
    else
      world:insert(x, y, 10, 10)
    end
  end
  return world
end

-- A box is pushed out of a crowd that lies in one place, of boxes or of triangles.
local function resolveCrowd(ofTriangles)
  local world = newCrowd(ofTriangles == 1 and "triangles" or "boxes", 600)
  local box = world:insert(0, 0, 5, 5)
  return function()
    local _, _, n = world:resolve(box)
    assert(n > 400 and #world:queryBox(box) == 0)
  end
end

-- A platform pushes a crowd out of its way; instead of that, for 0, the world is asked for each box
-- what overlaps it.
local function pushCrowd(kind)
  return function(pushes)
    local n = 300
    local world, out = newCrowd(kind, n), {}
    local platform = world:insert(-60, -20, 50, 50)
    world:countPairs()
    return function()
      if pushes == 1 then
        local _, _, _, met = world:push(platform, -20, -20)
        assert(met == n)
        return
      end
      for box in world:boxes() do
        local _, found = world:queryBox(box, nil, out)
        assert(found == (box == platform and 0 or n - 1))
      end
    end
  end
end

growth.spec("spec.motion.growth_spec", {
  { "resolve in a crowd of triangles, and of boxes", { 0, 1 }, resolveCrowd, most = 2.5 },
  { "a push through boxes in one place", { 0, 1 }, pushCrowd("boxes"), most = 2.1 },
  { "a push through circles in one place", { 0, 1 }, pushCrowd("circles"), most = 3.5 },
  { "a push through triangles in one place", { 0, 1 }, pushCrowd("triangles"), most = 3 },
  { "moves in a world with a circle far away", { 0, 1 }, moveBeside("move"), most = 1.1 },
  { "pushes in a world with a circle far away", { 0, 1 }, moveBeside("push"), most = 1.1 },
  { "a long way beside boxes, and a circle far away", 500, moveAlong(-500, insertBox) },
  { "a long way beside boxes and a circle", 500, moveAlong(100, insertBox) },
  { "the long way of a circle beside boxes", 500, moveAlong(-500, insertCircle) },
  { "a circle over bumps", 100, function(n)
    local world = broadside.newWorld()
    for i = 1, n do
      world:insertCircle(i * 10, 0, 6)
    end
    local ball = world:insertCircle(0, -7, 3)
    return function() world:move(ball, n * 10 + 50, 20) end
  end },
  { "a wall of crates", 100, function(n)
    local world = broadside.newWorld()
    for i = 1, n do
      world:insert(10, i * 5, 5, 5)
    end
    local wall = world:insert(-20, 0, 5, 5 * n + 10)
    return function() world:move(wall, 50, 0, { push = true }) end
  end },
  { "a step of bodies that overlap, of which each two meet", 30, function(n)
    local world = broadside.newWorld({ gravity = { 0, 500 } })
    for i = 1, n do
      world:insertCircle(i * 7 % 13 * 0.3, i * 11 % 17 * 0.3, 5, { response = "slide", vx = i % 7 })
    end
    return function() world:step(1 / 60) end
  end, most = 24 },
  { "pushMany of many boxes with riders", 100, function(n)
    local world, platform = broadside.newWorld({ gravity = { 0, 1 } }), {}
    for i = 1, n do
      platform[i] = world:insert(i * 10, 0, 10, 10)
      world:insert(i * 10, -10, 10, 10)
    end
    return function() world:pushMany(platform, 0, -1) end
  end },
})
