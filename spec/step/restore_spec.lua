-- restore(snapshot()) changes nothing that follows: not a bit of a place or a velocity, no hit, and
-- not the hash; in the middle of a heap, at rest, and with steps of any length.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

-- A random room with walls, bodies of all kinds, and belts.
local function draw(seed, dim)
  local rng, rows = random.new(seed), {}
  local function add(insert, ...)
    rows[#rows + 1] = { insert, compat.pack(...) }
  end
  local function rect(x, y, w, h)
    return compat.unpack(dim == 2 and { x, y, w, h } or { x, y, -30, w, h, 60 })
  end
  local function wall(x, y, w, h, opts)
    local list = { rect(x, y, w, h) }
    list[#list + 1] = opts
    add("insert", compat.unpack(list))
  end
  wall(-500, 100, 1000, 50,
    { static = true, friction = rng:pick({ 0, 0.5 }), vx = rng:pick({ 0, 20 }) })
  wall(-150, -500, 50, 1000, { static = true })
  wall(100, -500, 50, 1000, { static = true })
  for _ = 1, rng:int(3, 14) do
    local opts = { response = rng:pick({ "slide", "bounce", "touch", "bounce" }),
      bounce = rng:pick({ 0, 0.5, 0.9, 1 }), friction = rng:pick({ 0, 0.1, 0.5 }),
      mass = rng:pick({ 0.5, 1, 1, 3, 10 }), vx = rng:chance(0.5) and rng:real(-99, 99) or 0,
      vy = rng:chance(0.5) and rng:real(-99, 99) or 0 }
    local x, y = rng:real(-95, 75), rng:real(-95, 75)
    if rng:chance(0.6) then
      wall(x, y, rng:real(3, 20), rng:real(3, 20), opts)
    elseif dim == 3 then
      add("insertCircle", x + 9, y + 9, rng:real(-9, 9), rng:real(4, 9), opts)
    else
      add("insertCircle", x + 9, y + 9, rng:real(4, 9), opts)
    end
  end
  return { rows = rows, dim = dim, gravity = rng:pick({ 0, 100, 1000 }) }
end

local function build(scene)
  local gravity = scene.dim == 2 and { 0, scene.gravity } or { 0, scene.gravity, 0 }
  local world, list = broadside.newWorld({ dim = scene.dim, gravity = gravity }), {}
  for i, row in ipairs(scene.rows) do
    list[i] = world[row[1]](world, compat.unpack(row[2], 1, row[2].n))
  end
  return world, list
end

-- What is seen after each step. `before(world)` is called before each one.
local function play(scene, dts, before, without)
  local world, list = build(scene)
  local log = {}
  for i, dt in ipairs(dts) do
    if without and i == without then
      list[#list]:remove()
      list[#list] = nil
    end
    before(world, i)
    world:step(dt)
    for _, line in ipairs(bodies.bits(list)) do
      log[#log + 1] = i .. ": " .. line
    end
    for _, line in ipairs(bodies.hits(world, list)) do
      log[#log + 1] = i .. ": hit " .. line
    end
    log[#log + 1] = i .. ": hash " .. world:snapshot():getHash()
  end
  return log
end

local function nothing() end

local WAYS = {
  snapshot = function(world) world:restore(world:snapshot()) end,
  string = function(world) world:restore(world:snapshot():getString()) end,
  trim = function(world) world:trim() end,
  ["a step of no time"] = function(world) world:step(0) end,
  ["a future that is given up"] = function(world, i)
    local now = world:snapshot()
    world:step(i % 2 == 0 and 1 / 60 or 0.3)
    world:restore(now)
  end,
}

local function expectSame(scene, dts, name, without)
  local expected = play(scene, dts, nothing, without)
  for way, before in pairs(WAYS) do
    local difference = bodies.difference(expected, play(scene, dts, before, without))
    if difference then
      error(name .. ", " .. way .. ": " .. difference, 0)
    end
  end
end

describe("a restore, a trim or a step of no time before each step changes nothing", function()
  it("in steps of a sixtieth", function()
    local dts = {}
    for i = 1, 60 do
      dts[i] = 1 / 60
    end
    for dim = 2, 3 do
      for _, seed in ipairs(random.seeds(dim == 2 and 12 or 6)) do
        expectSame(draw(seed, dim), dts, ("%dD, seed %d"):format(dim, seed))
      end
    end
  end)

  it("in steps of up to a second", function()
    for dim = 2, 3 do
      for _, seed in ipairs(random.seeds(dim == 2 and 30 or 8)) do
        local rng, dts = random.new(seed + 500), {}
        for i = 1, 10 do
          dts[i] = rng:pick({ 1 / 60, 1 / 7, 0.25, 1 })
        end
        expectSame(draw(seed, dim), dts, ("%dD, seed %d"):format(dim, seed))
      end
    end
  end)

  it("where a body is removed among others that sleep", function()
    local dts = {}
    for i = 1, 40 do
      dts[i] = 1 / 20
    end
    for _, seed in ipairs(random.seeds(12)) do
      expectSame(draw(seed, 2), dts, "seed " .. seed, 35)
    end
  end)

  it("after one of two that sleep is gone, of which nothing is told any more", function()
    for gone = 1, 2 do
      local function hashOf(again)
        local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
        world:insert(-50, 10, 500, 10, { static = true })
        for i = 1, 2 do
          list[i] = world:insert(100 * i, 0, 10, 10, { response = "slide" })
        end
        for _ = 1, 60 do
          world:step(bodies.DT)
        end
        assert.is_false(list[1]:isAwake() or list[2]:isAwake())
        list[gone]:remove()
        if again then world:restore(world:snapshot():getString()) end
        world:step(bodies.DT)
        for box in world:hits() do
          assert.equal(list[3 - gone], box)
        end
        return world:snapshot():getHash()
      end
      assert.equal(hashOf(false), hashOf(true))
    end
  end)

  it("in the middle of a heap that is poured, at every frame", function()
    local function pour(before)
      local rng, list, log = random.new(2), {}, {}
      local world = broadside.newWorld({ gravity = { 0, 600 } })
      bodies.shaft(world, 60, { friction = 0.2 })
      for frame = 1, 160 do
        if frame % 4 == 1 and #list < 30 then
          list[#list + 1] = world:insertCircle(30 + rng:real(-9, 9), -180, rng:real(4, 6),
            { response = "slide", vy = 200, friction = 0.2 })
        end
        before(world, frame)
        world:step(bodies.DT)
        log[frame] = world:snapshot():getHash()
      end
      return log
    end
    local expected = pour(nothing)
    for way, before in pairs(WAYS) do
      assert.is_nil(bodies.difference(expected, pour(before)), way)
    end
  end)

  it("in a stack that stands, on which a ball falls", function()
    local function stack(before)
      local world, list, log = broadside.newWorld({ gravity = { 0, 600 } }), {}, {}
      bodies.floor(world)
      for i = 0, 20 do
        list[i + 1] = world:insert(i % 3 * 20, -20 * math.floor(i / 3) - 20, 20, 20,
          { response = "slide", friction = 0.3 })
      end
      for frame = 1, 120 do
        if frame == 60 then
          list[22] = world:insertCircle(25, -200, 9, { response = "bounce", mass = 3, vx = 30 })
        end
        before(world, frame)
        world:step(bodies.DT)
        log[frame] = table.concat(bodies.bits(list), "\n") .. world:snapshot():getHash()
      end
      return log
    end
    local expected = stack(nothing)
    for way, before in pairs(WAYS) do
      assert.is_nil(bodies.difference(expected, stack(before)), way)
    end
  end)

  it("of hits: what has been told is not told of bodies that are gone", function()
    local function hash(before)
      local world = broadside.newWorld({ gravity = { 0, 1000 } })
      world:insert(0, 100, 400, 20, { static = true })
      world:insert(10, 90, 10, 10, { response = "slide" })
      local other = world:insert(200, 90, 10, 10, { response = "slide" })
      bodies.steps(world, 90)
      other:remove()
      before(world)
      world:step(bodies.DT)
      return world:snapshot():getHash() .. #world:snapshot():getString()
    end
    for _, before in pairs(WAYS) do
      assert.equal(hash(nothing), hash(function(world) before(world, 1) end))
    end
  end)
end)

describe("a world from a string", function()
  it("goes on as the one that it was taken from, in another world", function()
    for _, seed in ipairs(random.seeds(10)) do
      local scene = draw(seed, 2)
      local world, list = build(scene)
      bodies.steps(world, 25)
      local other = broadside.newWorld({ backend = "grid" })
      other:restore(world:snapshot():getString())
      bodies.steps(world, 25)
      bodies.steps(other, 25)
      assert.equal(world:snapshot():getHash(), other:snapshot():getHash(), seed)
      local i, copies = 0, {}
      for box in other:boxes() do
        i = i + 1
        copies[i] = box
      end
      assert.is_nil(bodies.difference(bodies.bits(list), bodies.bits(copies)))
    end
  end)

  it("is the same on each back end, in the middle of a heap", function()
    for _, seed in ipairs(random.seeds(6)) do
      local scene, expected = draw(seed, 2), nil
      for _, backend in ipairs(bodies.BACKENDS) do
        local world = build(scene)
        world:setBackend(backend)
        bodies.steps(world, 50)
        expected = expected or world:snapshot():getHash()
        assert.equal(expected, world:snapshot():getHash(), backend)
      end
    end
  end)
end)
