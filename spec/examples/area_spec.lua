-- The example area: who sees whom, by a plain loop over all pairs.

local compat = require("spec.support.compat")
local random = require("spec.support.random")

package.path = "examples/?.lua;" .. package.path
local area = require("area.area")

describe("the example area", function()
  -- the oracle ------------------------------------------------------------------------------------

  -- Whether a segment goes through the inside of a wall: of each axis the part of the way that is
  -- inside, and whether they have more than a moment in common.
  local function isHidden(x, y, toX, toY, wall)
    local from, to = 0, 1
    for axis = 1, 2 do
      local p, d = axis == 1 and x or y, axis == 1 and toX - x or toY - y
      local low, high = wall[axis], wall[axis] + wall[axis + 2]
      if d == 0 then
        if p <= low or p >= high then
          return false
        end
      else
        local first, last = (low - p) / d, (high - p) / d
        from, to = math.max(from, math.min(first, last)), math.min(to, math.max(first, last))
      end
    end
    return from < to
  end

  local function isNear(a, b, distance)
    local dx, dy = a.x + a.size / 2 - b.x - b.size / 2, a.y + a.size / 2 - b.y - b.size / 2
    return dx * dx + dy * dy < (distance + b.size / 2) ^ 2
  end

  local function canSee(a, b, walls)
    for _, wall in ipairs(walls) do
      if isHidden(a.x + a.size / 2, a.y + a.size / 2, b.x + b.size / 2, b.y + b.size / 2, wall) then
        return false
      end
    end
    return isNear(a, b, a.sight)
  end

  -- What a look should tell, by everyone against everyone. seen: {[name] = {[name] = true}}.
  local function lookAtAll(actors, walls, seen)
    local lines = {}
    for name, a in pairs(actors) do
      local old, new = seen[name] or {}, {}
      for other, b in pairs(a.sight and actors or {}) do
        if a ~= b and isNear(a, b, a.reach) and (old[other] or canSee(a, b, walls)) then
          new[other] = true
        end
      end
      for other in pairs(a.sight and new or {}) do
        table.insert(lines, not old[other] and name .. " enter " .. other or nil)
      end
      for other in pairs(a.sight and old or {}) do
        table.insert(lines, not new[other] and name .. " leave " .. other or nil)
      end
      seen[name] = new
    end
    table.sort(lines)
    return lines
  end

  local function look(here)
    local lines = {}
    here:look(function(phase, actor, other)
      table.insert(lines, actor.name .. " " .. phase .. " " .. other)
    end)
    table.sort(lines)
    return lines
  end

  -- random worlds ---------------------------------------------------------------------------------

  -- Numbers that tie often (and are exact), or any.
  local KINDS = {
    function(rng) return rng:int(-12, 12) end,
    function(rng) return rng:int(-20, 20) / 2 end,
    function(rng) return rng:real(-20, 20) end,
  }

  local function newActor(rng, name, number)
    local sight = rng:int(1, 8)
    local actor = { name = name, x = number(rng), y = number(rng), size = rng:int(1, 3) * 2 }
    if rng:chance(0.85) then
      actor.sight, actor.reach = sight, sight + rng:int(0, 3)
    end
    return actor
  end

  local function newWalls(rng, number)
    local rows, flat = {}, {}
    for i = 1, rng:int(0, 6) do
      rows[i] = { number(rng), number(rng), rng:int(1, 5), rng:int(1, 5) }
      for _, value in ipairs(rows[i]) do
        table.insert(flat, value)
      end
    end
    return rows, flat
  end

  local function play(rng)
    local number = rng:pick(KINDS)
    local walls, flat = newWalls(rng, number)
    local here, actors, seen, born = area.new(flat), {}, {}, 0
    local changes = {
      add = function()
        born = born + 1
        local name = "a" .. born
        local actor = newActor(rng, name, number)
        if rng:chance(0.3) then -- comes from elsewhere
          actor.known, seen[name] = {}, {}
          for i = 1, born do
            if rng:chance(0.3) and i < born and actor.sight then
              actor.known["a" .. i], seen[name]["a" .. i] = true, true
            end
          end
        end
        actors[name] = here:add(actor, actor.x, actor.y)
      end,
      remove = function(actor)
        here:remove(actor)
        actors[actor.name], seen[actor.name] = nil, nil
      end,
      place = function(actor) here:place(actor, number(rng), number(rng)) end,
      open = function(actor)
        if not actor.sight then
          here:open(actor, 5, 6)
        end
      end,
      blind = function(actor)
        if actor.sight then
          here:blind(actor)
          seen[actor.name] = nil
        end
      end,
      steer = function(actor) here:steer(actor, number(rng) / 8, number(rng) / 8) end,
    }
    local names = { "add", "add", "remove", "place", "open", "blind", "steer", "steer", "steer" }
    for tick = 1, 30 do
      for _ = 1, tick == 1 and 12 or rng:int(0, 4) do
        local list = {}
        for name in pairs(actors) do
          table.insert(list, name)
        end
        table.sort(list)
        local change = #list == 0 and "add" or rng:pick(names)
        changes[change](actors[rng:pick(list)])
      end
      here:move()
      for _, actor in pairs(actors) do
        actor.x, actor.y = here:getPlace(actor)
      end
      assert.same(lookAtAll(actors, walls, seen), look(here))
      assert.same({}, look(here)) -- nothing has changed since
    end
    return here, actors, walls
  end

  it("tells who enters and leaves whose view, as all against all do", function()
    for _, seed in ipairs(random.seeds(40)) do
      play(random.new(seed))
    end
  end)

  it("knows the watchers of a place", function()
    for _, seed in ipairs(random.seeds(10)) do
      local rng = random.new(seed)
      local here, actors = play(rng)
      for _ = 1, 20 do
        local x, y, w, h = rng:int(-20, 20), rng:int(-20, 20), rng:int(0, 5), rng:int(0, 5)
        local expected, found = {}, {}
        for name, a in pairs(actors) do
          local cx, cy = a.x + a.size / 2, a.y + a.size / 2
          local dx, dy = math.max(x - cx, 0, cx - x - w), math.max(y - cy, 0, cy - y - h)
          expected[name] = a.sight and dx * dx + dy * dy < a.sight ^ 2 or nil
        end
        for _, actor in ipairs(here:watchers(x, y, w, h)) do
          found[actor.name] = true
        end
        assert.same(expected, found)
      end
    end
  end)

  it("stops bodies at walls", function()
    local here = area.new({ 10, -50, 5, 100 })
    local actor = here:add({ name = "a", size = 2, sight = 5, reach = 6 }, 0, 0)
    here:steer(actor, 3, 1)
    for _ = 1, 10 do
      here:move()
    end
    assert.same({ 8, 10 }, { here:getPlace(actor) })
  end)

  it("flickers neither at the edge of a view nor at a corner", function()
    local here = area.new({ 40, 0, 10, 10 })
    local actor = here:add({ name = "a", size = 2, sight = 20, reach = 24 }, 0, 0)
    local other = here:add({ name = "b", size = 2 }, 22, 0)
    local told = 0
    for tick = 1, 40 do
      here:place(other, tick % 2 == 0 and 20 or 22, 0)
      told = told + #look(here)
    end
    assert.equal(1, told)
    here:place(actor, 36, 12)
    here:place(other, 51, 12) -- behind the corner, or not
    assert.same({}, look(here))
    here:place(other, 51, 6)
    assert.same({}, look(here)) -- whom one sees, one goes on to see
    here:remove(other)
    assert.same({ "a leave b" }, look(here))
  end)

  it("uses the boxes of those who have gone again", function()
    local here = area.new()
    for i = 1, 100 do
      local actors = {}
      for k = 1, 3 do
        actors[k] = here:add({ name = i .. "_" .. k, size = 2, sight = 4, reach = 5 }, k, 0)
      end
      assert.equal(6, #look(here))
      for _, actor in ipairs(actors) do
        here:remove(actor)
      end
      assert.same({}, look(here)) -- nobody is left to be told
    end
    assert.equal(6, here.world:count())
  end)

  it("makes no garbage in a tick without news", function()
    local here = area.new({ 40, 0, 10, 10 })
    for i = 1, 100 do
      here:add({ name = i, size = 2, sight = 20, reach = 24 }, i * 3, 0)
    end
    local function tell() end
    local bytes = require("spec.support.garbage")(function()
      here:move()
      here:look(tell)
    end, compat.rounds(50))
    assert.equal(0, bytes)
  end)
end)
