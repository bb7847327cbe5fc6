-- Shots that pierce, among boxes that move: each tells of a box once, until it has not met it for a
-- whole step. A plain loop says what is right.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local plane = require("spec.support.plane")
local random = require("spec.support.random")

local values = compat.values
local V, R = plane.vector, plane.rect

-- Whether a rect that moves by `way` meets another one for some time: both are lists of numbers,
-- first the lower corner, then the size. (Numbers that are not round never only touch.)
local function meets(dim, rect, way, other)
  local from, to = 0, 1
  for k = 1, dim do
    local enter = other[k] - (rect[k] + rect[dim + k])
    local leave = other[k] + other[dim + k] - rect[k]
    if way[k] < 0 then
      enter, leave = leave, enter
    end
    from, to = math.max(from, enter / way[k]), math.min(to, leave / way[k])
  end
  return from < to
end

-- A game of random shots and boxes, and beside it what it should be, in plain tables.
local Game = {}
Game.__index = Game

local function newGame(dim, rng)
  local game = setmetatable({ dim = dim, rng = rng, shots = {}, worlds = {}, told = 0 }, Game)
  game.pool = broadside.newPool({ dim = dim, capacity = 12 })
  for i = 1, 2 do
    game.worlds[i] = { world = broadside.newWorld({ dim = dim, results = "id" }), boxes = {},
      met = {} }
  end
  return game
end

function Game:vector(most)
  local v = {}
  for k = 1, self.dim do
    v[k] = self.rng:real(-most, most)
  end
  return v
end

-- A rect, somewhere near.
function Game:rect()
  local rect = self:vector(12)
  for k = 1, self.dim do
    rect[self.dim + k] = self.rng:real(1, 9)
  end
  return rect
end

function Game:shoot()
  local at, v, size = self:vector(15), self:vector(7), self.rng:real(0, 3)
  local life = self.rng:int(1, 12)
  local opts = { w = size, h = size, d = self.dim == 3 and size or nil, life = life }
  local id = self.pool:spawn(values(compat.concat(compat.concat(at, v), { opts })))
  if id then
    self.shots[id] = { at = at, v = v, size = size, left = life }
  end
end

-- Changes some boxes: they move on, jump, are replaced, or stay.
function Game:changeBoxes()
  for _, w in ipairs(self.worlds) do
    for i = 1, 5 do
      local box, what = w.boxes[i], self.rng:int(1, 8)
      if not box or what == 1 then
        if box then
          w.world:remove(box.id)
        end
        local rect = self:rect()
        w.boxes[i] = { id = w.world:insert(values(rect)), rect = rect, v = self:vector(5) }
      elseif what < 7 then
        for k = 1, self.dim do
          box.rect[k] = what == 2 and self.rng:real(-12, 12) or box.rect[k] + box.v[k]
        end
        w.world:update(box.id, values(box.rect))
      end
    end
  end
end

-- What the shots should tell of in a world, as a set of names, after their step.
function Game:expected(w)
  local met, new = {}, {}
  for id, shot in pairs(self.shots) do
    local rect = {}
    for k = 1, self.dim do
      rect[k], rect[self.dim + k] = shot.before[k] - shot.size / 2, shot.size
    end
    for _, box in pairs(w.boxes) do
      local name = ("%.0f %.0f"):format(id, box.id)
      if meets(self.dim, rect, shot.v, box.rect) then
        met[name] = true
        new[name] = not w.met[name] or nil
      end
    end
  end
  return met, new
end

function Game:ask(w)
  local told = {}
  for id, box in self.pool:hits(w.world, nil, true) do
    local name = ("%.0f %.0f"):format(id, box)
    assert.is_nil(told[name])
    told[name] = true
    self.told = self.told + 1
  end
  return told
end

-- A step of all, in which the worlds are asked, some of them twice.
function Game:step()
  self:changeBoxes()
  for _ = 1, self.rng:int(0, 2) do
    self:shoot()
  end
  self.pool:step(1)
  for id, shot in pairs(self.shots) do
    shot.left = shot.left - 1
    shot.before, shot.at = shot.at, {}
    self.shots[id] = shot.left >= 0 and shot or nil
    for k = 1, self.dim do
      shot.at[k] = shot.before[k] + shot.v[k]
    end
  end
  for _, w in ipairs(self.worlds) do
    local met, new = self:expected(w)
    for _ = 1, self.rng:int(1, 2) do
      assert.same(new, self:ask(w))
    end
    w.met = met
  end
end

-- The whole state, as plain tables and Snapshots, and back.
local function copy(t)
  local result = {}
  for key, value in pairs(t) do
    result[key] = type(value) == "table" and copy(value) or value
  end
  return result
end

function Game:save()
  local saved = { pool = self.pool:snapshot(), shots = copy(self.shots) }
  for i, w in ipairs(self.worlds) do
    saved[i] = { world = w.world:snapshot(), boxes = copy(w.boxes), met = copy(w.met) }
  end
  return saved
end

function Game:restore(saved)
  local isText = self.rng:int(1, 2) == 1
  self.pool:restore(isText and saved.pool:getString() or saved.pool)
  self.shots = copy(saved.shots)
  for i, w in ipairs(self.worlds) do
    w.world:restore(saved[i].world)
    w.boxes, w.met = copy(saved[i].boxes), copy(saved[i].met)
  end
end

for dim = 2, 3 do
  describe(("shots that pierce in %dD"):format(dim), function()
    it("tell of each box once, however it moves, also after they went back in time", function()
      local told, seeds = 0, random.seeds(40)
      for _, seed in ipairs(seeds) do
        local game = newGame(dim, random.new(seed))
        for _ = 1, 6 do
          local saved = game:save()
          for _ = 1, game.rng:int(1, 6) do
            game:step()
          end
          if game.rng:int(1, 2) == 1 then
            game:restore(saved)
          end
          for _ = 1, game.rng:int(1, 12) do
            game:step()
          end
        end
        told = told + game.told
      end
      assert.is_true(told > 3 * #seeds, told)
    end)

    -- A pool for one shot of size 4.
    local function newPool()
      local depth = dim == 3 and 4 or nil
      return broadside.newPool({ dim = dim, capacity = 1, w = 4, h = 4, d = depth })
    end

    -- The shot flies 10 in a step, and a box of 16 moves so far.
    local function countTold(at, speed, change)
      local world = broadside.newWorld({ dim = dim })
      local pool = newPool()
      local box = world:insert(values(R(dim, at, -8, 16, 16)))
      local told = 0
      pool:spawn(values(compat.concat(V(dim, 0, 0), V(dim, 10, 0))))
      for step = 1, 100 do
        world:update(box, values(V(dim, at + step * speed, -8)))
        pool:step(1)
        change(pool, step)
        for _ in pool:hits(world, nil, true) do
          told = told + 1
        end
      end
      return told
    end

    it("tell once of what they meet and overtake, and of what comes towards them", function()
      for at = 100, 110, 0.7 do
        for _, speed in ipairs({ 5, 7, -5, -10 }) do
          assert.equal(1, countTold(at + 0.05, speed, function() end))
        end
      end
    end)

    it("do so after each step has been read from bytes", function()
      for _, speed in ipairs({ 5, -5 }) do
        assert.equal(1, countTold(100.05, speed, function(pool)
          pool:restore(pool:snapshot():getString())
        end))
      end
    end)

    it("tell of it again once they have not met it for a whole step", function()
      local world = broadside.newWorld({ dim = dim })
      local pool = newPool()
      local box = world:insert(values(R(dim, 4.5, -8, 16, 16)))
      local told = {}
      pool:spawn(values(compat.concat(V(dim, 0, 0), V(dim, 1, 0))))
      for step, y in ipairs({ -8, 99, -8, -8, 99, 99, -8 }) do
        world:update(box, values(V(dim, 4.5, y)))
        pool:step(1)
        told[step] = 0
        for _ in pool:hits(world, nil, true) do
          told[step] = told[step] + 1
        end
      end
      assert.same({ 0, 0, 1, 0, 0, 0, 1 }, told)
    end)

    it("give the memory back that they needed, when they have left what they met", function()
      local world = broadside.newWorld({ dim = dim })
      local pool = broadside.newPool({ dim = dim, capacity = 100, w = 4, h = 4 })
      for _ = 1, 100 do
        world:insert(values(R(dim, 5, -8, 16, 16)))
        pool:spawn(values(compat.concat(V(dim, 0, 0), V(dim, 30, 0))))
      end
      local memory = {}
      for step = 1, 5 do
        pool:step(step == 1 and 0.5 or 1)
        for _ in pool:hits(world, nil, true) do -- luacheck: ignore
        end
        memory[step] = pool:stats().memory
      end
      assert.is_true(memory[1] >= 100 * 100 * 16)
      assert.is_true(memory[5] < memory[1] / 10)
    end)

    it("are the same if a filter function raises an error, and is asked again", function()
      local world = broadside.newWorld({ dim = dim })
      local pool = newPool()
      world:insert(values(R(dim, 5, -8, 16, 16)))
      pool:spawn(values(compat.concat(V(dim, 0, 0), V(dim, 8, 0))))
      pool:step(1)
      local before = pool:snapshot():getString()
      assert.has_error(function()
        pool:hits(world, function() error("no") end, true)
      end)
      assert.equal(before, pool:snapshot():getString())
      local told = 0
      for _ in pool:hits(world, function() return true end, true) do
        told = told + 1
      end
      assert.equal(1, told)
    end)
  end)
end
