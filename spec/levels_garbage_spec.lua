-- Maps that mean something between calls that do not: numbers such as NaN and 2^53, tables where
-- none belong, metatables. LuaJIT compiles what it sees most, so what it has compiled for such
-- calls must serve the others.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local tiled = require("broadside.tiled")
local tiles = require("broadside.tiles")

local NUMBERS = {
  compat.nan, compat.huge, -compat.huge, 2 ^ 53, -2 ^ 53, 1e308, compat.minDouble, 0, -1, 0.5,
}

local function newEndless()
  return setmetatable({}, { __index = function()
    return "#"
  end })
end

local STRANGE = {
  function(rng)
    return rng:pick(NUMBERS)
  end,
  newEndless,
  function(rng)
    return { rng:pick(NUMBERS), rng:pick(NUMBERS), [2 ^ 53] = 1, [0.5] = "#" }
  end,
  function()
    return print
  end,
  function()
    return "#"
  end,
}

-- A value, or, one time in eight, something else.
local function maybe(rng, value)
  if rng:chance(0.125) then
    return rng:pick(STRANGE)(rng)
  end
  return value
end

local function garbageRects(rng)
  local map = {}
  for row = 1, rng:int(0, 4) do
    map[row] = {}
    for column = 1, rng:int(0, 6) do
      map[row][column] = maybe(rng, rng:pick({ 1, 2, 0, "#", "o" }))
    end
    map[row] = maybe(rng, map[row])
  end
  local legend = { maybe(rng, true), maybe(rng, { merge = false }),
    ["#"] = maybe(rng, { rect = { 0, 0, maybe(rng, 1), maybe(rng, 1) } }), o = maybe(rng, {}) }
  return pcall(tiles.rects, maybe(rng, map), maybe(rng, legend),
    { w = maybe(rng, 1), x = maybe(rng, 0), y = maybe(rng, 0) })
end

local function newTiled(part, gid)
  return { orientation = "orthogonal", tilewidth = 10, tileheight = 10,
    tilesets = { { name = "t", firstgid = gid or 1, tilewidth = 10, tileheight = 10 } },
    layers = { { type = "tilelayer", name = "ground", chunks = { part } } } }
end

local GROUND = { legend = { ground = true } }

local function garbageTiled(rng, world)
  local part = { x = maybe(rng, rng:int(-3, 3)), y = maybe(rng, 0), width = maybe(rng, 3),
    height = maybe(rng, 1), data = maybe(rng, { 1, maybe(rng, 1), 1 }) }
  return pcall(tiled.insert, world, newTiled(part, maybe(rng, 1)), GROUND)
end

-- Calls that mean something, and what they give.
local LEGAL = {
  { { "#o", { 1, "o" }, "" },
    { [1] = { response = "touch" }, [2] = true, ["#"] = { merge = true }, o = {} },
    { "#", 0, 0, 2, 1, "o", 1, 1, 1, 1, 1, 0, 1, 1, 1 } },
  { { { 1, 1, 1 }, { 1, 1, 1 } }, nil, { 1, 0, 0, 3, 2 } },
  { "# #\n###", nil, { "#", 0, 0, 1, 2, "#", 2, 0, 1, 2, "#", 1, 1, 1, 1 } },
  { "..\n", nil, {} },
}

describe("Levels between calls of garbage", function()
  it("are what they are alone", function()
    local rng, world, refused = random.new(31), broadside.newWorld(), 0
    local rounds = compat.rounds(200)
    for round = 1, rounds do
      for _, garbage in ipairs({ garbageRects, garbageTiled }) do
        local done = garbage(rng, world)
        refused = refused + (done and 0 or 1)
        world:clear()
      end
      local case = LEGAL[round % #LEGAL + 1]
      assert.same(case[3], (tiles.rects(case[1], case[2], { w = 1 })))
      local boxes = tiled.insert(world, newTiled({ x = -2, y = 1, width = 3, height = 1,
        data = { 1, 1, 1 } }), GROUND)
      assert.same({ -20, 10, 30, 10 }, { boxes[1]:getRect() })
      world:clear()
    end
    assert.is_true(refused > rounds / 2, refused .. " of " .. 2 * rounds)
  end)
end)
