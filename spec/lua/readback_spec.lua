-- The bytes of getString can always be restored. After any changes of a world or a pool, with any
-- numbers, another world or pool can restore that state, and then writes the same bytes.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local properties = require("spec.support.properties")
local random = require("spec.support.random")

local unpack = compat.unpack

-- Numbers as in games, and numbers at the limits of doubles.
local ORDINARY = { 0, 1, -1, 2, 3, 0.5, -2.5, 7, 10 }
local EXTREME = { 0.0, -0.0, compat.minDouble, -compat.minDouble, 1e-300, 1e-17, 0.1, 1 / 3, 1e9,
  2 ^ 53, 1e15 + 0.125, 1e154, -1e154, 1e300, -1e300, compat.maxDouble, -compat.maxDouble }
local NAMES = { "slide", "touch", "bounce", "cross" }

local Maker = {}
Maker.__index = Maker

function Maker:number()
  local rng = self.rng
  if rng:chance(self.wild) then
    return rng:pick(EXTREME)
  end
  return rng:chance(0.5) and rng:pick(ORDINARY) or rng:real(-8, 8)
end

function Maker:numbers(n)
  local list = {}
  for i = 1, n do
    list[i] = self:number()
  end
  return list
end

function Maker:vector()
  return self:numbers(self.dim)
end

-- Sizes that are often equal, as those of a circle are.
function Maker:sizes()
  local list = {}
  for i = 1, self.dim do
    list[i] = i > 1 and self.rng:chance(0.5) and list[1] or math.abs(self:number())
  end
  return list
end

function Maker:rect()
  return compat.concat(self:vector(), self:sizes())
end

function Maker:corners()
  if self.rng:chance(0.5) then
    local x, y, r = self:number(), self:number(), math.abs(self:number())
    local n, list = self.rng:int(3, 16), {}
    for i = 1, n do
      local angle = 2 * math.pi * i / n
      list[2 * i - 1], list[2 * i] = x + r * math.cos(angle), y + r * math.sin(angle)
    end
    return list
  end
  return self:numbers(6)
end

-- Makes any arguments of a method, by its name.
local ARGUMENTS = {
  setRect = function(m) return m.rng:chance(0.5) and m:rect() or m:vector() end,
  setCenter = Maker.vector,
  setVelocity = Maker.vector,
  setAcceleration = Maker.vector,
  setData = function(m) return { m:number() } end,
  setStatic = function(m) return { m.rng:chance(0.5) } end,
  setFilter = function(m) return { m.rng:int(0, 7), m.rng:pick({ 0, 1, -1, 4294967295 }) } end,
  setObjectRect = Maker.rect,
  setRotates = function(m) return { m.rng:chance(0.5) } end,
  setTransform = function(m)
    local list = compat.concat(m:vector(), m:numbers(m.dim == 2 and 1 or 4))
    local scales = m:sizes()
    scales[1] = m.rng:chance(0.3) and -scales[1] or scales[1]
    return m.rng:chance(0.3) and m:vector() or compat.concat(list, scales)
  end,
  setShape = function(m)
    return m.rng:pick({ { "box" }, { "circle", math.abs(m:number()) },
      { "polygon", m:corners() } })
  end,
}
for _, method in ipairs(properties.methods) do
  ARGUMENTS[method.setter] = function(m)
    local is3D = method.setter == "setOneWay" and m.dim == 3
    return is3D and { 0, -1, -0.0 } or m.rng:pick(method.good)
  end
end

-- Everything that changes a world, as w[name](w, ...). Each takes the maker, and one of the world's
-- boxes or nil.
local CHANGES = {
  insert = function(m)
    return compat.concat(m:rect(), { { vx = m:number(), ay = m:number(), bounce = 0.5,
      response = m.rng:pick(NAMES), static = m.rng:chance(0.2), layer = m.rng:int(0, 7),
      sensor = m.rng:chance(0.2), gravityScale = m.rng:pick({ 1, 0 }) } })
  end,
  insertCircle = function(m) return compat.concat(m:vector(), { math.abs(m:number()) }) end,
  insertPolygon = function(m) return { m:corners() } end,
  insertMany = function(m) return { compat.concat(m:rect(), m:rect()) } end,
  remove = function(_, box) return { box } end,
  update = function(m, box) return compat.concat({ box }, ARGUMENTS.setRect(m)) end,
  updateMany = function(m, box) return { { box }, m:vector() } end,
  move = function(m, box) return compat.concat({ box }, m:vector()) end,
  push = function(m, box) return compat.concat({ box }, m:vector()) end,
  step = function(m) return { m:number() } end,
  setGravity = Maker.vector,
  clear = function() return {} end,
  contacts = function() return {} end,
  trim = function() return {} end,
  setBackend = function(m) return { m.rng:pick({ "brute", "sweep", "grid", "tree", "auto" }) } end,
}

local POOL_CHANGES = {
  spawn = function(m)
    return compat.concat(compat.concat(m:vector(), m:vector()), { { ax = m:number(),
      w = math.abs(m:number()), life = m.rng:int(1, 4), tag = m.rng:int(-9, 9) } })
  end,
  set = function(m, id) return compat.concat({ id }, compat.concat(m:vector(), m:vector())) end,
  free = function(_, id) return { id } end,
  step = function(m) return { m:number() } end,
  newEmitter = function(m)
    return { { x = m:number(), angle = m:number(), speed = m:number(), delay = m.rng:int(0, 2),
      cycle = m.rng:int(1, 2), count = m.rng:int(-1, 2), nway = m.rng:int(1, 2),
      nwayAngle = m:number() } }
  end,
  clear = function() return {} end,
  trim = function() return {} end,
}

-- Asserts that `other` can restore the owner's bytes, and then writes the same bytes.
local function expectReadBack(owner, other, done)
  local bytes = owner:snapshot():getString()
  local ok, message = pcall(other.restore, other, bytes)
  if not ok then
    error(("after %s: %s"):format(table.concat(done, ", "), message), 0)
  end
  assert.is_true(other:snapshot():getString() == bytes, table.concat(done, ", "))
end

-- Calls the method. A call that is refused must not change anything, either.
local function call(done, owner, name, list)
  local ok = pcall(owner[name], owner, unpack(list, 1, #list))
  done[#done + 1] = name .. (ok and "" or " (refused)")
  return ok
end

local function newMaker(seed, dim)
  local rng = random.new(seed)
  return setmetatable({ rng = rng, dim = dim, wild = rng:pick({ 0, 0.1, 0.5 }) }, Maker)
end

local function boxesOf(world)
  local list = {}
  for box in world:boxes() do
    list[#list + 1] = box
  end
  return list
end

local function namesOf(list)
  local names = {}
  for name in pairs(list) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

describe("what getString writes", function()
  local SEEDS = 25
  local SETTERS, WORLD, POOL = namesOf(ARGUMENTS), namesOf(CHANGES), namesOf(POOL_CHANGES)

  -- Shapes and transforms are chosen more often, because they have more cases.
  local function pickName(rng, box)
    if not box or rng:chance(0.4) then
      return rng:chance(0.3) and rng:pick({ "insertCircle", "insertPolygon" }) or rng:pick(WORLD)
    end
    return rng:chance(0.4) and rng:pick({ "setShape", "setObjectRect", "setTransform" })
      or rng:pick(SETTERS)
  end

  it("is tried after each setter that Boxes have", function()
    local box = broadside.newWorld():insert(0, 0, 1, 1)
    for name in pairs(debug.getmetatable(box).__index) do
      assert.is_true(not name:find("^set") or ARGUMENTS[name] ~= nil, name)
    end
  end)

  it("is never of a circle with an object rect of other sizes: that is refused", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local box = world:insertCircle(unpack({ 0, 0, 1, 1 }, 1, 1 + dim))
      box:setTransform(unpack({ 5, 5, dim == 2 and 0 or 5 }))
      local before = world:snapshot():getString()
      local rect = dim == 2 and { 0, 0, 2, 3 } or { 0, 0, 0, 2, 2, 3 }
      local ok, message = pcall(box.setObjectRect, box, unpack(rect))
      assert.is_false(ok)
      assert.equal(("bad argument #%d to 'setObjectRect' "):format(2 * dim) ..
        "(equal sizes expected of a circle, got 2 and 3)", message)
      assert.is_true(world:snapshot():getString() == before)
      rect[2 * dim] = 2
      box:setObjectRect(unpack(rect))
      box:setTransform(unpack({ 5, 5, dim == 2 and 0 or 5 }))
      broadside.newWorld({ dim = dim }):restore(world:snapshot():getString())
      assert.equal("circle", (box:getShape()))
      box:setShape("box")
      rect[2 * dim] = 3
      box:setObjectRect(unpack(rect)) -- a box may have unequal sizes
    end
  end)

  for dim = 2, 3 do
    it(("reads back after any changes of a world in %dD"):format(dim), function()
      local accepted, rounds = {}, compat.rounds(SEEDS)
      for seed = 1, rounds do
        local m = newMaker(seed, dim)
        local world, other = broadside.newWorld({ dim = dim }), broadside.newWorld({ dim = dim })
        local done = { ("seed %d"):format(seed) }
        for _ = 1, 24 do
          local box = m.rng:pick(boxesOf(world))
          local name = pickName(m.rng, box)
          if ARGUMENTS[name] then
            accepted[name] = call(done, box, name, ARGUMENTS[name](m)) or accepted[name]
          else
            accepted[name] = call(done, world, name, CHANGES[name](m, box)) or accepted[name]
          end
          expectReadBack(world, other, done)
        end
      end
      for _, name in ipairs(compat.concat(SETTERS, WORLD)) do
        local never = dim == 3 and name == "insertPolygon"
        assert.is_true(accepted[name] or never or rounds < SEEDS, name)
      end
    end)

    it(("reads back after any changes of a pool in %dD"):format(dim), function()
      for seed = 1, compat.rounds(SEEDS) do
        local m = newMaker(seed, dim)
        local pool = broadside.newPool({ dim = dim, capacity = 4 })
        local other = broadside.newPool({ dim = dim, capacity = 4 })
        local done, ids, emitters = { ("seed %d"):format(seed) }, {}, {}
        for _ = 1, 24 do
          local name = m.rng:chance(0.4) and "spawn" or m.rng:pick(POOL)
          local list = POOL_CHANGES[name](m, m.rng:pick(ids))
          local ok, made = pcall(pool[name], pool, unpack(list, 1, #list))
          done[#done + 1] = name
          if ok and name == "spawn" then
            ids[#ids + 1] = made
          elseif ok and name == "newEmitter" then
            emitters[#emitters + 1] = made
          elseif #emitters > 0 then
            local emitter = m.rng:pick(emitters)
            call(done, emitter, "setPosition", m:vector())
            call(done, emitter, "setAngle", m:numbers(1))
          end
          expectReadBack(pool, other, done)
        end
      end
    end)
  end
end)
