-- Emitters and models: the angles of every pattern, timers and counts in each step, bullets that
-- fire bullets, and full pools.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")

local pi, nan, huge = math.pi, compat.nan, compat.huge

-- The movers of a 2D pool as { x, y, speed, angle }, in the pool's order.
local function shots(pool)
  local list = {}
  for id in pool:each() do
    local x, y, vx, vy = pool:get(id)
    list[#list + 1] = {
      x = x, y = y, speed = math.sqrt(vx * vx + vy * vy), vx = vx, vy = vy, id = id,
    }
  end
  return list
end

-- Asserts that an emitter with these options fires at these angles, in this order.
local function assertAngles(angles, opts)
  local pool = broadside.newPool({ capacity = 100 })
  opts.speed, opts.count = opts.speed or 3, 1
  local emitter = pool:newEmitter(opts)
  assert.same({ 0, #angles }, { pool:step(1) })
  local list = shots(pool)
  assert.equal(#angles, #list)
  for i, angle in ipairs(angles) do
    expect.near(opts.speed * math.cos(angle), list[i].vx)
    expect.near(opts.speed * math.sin(angle), list[i].vy)
  end
  assert.is_false(emitter:isActive())
end

describe("patterns", function()
  it("fire one shot along the angle", function()
    assertAngles({ 0 }, {})
    assertAngles({ 1.25 }, { angle = 1.25 })
    assertAngles({ -9 }, { angle = -9, speed = 0.5 })
  end)

  it("fan out evenly around the angle, odd and even", function()
    assertAngles({ 0.5 }, { angle = 0.5, nway = 1, nwayAngle = 0.2 })
    assertAngles({ 0.4, 0.6 }, { angle = 0.5, nway = 2, nwayAngle = 0.2 })
    assertAngles({ 0.3, 0.5, 0.7 }, { angle = 0.5, nway = 3, nwayAngle = 0.2 })
    assertAngles({ 0.2, 0.4, 0.6, 0.8 }, { angle = 0.5, nway = 4, nwayAngle = 0.2 })
    assertAngles({ 0.7, 0.5, 0.3 }, { angle = 0.5, nway = 3, nwayAngle = -0.2 })
    assertAngles({ 0.5, 0.5 }, { angle = 0.5, nway = 2 })
  end)

  it("go around in a circle, or half a step on", function()
    assertAngles({ 0 }, { circle = 1 })
    assertAngles({ 0, pi / 2, pi, 3 * pi / 2 }, { circle = 4 })
    assertAngles({ pi / 4, 3 * pi / 4, 5 * pi / 4, 7 * pi / 4 }, { circle = 4, circleOdd = true })
    assertAngles({ 1, 1 + 2 * pi / 3, 1 + 4 * pi / 3 }, { angle = 1, circle = 3 })
    assertAngles({ pi }, { circle = 1, circleOdd = true })
    assertAngles({ 0, pi / 2, pi, 3 * pi / 2 }, { circle = 4, circleOdd = false })
  end)

  it("fire a fan in each direction of a circle", function()
    assertAngles({ -0.1, 0.1, pi - 0.1, pi + 0.1 }, { circle = 2, nway = 2, nwayAngle = 0.2 })
  end)

  it("lie in the plane of x and y in 3D", function()
    local pool = broadside.newPool({ dim = 3, capacity = 10 })
    pool:newEmitter({ x = 1, y = 2, z = 3, circle = 4, speed = 2, count = 1 })
    pool:step(1)
    local out = pool:collect()
    assert.same({ 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3 }, out)
    for id in pool:each() do
      local _, _, _, vx, vy, vz = pool:get(id)
      expect.near(2, math.sqrt(vx * vx + vy * vy))
      assert.equal(0, vz)
    end
  end)
end)

describe("an emitter", function()
  local pool

  before_each(function()
    pool = broadside.newPool({ capacity = 1000 })
  end)

  -- The number of shots in each of the first n steps, as a string of digits.
  local function firings(opts, n)
    local text = {}
    local emitter = pool:newEmitter(opts)
    for i = 1, n do
      text[i] = select(2, pool:step(1))
    end
    return table.concat(text), emitter
  end

  it("fires after its delay, every cycle, as often as its count", function()
    assert.equal("11111111", (firings({}, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("00011111", (firings({ delay = 3 }, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("10010010", (firings({ cycle = 3 }, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("01001001", (firings({ delay = 1, cycle = 3 }, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("01010100", (firings({ delay = 1, cycle = 2, count = 3 }, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("00000000", (firings({ count = 0 }, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("10101010", (firings({ cycle = 2, count = -5 }, 8)))
    pool = broadside.newPool({ capacity = 1000 })
    assert.equal("30300000", (firings({ cycle = 2, count = 2, nway = 3 }, 8)))
  end)

  it("counts down", function()
    local emitter = pool:newEmitter({ delay = 1, cycle = 2, count = 2 })
    local seen = {}
    for i = 1, 5 do
      seen[i] = ("%d %s %d"):format(emitter:getCount(), tostring(emitter:isActive()),
        pool:stats().emitters)
      pool:step(1)
    end
    assert.same({ "2 true 1", "2 true 1", "1 true 1", "1 true 1", "0 false 0" }, seen)
    local endless = pool:newEmitter()
    pool:step(1)
    assert.equal(-1, endless:getCount())
    assert.is_true(endless:isActive())
    local never = pool:newEmitter({ count = 0 })
    assert.equal(0, never:getCount())
    assert.is_false(never:isActive())
  end)

  it("stops", function()
    local a, b, c = pool:newEmitter(), pool:newEmitter({ count = 9 }), pool:newEmitter()
    pool:step(1)
    b:stop()
    b:stop()
    assert.equal(0, b:getCount())
    assert.is_false(b:isActive())
    assert.same({ 0, 2 }, { pool:step(1) })
    a:stop()
    c:stop()
    assert.same({ 0, 0 }, { pool:step(1) })
    b:setPosition(1, 2) -- this does no harm to an emitter that has ended
    b:setAngle(1)
    assert.equal("Emitter (ended)", tostring(b))
    assert.equal(5, pool:count())
  end)

  it("can be moved and turned between steps", function()
    local emitter = pool:newEmitter({ x = 1, y = 2, speed = 1 })
    pool:step(1)
    emitter:setPosition(-5, 6)
    emitter:setAngle(pi / 2)
    pool:step(1)
    local list = shots(pool)
    assert.same({ 2, 2 }, { list[1].x, list[1].y })
    assert.same({ -5, 6 }, { list[2].x, list[2].y })
    expect.near(1, list[2].vy)
  end)

  it("goes on when nobody holds it", function()
    pool:newEmitter({ cycle = 2 })
    collectgarbage()
    collectgarbage()
    pool:step(1)
    collectgarbage()
    pool:step(1)
    pool:step(1)
    assert.equal(2, pool:count())
  end)

  it("goes on when the pool is cleared", function()
    pool:newEmitter()
    pool:step(1)
    pool:clear()
    assert.equal(0, pool:count())
    assert.same({ 0, 1 }, { pool:step(1) })
  end)

  it("fires what moves from the next step on", function()
    pool:newEmitter({ x = 10, speed = 2, count = 1, model = broadside.newModel({ life = 2 }) })
    pool:step(1)
    assert.equal(10, shots(pool)[1].x)
    pool:step(1)
    assert.equal(12, shots(pool)[1].x)
    assert.equal(1, (pool:step(1)))
    assert.equal(0, pool:count())
  end)

  it("fires in the order in which emitters were made", function()
    for i = 1, 5 do
      pool:newEmitter({ x = i, count = i == 2 and 1 or -1 })
    end
    pool:step(1)
    assert.same({ 1, 0, 2, 0, 3, 0, 4, 0, 5, 0 }, (pool:collect()))
    pool:clear()
    pool:step(1)
    assert.same({ 1, 0, 3, 0, 4, 0, 5, 0 }, (pool:collect()))
  end)

  it("drops what a full pool has no room for", function()
    pool = broadside.newPool({ capacity = 5 })
    local emitter = pool:newEmitter({ nway = 3, nwayAngle = 1, cycle = 1, count = 3 })
    assert.same({ 0, 3 }, { pool:step(1) })
    assert.same({ 0, 2 }, { pool:step(1) })
    assert.same({ 0, 0 }, { pool:step(1) })
    assert.equal(4, pool:stats().dropped)
    assert.is_false(emitter:isActive())
    pool:newEmitter({ nway = 65535, circle = 65535, count = 1 })
    pool:step(1)
    assert.equal(4 + 65535 * 65535, pool:stats().dropped)
  end)
end)

describe("a model", function()
  local pool

  before_each(function()
    pool = broadside.newPool({ capacity = 1000, w = 7, h = 7 })
  end)

  it("gives its shots a speed, a tag, a life and an acceleration", function()
    local model = broadside.newModel({ speed = 3, tag = 9, life = 2, ax = 1, ay = -1 })
    pool:newEmitter({ model = model, count = 1 })
    pool:newEmitter({ model = model, count = 1, speed = 5 })
    pool:step(1)
    local list = shots(pool)
    assert.same({ 3, 5 }, { list[1].vx, list[2].vx })
    assert.equal(9, pool:getTag(list[1].id))
    pool:step(1)
    assert.same({ 4, -1, 4, -1 }, { pool:get(list[1].id) })
    assert.equal(2, (pool:step(1)))
  end)

  it("goes before the pool's options, and those of spawn before it", function()
    local model = broadside.newModel({ tag = 1, life = 1, ax = 5, mask = 2, w = 1 })
    local a = pool:spawn(0, 0, 0, 0, { model = model })
    local b = pool:spawn(0, 0, 0, 0, { model = model, tag = 2, life = 3, ax = 0 })
    assert.same({ 1, 2 }, { pool:getTag(a), pool:getTag(b) })
    assert.equal(1, (pool:step(1)))
    assert.is_false(pool:isAlive(a))
    assert.equal(0, (pool:get(b)))
  end)

  it("lets its movers fire, from where they are", function()
    local child = broadside.newModel({ speed = 0, tag = 2 })
    local parent = broadside.newModel({ tag = 1, speed = 10,
      emitters = { { x = 1, y = 2, delay = 1, cycle = 2, count = 2, model = child } } })
    pool:newEmitter({ count = 1, model = parent })
    local counts = {}
    for i = 1, 7 do
      pool:step(1)
      counts[i] = pool:count()
    end
    -- It is born in step 1, and its own steps are 2, 3, ... It fires in steps 3 and 5, before it
    -- moves.
    assert.same({ 1, 1, 2, 2, 3, 3, 3 }, counts)
    assert.same({ 60, 0, 11, 2, 31, 2 }, (pool:collect()))
  end)

  it("aims at an angle of the world, or of its movers' flight", function()
    local function fire(relative)
      pool:clear()
      local model = broadside.newModel({ emitters = { { angle = 0.25, speed = 1, count = 1,
        relative = relative, model = broadside.newModel({}) } } })
      pool:spawn(0, 0, 3 * math.cos(2), 3 * math.sin(2), { model = model })
      pool:step(1)
      return shots(pool)[2]
    end
    expect.near(math.cos(0.25), fire(false).vx)
    expect.near(math.cos(0.25), fire(nil).vx)
    expect.near(math.cos(2.25), fire(true).vx)
    expect.near(math.sin(2.25), fire(true).vy)
  end)

  it("fires exactly along the flight of its movers, if that is along an axis", function()
    local model = broadside.newModel({ emitters = { { speed = 2, count = 1, relative = true } } })
    for _, way in ipairs({ { 3, 0 }, { 0, 3 }, { 0, -3 }, { 0, 5e-324 }, { -1e308, 0 } }) do
      pool:clear()
      pool:spawn(0, 0, way[1], way[2], { model = model })
      pool:step(1)
      local shot = shots(pool)[2]
      local length = math.abs(way[1] + way[2])
      assert.same({ 2 * (way[1] / length), 2 * (way[2] / length) }, { shot.vx, shot.vy })
    end
  end)

  it("fires along x where its movers rest", function()
    local model = broadside.newModel({ emitters = { { speed = 2, count = 1, relative = true } } })
    pool:spawn(0, 0, -0.0, -0.0, { model = model })
    pool:step(1)
    local shot = shots(pool)[2]
    assert.same({ 2, 0 }, { shot.vx, shot.vy })
  end)

  it("may be nested to any depth", function()
    local model = broadside.newModel({ tag = 0 })
    for depth = 1, 2000 do
      model = broadside.newModel({ tag = depth, life = 1,
        emitters = { { count = 1, model = model } } })
    end
    pool:spawn(0, 0, 0, 0, { model = model })
    model = nil -- luacheck: no unused
    for step = 1, 2000 do
      assert.same({ 1, 1 }, { pool:step(1) })
      if step % 500 == 0 then
        collectgarbage()
      end
      assert.equal(2000 - step, pool:getTag(shots(pool)[1].id))
    end
    assert.same({ 0, 0 }, { pool:step(1) })
  end)

  it("may have many emitters, which fire in their order", function()
    local specs = {}
    for i = 1, 50 do
      specs[i] = { x = i, count = 1 }
    end
    pool:spawn(0, 0, 0, 0, { model = broadside.newModel({ emitters = specs }) })
    pool:step(1)
    local out, n = pool:collect()
    assert.equal(51, n)
    for i = 1, 50 do
      assert.equal(i, out[2 * i + 1])
    end
  end)

  it("that fires itself doubles, and fills the pool without hanging it", function()
    local model = broadside.newModel({ emitters = { { model = "self" } } })
    pool:spawn(0, 0, 0, 0, { model = model })
    for step = 1, 9 do
      assert.same({ 0, 2 ^ (step - 1) }, { pool:step(1) })
    end
    assert.same({ 0, 488 }, { pool:step(1) })
    assert.equal(1000, pool:count())
    assert.same({ 0, 0 }, { pool:step(1) })
    assert.equal(24 + 1000, pool:stats().dropped)
    local wild = broadside.newModel({ life = 5,
      emitters = { { model = "self", nway = 65535, circle = 65535 } } })
    pool:clear()
    pool:spawn(0, 0, 0, 0, { model = wild })
    for _ = 1, 20 do
      pool:step(1)
    end
    assert.is_true(pool:stats().dropped > 2 ^ 32)
  end)

  it("does not see later changes of its specs", function()
    local spec = { count = 1 }
    local model = broadside.newModel({ emitters = { spec } })
    spec.model, spec.nway = model, 5
    pool:spawn(0, 0, 0, 0, { model = model })
    assert.same({ 0, 1 }, { pool:step(1) })
  end)

  it("serves many pools", function()
    local model = broadside.newModel({ emitters = { { count = 1 } } })
    for _ = 1, 5 do
      local other = broadside.newPool({ capacity = 5 })
      other:spawn(0, 0, 0, 0, { model = model })
      assert.same({ 0, 1 }, { other:step(1) })
    end
    assert.equal("Model (2D, 1 emitters)", tostring(model))
  end)

  it("is let go by pools in which nothing refers to it", function()
    local weak = setmetatable({}, { __mode = "k" })
    for _ = 1, 10 do
      local model = broadside.newModel({ tag = 1, emitters = { {} } })
      weak[model] = true
      pool:clear()
      pool:spawn(0, 0, 0, 0, { model = model })
    end
    collectgarbage()
    collectgarbage()
    local n = 0
    for _ in pairs(weak) do
      n = n + 1
    end
    assert.equal(1, n)
  end)

  it("is let go while others move and fire without a model", function()
    local weak = setmetatable({}, { __mode = "k" })
    pool:newEmitter({ delay = 1000 })
    pool:spawn(0, 0, 0, 0)
    for _ = 1, 10 do
      local model = broadside.newModel({ life = 1 })
      local carrier = broadside.newModel({ life = 1, emitters = { { model = model } } })
      weak[model], weak[carrier] = true, true
      pool:newEmitter({ model = model, count = 1 })
      pool:spawn(0, 0, 0, 0, { model = carrier })
      pool:step(1)
      pool:step(1)
    end
    assert.same({ 1, 1 }, { pool:count(), pool:stats().emitters })
    pool:newEmitter({ model = broadside.newModel({}) })
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(weak))
  end)

  it("is not held by movers if it has no emitters", function()
    local weak = setmetatable({}, { __mode = "k" })
    pool:newEmitter({ delay = 1000 })
    for _ = 1, 10 do
      local model = broadside.newModel({ tag = 1 })
      weak[model] = true
      pool:spawn(0, 0, 0, 0, { model = model })
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(weak))
  end)
end)

describe("Angles that add up to no finite one", function()
  it("drop their shots", function()
    local pool = broadside.newPool({ capacity = 5 })
    pool:newEmitter({ angle = 1e308, nway = 3, nwayAngle = 1e308, speed = 1, count = 1 })
    assert.same({ 0, 2 }, { pool:step(1) })
    assert.equal(1, pool:stats().dropped)
    for id in pool:each() do
      local _, _, vx, vy = pool:get(id)
      assert.is_true(vx * vx + vy * vy < 2)
    end
  end)
end)

describe("errors of emitters and models", function()
  local NUMBER, COUNT = "finite number expected, got ", "integer from "
  local SPEC = {
    x = { NUMBER, nan, huge, "1", {} }, y = { NUMBER, "x" }, angle = { NUMBER, nan, true },
    speed = { NUMBER, nan, "x" }, nwayAngle = { NUMBER, huge, {} },
    delay = { COUNT, -1, 1.5, nan, "1", 2 ^ 31 }, cycle = { COUNT, 0, -1, 0.5, "1" },
    count = { COUNT, 1.5, nan, "1", 2 ^ 31 }, nway = { COUNT, 0, -1, 1.5, 65536, "1" },
    circle = { COUNT, 0, -1, 1.5, 65536, "1" },
    circleOdd = { "boolean expected, got ", 1, "true" },
  }
  local pool

  before_each(function()
    pool = broadside.newPool({ capacity = 5 })
  end)

  local function refused(first, second, f, ...)
    expect.refused({ first, second }, f, ...)
    assert.equal(0, pool:stats().emitters)
  end

  it("name each option of newEmitter", function()
    for name, row in pairs(SPEC) do
      for i = 2, #row do
        refused("bad argument #1 to 'newEmitter' (option '" .. name .. "': ", row[1],
          pool.newEmitter, pool, { [name] = row[i] })
      end
    end
    for _, bad in ipairs({ 1, "self", {}, pool, broadside.newModel({ dim = 3 }) }) do
      refused("bad argument #1 to 'newEmitter' (option 'model': ", "2D Model expected, got ",
        pool.newEmitter, pool, { model = bad })
    end
    refused("bad argument #1 to 'newEmitter'", "unknown option 'relative'", pool.newEmitter, pool,
      { relative = true })
    refused("bad argument #1 to 'newEmitter'", "unknown option 'z'", pool.newEmitter, pool,
      { z = 1 })
  end)

  it("name each option of the specs of a model", function()
    for name, row in pairs(SPEC) do
      for i = 2, #row do
        refused("bad argument #1 to 'newModel' (option 'emitters': item 2: option '" .. name
          .. "': ", row[1], broadside.newModel, { emitters = { {}, { [name] = row[i] } } })
      end
    end
    refused("(option 'emitters': item 1: option 'model': ",
      [[2D Model or "self" expected, got 'other')]],
      broadside.newModel, { emitters = { { model = "other" } } })
    refused("(option 'emitters': item 1: option 'relative': ", "boolean expected, got 1",
      broadside.newModel, { emitters = { { relative = 1 } } })
    refused("(option 'emitters': item 1: ", "unknown option 'foo'", broadside.newModel,
      { emitters = { { foo = 1 } } })
    refused("(option 'emitters': item 1: ", "table expected, got 5", broadside.newModel,
      { emitters = { 5 } })
    refused("(option 'emitters': ", "table expected, got ", broadside.newModel, { emitters = 1 })
  end)

  it("name each option of a model", function()
    refused("option 'model': ", "expected, got 'self'", broadside.newModel,
      { emitters = { { model = "self\0" } } })
    for name, bads in pairs({
      speed = { nan, "1" }, w = { -1, nan, "x" }, h = { -1, huge }, ax = { nan, {} }, ay = { "1" },
      life = { 0, -1, 1.5, "1" }, tag = { 1.5, "x" }, mask = { 2 ^ 32, "x" }, dim = { 4 },
    }) do
      for _, bad in ipairs(bads) do
        refused("bad argument #1 to 'newModel' (option '" .. name .. "': ", " expected, got ",
          broadside.newModel, { [name] = bad })
      end
    end
    refused("bad argument #1 to 'newModel'", "unknown option 'az'", broadside.newModel, { az = 1 })
    assert.is_truthy(broadside.newModel())
  end)
end)

describe("a pool's emitters", function()
  it("are found, and fire in the order in which they were added, when another one stops", function()
    for stopped = 1, 5 do
      local pool = broadside.newPool({ capacity = 100 })
      local emitters, expected = {}, {}
      for i = 1, 5 do
        emitters[i] = pool:newEmitter({ x = 10 * i, count = i + 1 })
        if i ~= stopped then
          expected[#expected + 1] = 10 * i
        end
      end
      emitters[stopped]:stop()
      for i = 1, 5 do
        assert.equal(i == stopped and 0 or i + 1, emitters[i]:getCount())
        assert.equal(i ~= stopped, emitters[i]:isActive())
      end
      pool:step(1)
      local got = {}
      for _, x in pool:each() do
        got[#got + 1] = x
      end
      assert.same(expected, got)
    end
  end)

  -- From 1.7e308, half of 1e308 is not finite.
  it("drop what would reach beyond the doubles", function()
    local pool = broadside.newPool({ capacity = 10, w = 1e308, h = 1 })
    pool:newEmitter({ x = 1.7e308, count = 1, nway = 3 })
    pool:newEmitter({ x = -1.7e308, count = 1 })
    pool:newEmitter({ x = 1e308, count = 1 })
    assert.same({ 0, 1 }, { pool:step(1) })
    assert.equal(4, pool:stats().dropped)
  end)

  it("keep the model of a mover that carries them, and not for longer", function()
    local pool = broadside.newPool({ capacity = 10 })
    local models = setmetatable({}, { __mode = "v" })
    local function spawn(opts)
      models[#models + 1] = broadside.newModel(opts)
      return pool:spawn(0, 0, 0, 0, { model = models[#models] })
    end
    local carrier = spawn({ emitters = { { speed = 7, delay = 1 } } })
    local first = setmetatable({ models[1] }, { __mode = "v" })
    local other = spawn({ emitters = { { delay = 100 } } })
    collectgarbage()
    collectgarbage()
    assert.is_truthy(first[1])
    pool:step(1)
    pool:step(1)
    assert.equal(3, pool:count()) -- it has fired
    pool:free(carrier)
    pool:free(other)
    spawn({ emitters = { { delay = 100 } } })
    collectgarbage()
    collectgarbage()
    assert.is_nil(first[1])
  end)
end)
