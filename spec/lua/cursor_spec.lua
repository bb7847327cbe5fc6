-- When a loop has ended, later calls reuse its memory. A script may still hold the iterator and the
-- state of that loop. These must not refer to anything, whatever later calls do.

local broadside = require("broadside")
local compat = require("spec.support.compat")

local collectAll, unpack = compat.collectAll, compat.unpack

-- A number for each axis: x, then `rest`.
local function vector(dim, x, rest)
  local list = { x }
  for i = 2, dim do
    list[i] = rest
  end
  return list
end

local function newWorld(dim)
  local world = broadside.newWorld({ dim = dim, results = "id" })
  for i = 0, 2 do
    local rect = compat.concat(vector(dim, i, 0), vector(dim, 2, 2))
    world:insert(compat.values(rect, { response = "cross", vx = 1 }))
  end
  world:step(1)
  return world
end

local function newPool(dim)
  local pool = broadside.newPool({ dim = dim, capacity = 3 })
  pool:spawn(unpack(compat.concat(vector(dim, -5, 0.5), vector(dim, 20, 0))))
  pool:step(1)
  return pool
end

-- Each call that returns a loop: the owner of the method, and its arguments from a World of its own
-- and that World's Box.
local LOOPS = {
  pairs = { "world" },
  boxes = { "world" },
  contacts = { "world", function()
    return { "all" }
  end },
  ["contacts of a box"] = { "box", function()
    return { "all", 3 }
  end },
  ["each of Contacts"] = { "listener", function()
    return { "all" }
  end },
  eachPair = { "world", function()
    return { function() end }
  end },
  each = { "pool" },
  hits = { "pool", function(_, other)
    return { other, 1 }
  end },
  hitsBox = { "pool", function(dim, _, box)
    return compat.concat({ box }, vector(dim, 1, 1))
  end },
  hitsRect = { "pool", function(dim)
    return compat.concat(compat.concat(vector(dim, 0, 0), vector(dim, 1, 1)), vector(dim, 1, 1))
  end },
}
LOOPS["hits of a step"] = { "world" }

local function none()
  return {}
end

local function methodOf(name)
  return name:match("^%a+")
end

local BAD = { false, "x", {}, compat.nan, -compat.huge, function()
  error("raised by the filter")
end }

-- Calls f(dim, name, makeArgs, owner, world, home) for each loop. The owner has the method; `world`
-- is the World that a Pool may hit, and `home` the World or Pool that the owner is, or is of.
local function eachLoop(f)
  for dim = 2, 3 do
    for name, loop in pairs(LOOPS) do
      local isPool = loop[1] == "pool"
      local home = isPool and newPool(dim) or newWorld(dim)
      local owner = home
      if loop[1] == "box" then
        local first, boxes = home:boxes()
        owner = first(boxes)
      elseif loop[1] == "listener" then
        owner = home:newContacts()
      end
      f(dim, name, loop[2] or none, owner, isPool and newWorld(dim) or nil, home)
    end
  end
end

-- The iterator and the state of a loop that has ended: over a World, or over the hits of a Pool.
local function endedLoop(owner, ...)
  local next, state = owner[... and "hits" or "pairs"](owner, ...)
  while next(state) ~= nil do -- luacheck: ignore
  end
  return next, state
end

-- Returns whether the call succeeds, with arguments of a World that nothing else refers to; `bad`
-- replaces argument `i`. It runs in a coroutine, because old slots of this stack would keep that
-- World alive.
local function callOnce(dim, name, makeArgs, owner, i, bad)
  return coroutine.wrap(function()
    local other = newWorld(dim)
    local first, boxes = other:boxes()
    local args = makeArgs(dim, other, first(boxes))
    local n = math.max(#args, i or 0)
    if i then
      args[i] = bad
    end
    return (pcall(owner[methodOf(name)], owner, unpack(args, 1, n)))
  end)()
end

describe("a loop that has ended", function()
  it("is over, whatever argument a later call of its World or Pool refuses", function()
    local refused = {}
    eachLoop(function(dim, name, makeArgs, owner, world, home)
      for i = 1, #makeArgs(dim, home, home) + 1 do
        for _, bad in ipairs(BAD) do
          local next, state = endedLoop(home, world)
          local ok = callOnce(dim, name, makeArgs, owner, i, bad)
          collectAll()
          if ok then -- the state may be that of the new loop, which keeps its World alive
            while next(state) ~= nil do -- luacheck: ignore
            end
          end
          assert.is_nil(next(state), name)
          refused[name] = (refused[name] or 0) + (ok and 0 or 1)
        end
      end
    end)
    for name, loop in pairs(LOOPS) do
      assert.equal(loop[2] ~= nil, refused[name] > 0, name)
    end
  end)

  it("is over for the filter function of a later call, whose hits it does not tell", function()
    for dim = 2, 3 do
      local pool, world = newPool(dim), newWorld(dim)
      pool:spawn(unpack(compat.concat(vector(dim, -5, 0.5), vector(dim, 20, 0))))
      pool:step(1)
      local next, state = endedLoop(pool, world)
      local asked, told = 0, 0
      for _ in pool:hits(world, function()
        asked = asked + 1
        assert.is_nil(next(state))
        for _ in pool:each() do -- reuses the waiting memory
          assert.is_nil(next(state))
        end
        return true
      end) do
        told = told + 1
      end
      assert.same({ 1, 1 }, { asked, told })
    end
  end)

  it("is over for a function that eachPair calls, and takes no pair from it", function()
    for dim = 2, 3 do
      local world = newWorld(dim)
      local next, state = endedLoop(world)
      for _ = 1, 3 do
        local seen = {}
        world:eachPair(function(a, b)
          seen[#seen + 1] = a .. "," .. b
          assert.is_nil(next(state))
          for _ in world:boxes() do -- luacheck: ignore
          end
        end)
        table.sort(seen)
        assert.equal(world:countPairs(), #seen)
        for i = 2, #seen do
          assert.not_equal(seen[i - 1], seen[i])
        end
      end
    end
  end)

  -- Only the call of the filter function keeps its World alive.
  it("keeps nothing alive", function()
    for dim = 2, 3 do
      local weak, pool = setmetatable({}, { __mode = "v" }), newPool(dim)
      local next, state
      coroutine.wrap(function()
        weak[1] = newWorld(dim)
        next, state = pool:hits(weak[1])
        while next(state) ~= nil do -- luacheck: ignore
        end
        pcall(pool.hits, pool, weak[1], "x")
        pcall(pool.hits, pool, weak[1], function() error("raised by the filter") end)
      end)()
      collectAll()
      assert.is_nil(weak[1])
      assert.is_nil(next(state))
    end
  end)
end)
