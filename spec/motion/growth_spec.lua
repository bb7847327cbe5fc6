-- What moves and pushes cost in scenes of n boxes and of 4 n.

local broadside = require("broadside")
local growth = require("spec.support.growth")

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
    return function()
      world:move(mover, n * 10 + 50, 0)
    end
  end
end

local function insertBox(world)
  return world:insert(-20, 0, 5, 5)
end

local function insertCircle(world)
  return world:insertCircle(-18, 2, 2)
end

growth.spec("spec.motion.growth_spec", {
  { "a long way beside boxes, and a circle far away", 500, moveAlong(-500, insertBox) },
  { "a long way beside boxes and a circle", 500, moveAlong(100, insertBox) },
  { "the long way of a circle beside boxes", 500, moveAlong(-500, insertCircle) },
  { "pushMany of many boxes with riders", 100, function(n)
    local world, platform = broadside.newWorld({ gravity = { 0, 1 } }), {}
    for i = 1, n do
      platform[i] = world:insert(i * 10, 0, 10, 10)
      world:insert(i * 10, -10, 10, 10)
    end
    return function()
      world:pushMany(platform, 0, -1)
    end
  end },
})
