-- Random worlds, twice: in one of them LuaJIT's FFI answers what it can, in the other the ordinary
-- methods do. The same calls have the same answers, rows and errors, and leave the same world.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local ways = require("spec.support.ways")

if not ways.hasFFI then
  return
end

local jit = rawget(_G, "jit")
local pack = compat.pack
local RESPONSES = { "slide", "touch", "bounce", "push", "cross" }
local MOST = 40

-- A pair of worlds --------------------------------------------------------------------------------

local function newSide(way, options)
  local side = { way = way, world = broadside.newWorld(options), boxes = {}, lists = {} }
  for i = 1, 3 do
    side.lists[i] = {}
  end
  side.foreign = broadside.newWorld():insert(0, 0, 1, 1)
  return side
end

local function newPair(seed)
  local rng = random.new(seed)
  local coord, size = rng:pick(random.kinds).make(rng)
  local options = {
    backend = rng:pick({ "auto", "auto", "tree", "grid", "sweep", "brute" }),
    results = rng:pick({ "box", "id", "data" }),
    gravity = rng:chance(0.5) and { 0, 10 } or nil,
  }
  return {
    rng = rng, coord = coord, size = size, shapes = rng:chance(0.5), options = options,
    sides = { newSide(ways.fast, options), newSide(ways.ordinary, options) },
  }
end

-- What is drawn is drawn once, and gives a function of the side.
local function always(value)
  return function() return value end
end

-- Box i, as a Box or as an id; now and then one that was removed, or one of another world.
local function anyBox(pair)
  local rng = pair.rng
  local i, byId, isForeign = rng:int(1, MOST), rng:chance(0.4), rng:chance(0.02)
  return function(side)
    local entry = side.boxes[i]
    if isForeign or not entry then
      return side.foreign
    end
    return byId and entry.id or entry.box
  end
end

-- Filters and lists -------------------------------------------------------------------------------

local function anyMask(rng)
  return rng:pick({ true, 0, 1, 2, 3, 4, 7, -1, 2 ^ 31, 2 ^ 32 - 1 })
end

local function masks(rng)
  local filter = {}
  for _ = 1, rng:int(0, 3) do
    filter[rng:pick(RESPONSES)] = anyMask(rng)
  end
  if rng:chance(0.05) then
    filter[rng:pick({ "slides", 1, "cross" })] = rng:pick({ 1, "1", 0.5, 2 ^ 32 })
  end
  return always(filter)
end

-- It answers by the box that is met, and asks on its own, by the way of its side.
local function callback(pair)
  local rng = pair.rng
  local answers, other = {}, anyBox(pair)
  for i = 1, 4 do
    answers[i] = rng:pick({ "slide", "slide", "cross", "touch", "bounce", "push", false })
  end
  local mood, x, y = rng:pick({ "plain", "plain", "asks", "raises", "is wrong", "moves" }),
    pair.coord(1), pair.coord(2)
  return function(side)
    return function(a, b)
      local id = b or a
      id = type(id) == "userdata" and id:getId() or type(id) == "table" and id[1] or id
      local answer = answers[type(id) == "number" and id % 4 + 1 or 1]
      if mood == "asks" then
        local told = ways.tell(side.way.check, pack(side.world, other(side), x, y, 3))
        return told[4] and told[4] % 2 == 1 and "touch" or answer
      elseif mood == "raises" and not answer then
        error({ 1 })
      elseif mood == "is wrong" and not answer then
        return "slides"
      elseif mood == "moves" then
        local told = ways.tell(side.way.update, pack(side.world, other(side), x, y))
        return told[1] == "error" and answer or "cross"
      end
      return answer
    end
  end
end

local function anyFilter(pair)
  local rng = pair.rng
  local kind = rng:pick({ "none", "none", "mask", "masks", "masks", "box", "function", "wrong" })
  if kind == "mask" then
    local mask = anyMask(rng)
    return always(mask ~= true and mask or 1)
  elseif kind == "masks" then
    return masks(rng)
  elseif kind == "box" then
    local box = anyBox(pair)
    return function(side)
      local found = box(side)
      return type(found) == "userdata" and found or nil
    end
  elseif kind == "function" then
    return callback(pair)
  elseif kind == "wrong" and rng:chance(0.2) then
    return always(rng:pick({ "slide", 1.5, 2 ^ 32, compat.nan, io.stdout }))
  end
  return always(nil)
end

local function anyList(pair)
  local i, given = pair.rng:int(1, 3), pair.rng:chance(0.6)
  return function(side)
    return given and side.lists[i] or nil
  end
end

-- Calls -------------------------------------------------------------------------------------------

local function coordinate(pair, axis)
  local rng = pair.rng
  return always(rng:chance(0.02) and rng:pick({ compat.nan, compat.huge, "1", -1e308 })
    or pair.coord(axis))
end

local function theWorld(side)
  return side.world
end

local function sizes(pair)
  if pair.rng:chance(0.7) then
    return always(nil), always(nil)
  end
  local w = pair.size(1)
  return always(w), always(pair.rng:chance(0.5) and w or pair.size(2))
end

-- Each gives a name of a method that has two ways, and functions for its arguments.
local ASKS = {}

local function travel(name)
  return function(pair)
    return name, theWorld, anyBox(pair), coordinate(pair, 1), coordinate(pair, 2), anyFilter(pair),
      anyList(pair)
  end
end

ASKS.move, ASKS.check = travel("move"), travel("check")

function ASKS.touching(pair)
  local dx, dy = pair.rng:pick({ 0, 0, 1, -2 }), pair.rng:pick({ 0, 1, -1 })
  return "touching", theWorld, anyBox(pair), always(dx), always(dy), anyFilter(pair)
end

function ASKS.segmentCast(pair)
  return "segmentCast", theWorld, coordinate(pair, 1), coordinate(pair, 2), coordinate(pair, 1),
    coordinate(pair, 2), anyFilter(pair)
end

function ASKS.update(pair)
  return "update", theWorld, anyBox(pair), coordinate(pair, 1), coordinate(pair, 2), sizes(pair)
end

function ASKS.setRect(pair)
  return "setRect", anyBox(pair), coordinate(pair, 1), coordinate(pair, 2), sizes(pair)
end

function ASKS.getRect(pair)
  return "getRect", anyBox(pair)
end

local QUESTIONS = { "move", "move", "move", "check", "check", "touching", "segmentCast", "update",
  "setRect", "getRect" }

-- Changes by calls that have one way --------------------------------------------------------------

local function insertOptions(rng)
  return {
    static = rng:chance(0.4), layer = rng:pick({ 1, 1, 2, 4, 2 ^ 31 }),
    mask = rng:pick({ 2 ^ 32 - 1, 2 ^ 32 - 1, 1, 6 }), sensor = rng:chance(0.1),
    oneWay = rng:chance(0.15) and { 0, rng:pick({ -1, 1 }) } or nil,
    response = rng:pick({ nil, "slide", "bounce", "cross" }), bounce = rng:unit(),
    vx = rng:int(-2, 2), vy = rng:int(-2, 2),
  }
end

-- Returns a function of the side that inserts a box, or raises as both do.
local function insertion(pair)
  local rng, opts = pair.rng, insertOptions(pair.rng)
  local x, y, w, h = pair.coord(1), pair.coord(2), pair.size(1), pair.size(2)
  local data, i = rng:pick({ false, "text", 5, { 7 } }), rng:int(1, MOST)
  local shape = pair.shapes and rng:pick({ "circle", "polygon", "box", "box" }) or "box"
  local corners = shape == "polygon" and random.polygon(rng, x, y, w, h)
  opts.data = data
  return function(side)
    local world = side.world
    local box = shape == "circle" and world:insertCircle(x, y, w, opts)
      or shape == "polygon" and world:insertPolygon(corners, opts)
      or world:insert(x, y, w, h, opts)
    local id = type(box) == "number" and box or box:getId()
    side.boxes[i] = { box = world:getBox(id), id = id }
    return id
  end
end

local CHANGES = {
  function(rng)
    local on = rng:chance(0.5)
    return function(box) box:setStatic(on) end
  end,
  function(rng)
    local on = rng:chance(0.3)
    return function(box) box:setSensor(on) end
  end,
  function(rng)
    local layer, mask = rng:int(1, 7), rng:pick({ 1, 7, -1 })
    return function(box) box:setFilter(layer, mask) end
  end,
  function(rng)
    local ny = rng:pick({ 1, -1, false })
    return function(box)
      if ny then
        box:setOneWay(0, ny)
      else
        box:setOneWay(nil)
      end
    end
  end,
  function(rng)
    local data = rng:pick({ false, "other", 9 })
    return function(box) box:setData(data) end
  end,
  function()
    return function(box) box:remove() end
  end,
}

local OF_ALL = {
  function() return function(side) side.world:step(0.25) end end,
  function() return function(side) return side.world:countPairs() end end,
  function()
    return function(side)
      side.world:restore(side.world:snapshot())
    end
  end,
  function(rng)
    local i, row, field = rng:int(1, 3), rng:int(1, 3), rng:pick({ "t", "overlap", "other" })
    return function(side) -- a game may do what it likes with its rows
      local list = side.lists[i]
      if type(list[row]) == "table" then
        list[row][field] = nil
      end
      list[#list + 1] = "mine"
    end
  end,
  function(rng, pair)
    local box, x, y, i = anyBox(pair), pair.coord(1), pair.coord(2), rng:int(1, 3)
    return function(side) -- rows of another kind, in the same lists
      return (select(4, side.world:push(box(side), x, y, nil, side.lists[i])))
    end
  end,
}

local function change(pair)
  local rng = pair.rng
  if rng:chance(0.5) then
    return insertion(pair)
  elseif rng:chance(0.5) then
    local box, f = anyBox(pair), rng:pick(CHANGES)(rng)
    return function(side)
      local found = box(side)
      return f(type(found) == "number" and side.world:getBox(found) or found)
    end
  end
  return rng:pick(OF_ALL)(rng, pair)
end

-- Turns -------------------------------------------------------------------------------------------

local function question(pair)
  local drawn = pack(ASKS[pair.rng:pick(QUESTIONS)](pair))
  return function(side)
    local args = { n = drawn.n - 1 }
    for i = 2, drawn.n do
      args[i - 1] = drawn[i](side)
    end
    return ways.tell(side.way[drawn[1]], args)
  end, drawn[1]
end

local function turn(pair, what)
  local f, name
  if pair.rng:chance(0.3) then
    f, name = change(pair), "a change"
  else
    f, name = question(pair)
  end
  local told = {}
  for k, side in ipairs(pair.sides) do
    told[k] = ways.tell(f, pack(side))
  end
  assert.same(told[2], told[1], what .. name)
end

local function play(seed, turns, between)
  local pair = newPair(seed)
  for _ = 1, 12 do
    local f = insertion(pair)
    ways.tell(f, pack(pair.sides[1]))
    ways.tell(f, pack(pair.sides[2]))
  end
  for i = 1, turns do
    turn(pair, ("seed %d, turn %d: "):format(seed, i))
    between(i)
  end
  local a, b = pair.sides[1], pair.sides[2]
  local what = ("seed %d, at the end"):format(seed)
  assert.same(b.world:snapshot():getHash(), a.world:snapshot():getHash(), what)
  assert.same(ways.plain(b.lists), ways.plain(a.lists), what)
end

local function nothing()
end

describe("a random world", function()
  it("is the same with FFI and without", function()
    for _, seed in ipairs(random.seeds(60)) do
      play(seed, 120, nothing)
    end
  end)

  it("is so where all is compiled that has run twice", function()
    finally(function() jit.opt.start("hotloop=56", "hotexit=10") end)
    jit.opt.start("hotloop=2", "hotexit=2")
    for _, seed in ipairs(random.seeds(8)) do
      play(seed + 10000, 120, nothing)
    end
  end)

  it("is so with the compiler off", function()
    finally(function() jit.on() end)
    ways.interpret()
    for _, seed in ipairs(random.seeds(20)) do
      play(seed + 20000, 120, nothing)
    end
  end)

  it("is so in coroutines that take turns, while the collector is at work", function()
    local seeds, threads = random.seeds(6), {}
    for i, seed in ipairs(seeds) do
      threads[i] = coroutine.create(function()
        play(seed + 30000, 120, function(k)
          if k % 8 == 0 then
            collectgarbage("step", 20)
          end
          coroutine.yield()
        end)
      end)
    end
    local running = #threads
    while running > 0 do
      running = 0
      for _, thread in ipairs(threads) do
        if coroutine.status(thread) ~= "dead" then
          assert(coroutine.resume(thread))
          running = running + 1
        end
      end
    end
  end)
end)
