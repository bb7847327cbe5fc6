-- The bytes of getString can always be restored. After any changes of a world or a pool, with any
-- numbers, another world or pool can restore that state, and then writes the same bytes.

local broadside = require("broadside")
local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
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

function Maker:options()
  local rng = self.rng
  return { vx = self:number(), ay = self:number(), bounce = 0.5, response = rng:pick(NAMES),
    static = rng:chance(0.2), layer = rng:int(0, 7), sensor = rng:chance(0.2),
    gravityScale = rng:pick({ 1, 0 }) }
end

function Maker:scales()
  local list = self:sizes()
  list[1] = self.rng:chance(0.3) and -list[1] or list[1]
  return list
end

local SHAPES = {
  box = function() return "box" end,
  circle = function(m) return "circle", math.abs(m:number()) end,
  polygon = function(m) return "polygon", m:corners() end,
}

-- Any arguments for a word of calls.lua, from the maker and a box or the id of a mover, or nil.
-- Those without a word here take none, and end the arguments.
local WORDS = {
  P = Maker.vector, T = Maker.vector, G = Maker.vector, D = Maker.vector,
  S = Maker.sizes, ["S?"] = function(m) return m.rng:chance(0.5) and m:sizes() or nil end,
  ["A?"] = function(m) return m.rng:chance(0.7) and m:numbers(m.dim == 2 and 1 or 4) or nil end,
  ["C?"] = Maker.scales,
  ["N?"] = function(m) return ({ { 0, -1 }, { 0, -1, -0.0 } })[m.dim - 1] end,
  number = function(m) return { m:number() } end,
  aboveZero = function(m) return { math.abs(m:number()) } end,
  value = function(m) return { m:number() } end,
  boolean = function(m) return { m.rng:chance(0.5) } end,
  mask = function(m) return { m.rng:pick({ 0, 1, 2, 4, 7, -1, 4294967295 }) } end,
  shape = function(m) return { SHAPES[m.rng:pick({ "box", "circle", "polygon" })](m) } end,
  corners = function(m) return { m:corners() } end,
  outline = function(m) return { m:corners() } end,
  thickness = function(m) return { math.abs(m:number()) } end,
  rects = function(m) return { compat.concat(m:rect(), m:rect()) } end,
  goals = function(m) return { m:vector() } end,
  box = function(_, box) return { box } end, pile = function(_, box) return { box } end,
  boxes = function(_, box) return { { box } } end, piles = function(_, box) return { { box } } end,
  anyMover = function(_, id) return { id } end, mover = function(_, id) return { id } end,
  backend = function(m) return { m.rng:pick({ "brute", "sweep", "grid", "tree", "auto" }) } end,
  ["opts?"] = function(m) return { m:options() } end,
  ["spawnOpts?"] = function(m)
    return { { ax = m:number(), w = math.abs(m:number()), life = m.rng:int(1, 4),
      tag = m.rng:int(-9, 9) } }
  end,
  ["spec?"] = function(m)
    return { { x = m:number(), angle = m:number(), speed = m:number(), delay = m.rng:int(0, 2),
      cycle = m.rng:int(1, 2), count = m.rng:int(-1, 2), nway = m.rng:int(1, 2),
      nwayAngle = m:number() } }
  end,
}
WORDS.time = WORDS.number
for _, option in ipairs(properties.options) do
  WORDS["property:" .. option.option] = function(m) return { m.rng:pick(option.good) } end
end

function Maker:arguments(row, item)
  local list = {}
  for _, word in ipairs(row.words) do
    local more = WORDS[word] and WORDS[word](self, item)
    if not more then
      break
    end
    list = compat.concat(list, more)
  end
  return list
end

-- The rows of that class that change something, but for restore.
local function changesOf(class, dim)
  local list = {}
  for _, row in ipairs(calls.rowsOf(dim)) do
    list[#list + 1] = row.class == class and row.changes and row.name ~= "restore" and row or nil
  end
  return list
end

-- Asserts that `other` can restore the owner's bytes, and then writes the same bytes.
local function expectReadBack(owner, other, done)
  local bytes = owner:snapshot():getString()
  local ok, message = pcall(other.restore, other, bytes)
  if not ok then
    error(("after %s: %s"):format(table.concat(done, ", "), message), 0)
  end
  assert.is_true(other:snapshot():getString() == bytes, table.concat(done, ", "))
end

-- Calls the method of a row. A call that is refused must not change anything, either.
local function call(done, owner, row, list)
  local ok, result = pcall(owner[row.name], owner, unpack(list, 1, #list))
  done[#done + 1] = row.name .. (ok and "" or " (refused)")
  return ok, result
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

describe("what getString writes", function()
  local SEEDS = 25

  -- Some are chosen more often, because they have more cases.
  local OFTEN = { insertCircle = 4, insertPolygon = 4, setShape = 5, setObjectRect = 5,
    setTransform = 5, spawn = 5 }

  local function pickRow(rng, rows)
    local list = {}
    for _, row in ipairs(rows) do
      for _ = 1, OFTEN[row.name] or 1 do
        list[#list + 1] = row
      end
    end
    return rng:pick(list)
  end

  it("is never of a circle with an object rect of other sizes: that is refused", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local box = world:insertCircle(unpack({ 0, 0, 1, 1 }, 1, 1 + dim))
      box:setTransform(unpack({ 5, 5, dim == 2 and 0 or 5 }))
      local before = world:snapshot():getString()
      local rect = dim == 2 and { 0, 0, 2, 3 } or { 0, 0, 0, 2, 2, 3 }
      expect.message(("bad argument #%d to 'setObjectRect' (equal sizes expected of a circle, "
        .. "got 2 and 3)"):format(2 * dim), box.setObjectRect, box, unpack(rect))
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
      local ofWorld, ofBox = changesOf("World", dim), changesOf("Box", dim)
      for seed = 1, rounds do
        local m = newMaker(seed, dim)
        local world, other = broadside.newWorld({ dim = dim }), broadside.newWorld({ dim = dim })
        local done = { ("seed %d"):format(seed) }
        for _ = 1, 24 do
          local box = m.rng:pick(boxesOf(world))
          local isOfBox = box and m.rng:chance(0.6)
          local row = pickRow(m.rng, isOfBox and ofBox or ofWorld)
          local ok = call(done, isOfBox and box or world, row, m:arguments(row, box))
          accepted[row] = ok or accepted[row]
          expectReadBack(world, other, done)
        end
      end
      for _, row in ipairs(compat.concat(ofWorld, ofBox)) do
        assert.is_true(accepted[row] or rounds < SEEDS, row.name)
      end
    end)

    it(("reads back after any changes of a pool in %dD"):format(dim), function()
      local ofPool, ofEmitter = changesOf("Pool", dim), changesOf("Emitter", dim)
      for seed = 1, compat.rounds(SEEDS) do
        local m = newMaker(seed, dim)
        local pool = broadside.newPool({ dim = dim, capacity = 4 })
        local other = broadside.newPool({ dim = dim, capacity = 4 })
        local done, ids, emitters = { ("seed %d"):format(seed) }, {}, {}
        for _ = 1, 24 do
          local row = pickRow(m.rng, ofPool)
          local ok, made = call(done, pool, row, m:arguments(row, m.rng:pick(ids)))
          if ok and row.name == "spawn" then
            ids[#ids + 1] = made
          elseif ok and row.name == "newEmitter" then
            emitters[#emitters + 1] = made
          elseif #emitters > 0 then
            row = m.rng:pick(ofEmitter)
            call(done, m.rng:pick(emitters), row, m:arguments(row))
          end
          expectReadBack(pool, other, done)
        end
      end
    end)
  end
end)
