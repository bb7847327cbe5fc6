-- Rooms with belts, bumpers, slopes and pegs, in which bodies of all shapes fly about: what must be
-- true whatever happens there.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local random = require("spec.support.random")

-- A list of functions that insert one box each, and the gravity. All numbers are whole in a half of
-- the rooms, so that there are ties.
local function draw(rng, dim)
  local size, rows, whole = {}, {}, rng:chance(0.5)
  local function number(lo, hi)
    return whole and rng:int(math.ceil(lo), math.floor(hi)) or rng:real(lo, hi)
  end
  for k = 1, dim do
    size[k] = number(20, 90)
  end
  local function add(lo, extent, opts, kind)
    rows[#rows + 1] = function(world)
      local x, y, z, w = lo[1], lo[2], lo[3], extent[1]
      if kind == "circle" and dim == 3 then
        return world:insertCircle(x + w / 2, y + w / 2, z + w / 2, w / 2, opts)
      elseif kind == "circle" then
        return world:insertCircle(x + w / 2, y + w / 2, w / 2, opts)
      elseif kind == "polygon" then
        local h = extent[2]
        return world:insertPolygon({ x, y + h / 3, x + w / 2, y, x + w, y + h, x + w / 3, y + h },
          opts)
      elseif dim == 3 then
        return world:insert(x, y, z, w, extent[2], extent[3], opts)
      end
      return world:insert(x, y, w, extent[2], opts)
    end
  end
  local kinds = dim == 2 and { "box", "box", "circle", "polygon" } or { "box", "circle" }
  for k = 1, dim do
    for side = 0, 1 do
      local lo, extent = { -20, -20, -20 }, { size[1] + 40, size[2] + 40, (size[3] or 0) + 40 }
      lo[k], extent[k] = side == 0 and -10 or size[k], 10
      add(lo, extent, { static = true, friction = rng:pick({ 0, 0.5 }), bounce = rng:pick({ 0, 1 }),
        [rng:pick({ "vx", "vy" })] = rng:chance(0.3) and rng:real(-90, 90) or 0 })
    end
  end
  local static = #rows + rng:int(0, 4)
  for i = #rows + 1, static + rng:int(2, 25) do
    local lo, extent, isStatic = {}, {}, i <= static
    for k = 1, dim do
      extent[k] = number(2, isStatic and 20 or 9)
      lo[k] = number(0, size[k] - extent[k])
    end
    add(lo, extent, isStatic and { static = true, friction = rng:pick({ 0, 0.5 }),
      bounce = rng:pick({ 0, 0.5 }) } or { friction = rng:pick({ 0, 0.3 }),
      response = rng:pick({ "slide", "bounce", "touch" }), bounce = rng:pick({ 0, 0.5, 1 }),
      mass = rng:pick({ 0.01, 1, 1, 1000 }), drag = rng:pick({ 0, 10 }),
      vx = rng:real(-300, 300), vy = rng:real(-300, 300) }, rng:pick(kinds))
  end
  return rows, rng:pick({ 0, 500 })
end

-- The rows that overlap none before them, unless both are static.
local function parted(rows, dim)
  local world, kept = broadside.newWorld({ dim = dim }), {}
  for _, insert in ipairs(rows) do
    local box, free = insert(world), true
    for a, b in world:pairs() do
      free = free and ((a ~= box and b ~= box) or (a:isStatic() and b:isStatic()))
    end
    if free then
      kept[#kept + 1] = insert
    else
      box:remove()
    end
  end
  return kept
end

-- A world, and its boxes by their rows, inserted in an order.
local function build(rows, dim, gravity, order)
  local world = broadside.newWorld({ dim = dim, gravity = { 0, gravity, dim == 3 and 0 or nil } })
  local boxes = {}
  for i = 1, #rows do
    local row = order and order[i] or i
    boxes[row] = rows[row](world)
  end
  return world, boxes
end

-- Asserts that no body is in a wall or in another one, by more than rounding.
local function expectParted(world, seed)
  local before = world:snapshot()
  for a, b in world:pairs() do
    if not (a:isStatic() and b:isStatic()) then
      local push = { world:resolve(a:isStatic() and b or a) }
      for k = 1, #push - 1 do
        assert.is_true(math.abs(push[k]) < 1e-9, seed)
      end
      world:restore(before)
    end
  end
end

describe("bodies in a room", function()
  for dim = 2, 3 do
    it("stay out of walls and each other, in any order of insertion: " .. dim .. "D", function()
      for _, seed in ipairs(random.seeds(120)) do
        local rng = random.new(seed)
        local rows, gravity = draw(rng, dim)
        rows = parted(rows, dim)
        local world, boxes = build(rows, dim, gravity)
        local other, others = build(rows, dim, gravity, bodies.shuffled(rng, #rows))
        for _ = 1, 30 do
          local dt = rng:pick({ 1 / 60, 1 / 20 })
          world:step(dt)
          other:step(dt)
          expectParted(world, seed)
        end
        for i, box in ipairs(boxes) do
          assert.same({ box:getRect() }, { others[i]:getRect() }, seed)
        end
      end
    end)
  end

  -- In these a push along a wall led into a sleeper, after the ways of its part had been shortened.
  for _, seed in ipairs({ 7913, 8420 }) do
    it("stay out of what sleeps beside a part that is shortened: " .. seed, function()
      local rows, gravity = draw(random.new(seed), 2)
      local world = build(parted(rows, 2), 2, gravity)
      for _ = 1, 120 do
        world:step(1 / 60)
        expectParted(world, seed)
      end
    end)
  end
end)
