-- Where two that meet in a step touch, as world:hits() tells it. The answers are worked out by
-- hand; each scene is also played mirrored, moved, larger, and inserted in the other order.

local broadside = require("broadside")
local compat = require("spec.support.compat")

local unpack = compat.unpack

-- Of each scene two boxes, the first one a body, by kind, numbers and velocity; where they touch.
local SCENES = {
  { "a crate lands on a floor", { "box", { 20, 0, 10, 10 }, { 0, 100 } },
    { "box", { 0, 50, 100, 10 } }, { 25, 50 } },
  { "a crate lands on an edge", { "box", { 95, 0, 10, 10 }, { 0, 100 } },
    { "box", { 0, 50, 100, 10 } }, { 97.5, 50 } },
  { "a crate meets a wall", { "box", { 0, 0, 10, 10 }, { 100, 0 } },
    { "box", { 50, 4, 10, 40 } }, { 50, 7 } },
  { "a ball lands on a floor", { "circle", { 30, 0, 8 }, { 0, 100 } },
    { "box", { 0, 50, 100, 10 } }, { 30, 50 } },
  { "a ball meets a corner", { "circle", { 0, 36, 10 }, { 100, 0 } },
    { "box", { 50, 42, 60, 20 } }, { 50, 42 } },
  { "a ball meets a ball", { "circle", { 0, 0, 5 }, { 100, 0 } },
    { "circle", { 50, 0, 15 } }, { 35, 0 } },
  { "a ball meets a slope", { "circle", { 0, 0, 5 }, { 0, 100 } },
    { "polygon", { -30, 100, 70, 0, 70, 100 } }, { 5 * math.sqrt(0.5), 70 - 5 * math.sqrt(0.5) } },
  { "a crate meets a slope", { "box", { 0, 0, 10, 10 }, { 0, 100 } },
    { "polygon", { -30, 100, 70, 0, 70, 100 } }, { 10, 60 } },
  { "a slope meets a slope", { "polygon", { 0, 0, 20, 0, 0, 20 }, { 100, 0 } },
    { "polygon", { 60, 0, 60, 20, 40, 20 } }, { 50, 10 } },
  { "a slope meets a part of a slope", { "polygon", { 0, 0, 20, 0, 0, 20 }, { 100, 0 } },
    { "polygon", { 60, 8, 60, 28, 40, 28 } }, { 54, 14 } },
  { "a tip lands on a floor", { "polygon", { 20, 0, 40, 0, 26, 12 }, { 0, 100 } },
    { "box", { 0, 50, 100, 10 } }, { 26, 50 } },
  { "a foot lands on a floor", { "polygon", { 20, 0, 40, 0, 36, 12, 26, 12 }, { 0, 100 } },
    { "box", { 30, 50, 100, 10 } }, { 33, 50 } },
  { "a ball flies into a sensor", { "circle", { 0, 0, 5 }, { 100, 0 } },
    { "box", { 50, -9, 10, 20 }, nil, true }, { 50, 0 } },
  { "a crate is in a sensor", { "box", { 0, 0, 10, 10 }, { 0, 1 } },
    { "box", { 6, 2, 10, 20 }, nil, true }, { 8, 6 } },
}

local INSERT = { box = "insert", circle = "insertCircle", polygon = "insertPolygon" }

-- The numbers of a shape under x * sign * scale + by.
local function place(kind, numbers, change)
  local function point(x, y)
    return x * change.sign * change.scale + change.x, y * change.scale + change.y
  end
  local out = {}
  if kind == "polygon" then
    for i = 1, #numbers, 2 do
      out[i], out[i + 1] = point(numbers[i], numbers[i + 1])
    end
    return { out }
  end
  local x, y, w, h = unpack(numbers)
  local left = kind == "box" and change.sign < 0 and x + w or x
  out[1], out[2] = point(left, y)
  out[3], out[4] = w and w * change.scale, h and h * change.scale
  return out
end

local function insert(world, thing, change)
  local kind, numbers, velocity, sensor = unpack(thing, 1, 4)
  local arguments = place(kind, numbers, change)
  arguments[#arguments + 1] = {
    static = velocity == nil and not change.flies, sensor = sensor, response = velocity and "slide",
    vx = velocity and velocity[1] * change.sign * change.scale,
    vy = velocity and velocity[2] * change.scale,
  }
  return world[INSERT[kind]](world, unpack(arguments))
end

local CHANGES = {
  ["as it is"] = {}, mirrored = { sign = -1 }, moved = { x = 1000, y = -3000 },
  larger = { scale = 64 },
  ["in numbers that are not round"] = { scale = 0.7, x = 17.3, y = 0.1 },
  ["before its wall"] = { turned = true },
  ["against what flies"] = { flies = true },
}

-- Either is within a billionth of the other.
local function near(want, got, message)
  assert.is_true(math.abs(want - got) <= 1e-9 * math.max(1, math.abs(want)),
    message .. ": " .. got .. ", not " .. want)
end

describe("the place of a hit", function()
  for _, scene in ipairs(SCENES) do
    local name, body, wall, at = unpack(scene)
    for how, given in pairs(CHANGES) do
      it("is where they touch: " .. name .. ", " .. how, function()
        local change = { sign = 1, scale = 1, x = 0, y = 0 }
        for key, value in pairs(given) do
          change[key] = value
        end
        local world = broadside.newWorld()
        insert(world, change.turned and wall or body, change)
        insert(world, change.turned and body or wall, change)
        world:step(1)
        local n = 0
        for _, _, _, _, _, _, _, _, x, y in world:hits() do
          near(at[1] * change.sign * change.scale + change.x, x, "x")
          near(at[2] * change.scale + change.y, y, "y")
          n = n + 1
        end
        assert.equal(1, n)
      end)
    end
  end

  it("is the middle of the common part of two faces in 3D, and the point of a sphere", function()
    local world = broadside.newWorld({ dim = 3 })
    world:insert(0, 0, 50, 100, 100, 10, { static = true })
    local function touch(box)
      local at
      world:step(1)
      for _, _, _, _, _, _, _, _, _, x, y, z in world:hits() do
        at = { x, y, z }
      end
      box:remove()
      return at
    end
    local falls = { response = "slide", vz = 100 }
    assert.same({ 97.5, 25, 50 }, touch(world:insert(95, 20, 0, 10, 10, 10, falls)))
    assert.same({ 30, 40, 50 }, touch(world:insertCircle(30, 40, 0, 8, falls)))
  end)

  it("is kept by snapshots and their bytes", function()
    local world = broadside.newWorld()
    world:insert(0, 50, 100, 10, { static = true })
    world:insert(20, 0, 10, 10, { response = "slide", vy = 100 })
    world:step(1)
    local snapshot = world:snapshot()
    local bytes = snapshot:getString()
    for _, state in ipairs({ snapshot, bytes }) do
      world:step(1)
      world:restore(state)
      for _, _, _, _, _, _, _, _, x, y in world:hits() do
        assert.same({ 25, 50 }, { x, y })
      end
    end
    assert.equal(bytes, world:snapshot():getString())
  end)
end)
