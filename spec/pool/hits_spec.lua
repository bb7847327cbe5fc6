-- What movers hit, and the behaviour of the loops; in 2D and 3D. (The fuzz target compares the hits
-- of random movers with plain loops.)

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local plane = require("spec.support.plane")
local random = require("spec.support.random")

local unpack, values = compat.unpack, compat.values
local V, R = plane.vector, plane.rect

local function spawn(pool, p, v, opts)
  return pool:spawn(values(compat.concat(p, v), opts))
end

-- The rows of an iterator as lists.
local function rows(f, state, control)
  local list = {}
  while true do
    local row = { f(state, control) }
    control = row[1]
    if control == nil then
      return list
    end
    list[#list + 1] = row
  end
end

for dim = 2, 3 do
  describe(("hits in %dD"):format(dim), function()
    local world, pool, wall

    before_each(function()
      world = broadside.newWorld({ dim = dim })
      wall = world:insert(values(R(dim, 10, 0, 1, 10), { data = "wall" }))
      pool = broadside.newPool({ dim = dim, capacity = 20, w = 2, h = 2 })
    end)

    it("say which mover hit which box, when, where, and the normal", function()
      local id = spawn(pool, V(dim, 0, 5), V(dim, 1000, 0))
      pool:step(1)
      local normal = V(dim, -1, 0)
      assert.same({ compat.concat(compat.concat({ id, wall, 0.009 }, V(dim, 9, 5)), normal) },
        rows(pool:hits(world)))
    end)

    it("are only those of the last step", function()
      spawn(pool, V(dim, 0, 5), V(dim, 100, 0))
      assert.equal(0, #rows(pool:hits(world)))
      pool:step(1)
      assert.equal(1, #rows(pool:hits(world)))
      assert.equal(1, #rows(pool:hits(world)))
      pool:step(1)
      assert.equal(0, #rows(pool:hits(world)))
    end)

    it("are at t = 0 where a mover has not moved", function()
      local id = spawn(pool, V(dim, 10.5, 5), V(dim, 100, 0))
      local row = rows(pool:hits(world))[1]
      assert.same({ compat.concat(compat.concat({ id, wall, 0 }, V(dim, 10.5, 5)), V(dim, 0, 0)) },
        { row })
      pool:step(1)
      pool:set(id, values(compat.concat(V(dim, -50, 5), V(dim, 1, 0))))
      assert.equal(0, #rows(pool:hits(world)))
    end)

    it("follow the mask of pool, model and mover", function()
      local function hitsOf(poolMask, modelMask, mask, layer)
        local p = broadside.newPool({ dim = dim, capacity = 1, mask = poolMask })
        wall:setFilter(layer, 1)
        spawn(p, V(dim, 0, 5), V(dim, 100, 0), { mask = mask,
          model = broadside.newModel({ dim = dim, mask = modelMask }) })
        p:step(1)
        local n = #rows(p:hits(world))
        assert.equal(n, #rows(p:hitsBox(wall)))
        assert.equal(1, #rows(p:hitsRect(unpack(R(dim, 10, 0, 1, 10)))))
        return n
      end
      assert.equal(1, hitsOf(nil, nil, nil, 8))
      assert.equal(0, hitsOf(nil, nil, nil, 0))
      assert.equal(0, hitsOf(2, nil, nil, 8))
      assert.equal(1, hitsOf(2, 8, nil, 8))
      assert.equal(0, hitsOf(2, 8, 1, 8))
      assert.equal(1, hitsOf(0, 0, 12, 8))
      assert.equal(0, hitsOf(nil, 0, nil, 8))
      assert.equal(1, hitsOf(nil, nil, -2147483648, 2147483648))
    end)

    it("ask a filter function about each box on the way, with the mover's id", function()
      local second = world:insert(unpack(R(dim, 20, 0, 1, 10)))
      world:insert(unpack(R(dim, 30, 0, 1, 10)))
      local id = spawn(pool, V(dim, 0, 5), V(dim, 100, 0))
      pool:step(1)
      local asked = {}
      local list = rows(pool:hits(world, function(box, mover)
        asked[#asked + 1] = box
        assert.equal(id, mover)
        return box == second
      end))
      assert.same({ wall, second }, asked)
      assert.equal(second, list[1][2])
      assert.equal(1, #list)
      assert.equal(0, #rows(pool:hits(world, function() end)))
    end)

    it("are the same if the filter function asks for others meanwhile, or fails to", function()
      for y = 2, 8, 3 do
        spawn(pool, V(dim, 0, y), V(dim, 1000, 0))
      end
      pool:step(1)
      local alone = rows(pool:hits(world))
      local within = {}
      local all = rows(pool:hits(world, function()
        pcall(pool.hits, pool, world, error, true)
        within[#within + 1] = rows(pool:hits(world, function() return true end))
        within[#within + 1] = rows(pool:hitsBox(wall))
        return true
      end))
      assert.equal(3, #alone)
      assert.same(alone, all)
      assert.equal(6, #within)
      for i = 1, 6, 2 do
        assert.same(alone, within[i])
        assert.equal(3, #within[i + 1])
      end
    end)

    it("are all boxes that a mover hit, until the loop frees it", function()
      local second = world:insert(unpack(R(dim, 20, 0, 1, 10)))
      local third = world:insert(unpack(R(dim, 30, 0, 1, 10)))
      local id = spawn(pool, V(dim, 0, 5), V(dim, 100, 0))
      pool:step(1)
      local function met(...)
        local list = {}
        for mover, box in pool:hits(world, ...) do
          assert.equal(id, mover)
          list[#list + 1] = box
        end
        return list
      end
      assert.same({ wall, second, third }, met(nil, true))
      assert.same({ wall, third }, met(second, true))
      assert.same({ wall }, met(nil, false))
      assert.same({ second, third }, met(function(box, mover)
        return mover == id and box ~= wall
      end, true))
      local list = {}
      for mover, box in pool:hits(world, nil, true) do
        list[#list + 1] = box
        if box == second then
          pool:free(mover)
        end
      end
      assert.same({ wall, second }, list)
      pool:free(spawn(pool, V(dim, 0, 5), V(dim, 100, 0)))
      spawn(pool, V(dim, 0, 5), V(dim, 100, 0))
      pool:step(1)
      -- getFilter also returns a mask, which becomes the next argument, and is not true.
      assert.equal(1, #rows(pool:hits(world, wall:getFilter())))
    end)

    -- What is told of a shot that pierces in each of its steps. `change` is called after each.
    local function tellOf(x, change, filter)
      local boxes = {
        [world:insert(unpack(R(dim, 20, 0, 25, 10)))] = "a",
        [world:insert(unpack(R(dim, 30, 0, 50, 10)))] = "b",
      }
      local id = spawn(pool, V(dim, x, 5), V(dim, 10, 0), { life = 8 })
      local told = {}
      for step = 1, 8 do
        pool:step(1)
        change(id, step)
        local met = ""
        for _, box in pool:hits(world, filter or wall, true) do
          met = met .. (boxes[box] or "?")
        end
        told[step] = met
      end
      for box in pairs(boxes) do
        box:remove()
      end
      return table.concat(told, " ")
    end

    it("that pierce tell of a box once, however long the shot is in it", function()
      assert.equal("a b      ", tellOf(12, function() end))
    end)

    it("that pierce tell of what the shot was fired in", function()
      assert.equal("ab       ", tellOf(35, function() end))
      assert.equal("b       ", tellOf(60, function() end))
    end)

    it("that pierce tell of what a shot was fired in after its first step alone", function()
      local function tell()
        return #rows(pool:hits(world, nil, true))
      end
      world:clear()
      world:insert(values(R(dim, 0, 0, 30, 10)))
      pool:newEmitter({ x = 12, y = 5, speed = 4, count = 1 })
      local told = {}
      for step = 1, 4 do
        pool:step(1)
        told[step] = tell()
      end
      assert.same({ 0, 1, 0, 0 }, told) -- the first step only fires it
      pool:clear()
      spawn(pool, V(dim, 12, 5), V(dim, 4, 0))
      assert.same({ 0, 1 }, { tell(), #rows(pool:hits(world)) })
      pool:step(1)
      assert.equal(1, tell())
      pool:step(1)
      assert.equal(0, tell())
    end)

    -- Steps end where sides are, but for rounding: two steps could see a shot come in, or none.
    it("that pierce tell of a box once, wherever the steps end", function()
      local targets = {
        function(x, w)
          world:insert(values(R(dim, x, -1, w, 2)))
        end,
        function(x, w)
          world:insertCircle(values(compat.concat(V(dim, x + w / 2, 0), { w / 2 })))
        end,
        dim == 2 and function(x, w)
          world:insertPolygon({ x, -1, x + w, -1.5, x + w, 1.5, x, 1 })
        end or nil,
      }
      for _, unit in ipairs({ 0.1, 0.3, 1 / 3, 1 / 60 }) do
        for _, target in ipairs(targets) do
          for i = 5, 30, 5 do
            world:clear()
            pool:clear()
            target(i * unit, 7 * unit)
            local told, ids = {}, {}
            for _, size in ipairs({ 0, unit, 0.2 }) do
              for _, speed in ipairs({ 0.5, 1, 2, 3, 7 }) do
                local velocity = V(dim, speed * unit, 0)
                local id = spawn(pool, V(dim, 0, 0), velocity, { w = size, h = size })
                told[id], ids[#ids + 1] = 0, id
              end
            end
            local times = 4 * (i + 7) + math.ceil(2 / unit)
            for _ = 1, times do
              pool:step(0.5)
              for id in pool:hits(world, nil, true) do
                told[id] = told[id] + 1
              end
            end
            for _, id in ipairs(ids) do
              assert.equal(1, told[id])
            end
          end
        end
      end
    end)

    it("that pierce do not ask about what the shot is already in", function()
      local asked = 0
      assert.equal("a b      ", tellOf(12, function() end, function()
        asked = asked + 1
        return true
      end))
      assert.equal(2, asked)
    end)

    it("that pierce are the same after each step is taken back and done again", function()
      local function restore()
        pool:restore(pool:snapshot():getString())
      end
      assert.equal("a b      ", tellOf(12, restore))
      assert.equal("ab       ", tellOf(35, restore))
      -- Put somewhere else, it is no new shot.
      assert.equal("ab       ", tellOf(35, function(id, step)
        if step == 3 then
          pool:set(id, values(compat.concat(V(dim, 55, 5), V(dim, 1, 0))))
          restore()
          pool:step(1)
          restore()
        end
      end))
    end)

    it("that pierce tell a new shot, put somewhere, from one that had its slot", function()
      local id
      local function shoot()
        pool:clear()
        id = spawn(pool, V(dim, 10, 5), V(dim, 1, 0))
        pool:step(1)
      end
      for _, restore in ipairs({ function() end, function()
        pool:restore(pool:snapshot():getString())
      end }) do
        shoot()
        assert.equal(1, #rows(pool:hits(world, nil, true)))
        shoot() -- into the same slot, in which the one before has met the wall
        pool:set(id, values(compat.concat(V(dim, 10, 5), V(dim, 1, 0))))
        restore()
        local row = rows(pool:hits(world, nil, true))[1] or {}
        assert.same({ id, wall }, { row[1], row[2] })
      end
    end)

    it("return the world's kind of results", function()
      for _, results in ipairs({ "id", "data", "box" }) do
        local other = broadside.newWorld({ dim = dim, results = results })
        local box = other:insert(values(R(dim, 10, 0, 1, 10), { data = "wall" }))
        pool:clear()
        spawn(pool, V(dim, 0, 5), V(dim, 100, 0))
        pool:step(1)
        local expected = results == "data" and "wall" or box
        assert.equal(expected, rows(pool:hits(other))[1][2])
        assert.equal(expected, (function()
          local seen
          pool:hits(other, function(got) seen = got end)
          return seen
        end)())
      end
    end)

    it("with a Box are refused where its far side would not be finite", function()
      expect.refused("bad argument #2 to 'hitsBox' (finite far side", pool.hitsBox, pool,
        world:insert(unpack(R(dim, 1e308, 0, 1e307, 1))), unpack(V(dim, -1.7e308, 0)))
    end)

    it("with a Box that moves are those of the relative motion", function()
      local id = spawn(pool, V(dim, 0, 5), V(dim, 10, 0))
      pool:step(1)
      assert.equal(0, #rows(pool:hitsBox(world:insert(unpack(R(dim, 20, 0, 1, 10))))))
      -- The box came from x = 40 to 5, through the mover.
      local box = world:insert(unpack(R(dim, 5, 0, 1, 10)))
      local list = rows(pool:hitsBox(box, unpack(V(dim, -35, 0))))
      assert.equal(id, list[1][1])
      local t = 39 / 45
      assert.is_true(math.abs(t - list[1][2]) < 1e-12)
      assert.is_true(math.abs(10 * t - list[1][3]) < 1e-12)
      assert.equal(-1, list[1][3 + dim])
      -- This one flew ahead of the mover at the same speed.
      assert.equal(0, #rows(pool:hitsRect(values(R(dim, 12, 0, 1, 10), unpack(V(dim, 10, 0))))))
    end)

    it("agree with the sweep of two boxes, wherever both come from", function()
      for _, seed in ipairs(random.seeds(10)) do
        local rng = random.new(seed)
        local function vector(most)
          local v = {}
          for i = 1, dim do
            v[i] = rng:int(-most, most) / 2
          end
          return v
        end
        pool:clear()
        local movers = {}
        for i = 1, 19 do
          movers[i] = { p = vector(20), v = vector(20) }
          movers[i].id = spawn(pool, movers[i].p, movers[i].v)
        end
        pool:step(1)
        local box, way = vector(20), vector(20)
        local size, from, found = {}, {}, {}
        for i = 1, dim do
          size[i], from[i] = rng:int(1, 6), box[i] - way[i]
        end
        for _, mover in ipairs(movers) do
          local lo, extent = {}, {}
          for i = 1, dim do
            extent[i] = dim == 3 and i == 3 and 0 or 2
            lo[i] = mover.p[i] - extent[i] / 2
          end
          local args = compat.concat(compat.concat(lo, extent), mover.v)
          args = compat.concat(args, compat.concat(compat.concat(from, size), way))
          local t = broadside["sweep" .. (dim == 3 and "3" or "")](unpack(args))
          if t then
            found[#found + 1] = { mover.id, t }
          end
        end
        local got = rows(pool:hitsRect(values(compat.concat(box, size), unpack(way))))
        for i, row in ipairs(got) do
          got[i] = { row[1], row[2] }
        end
        assert.same(found, got)
      end
    end)

    it("keep pool and world alive", function()
      spawn(pool, V(dim, 0, 5), V(dim, 100, 0))
      pool:step(1)
      local f, state = pool:hits(world)
      wall, pool, world = nil, nil, nil
      collectgarbage()
      collectgarbage()
      local _, box = f(state)
      assert.equal("wall", box:getData())
      assert.is_nil(f(state))
    end)
  end)
end

describe("iterators of a pool", function()
  it("give nothing at their end, also when the world is gone", function()
    local pool = broadside.newPool({ capacity = 1 })
    pool:spawn(-5, 5, 10, 0)
    pool:step(1)
    local world = broadside.newWorld()
    world:insert(0, 0, 10, 10)
    local weak = setmetatable({ world }, { __mode = "v" })
    local f, state = pool:hits(world)
    assert.is_number((f(state)))
    assert.is_nil((f(state)))
    world = nil -- luacheck: ignore
    for _ = 1, 3 do
      collectgarbage()
    end
    assert.is_nil(weak[1])
    assert.is_nil((f(state)))
  end)

  it("do no harm with each other's states", function()
    local world = broadside.newWorld()
    world:insert(0, 0, 10, 10)
    local pool = broadside.newPool({ capacity = 100 })
    for _ = 1, 50 do
      pool:spawn(-5, 5, 10, 0)
    end
    pool:step(1)
    local loops = {
      function() return pool:each() end,
      function() return pool:hits(world) end,
      function() return pool:hitsRect(0, 0, 9, 9) end,
      function() return pool:hitsRect(500, 500, 1, 1) end,
    }
    for _, one in ipairs(loops) do
      for _, other in ipairs(loops) do
        local next = one()
        local _, state = other()
        for _ = 1, 60 do
          pcall(next, state)
        end
      end
    end
    assert.equal(50, pool:count())
  end)
end)

describe("boxes that a mover does not meet", function()
  local function firstHit(options, near, far)
    local world = broadside.newWorld({ results = "data" })
    world:insert(10, -5, 10, 10, near)
    world:insert(30, -5, 10, 10, far)
    local pool = broadside.newPool(options)
    pool:spawn(0, 0, 100, 0)
    pool:step(1)
    local next, state = pool:hits(world)
    local _, what, t = next(state)
    return what, t
  end

  it("do not hide what is behind them", function()
    local what, t = firstHit({ capacity = 1, mask = 1 }, { layer = 2, data = "near" },
      { layer = 1, data = "far" })
    assert.equal("far", what)
    assert.equal(0.3, t)
    what = firstHit({ capacity = 1 }, { layer = 0, data = "near" }, { data = "far" })
    assert.equal("far", what)
  end)
end)
