-- A box walks over joined polygons and boxes as over one ground, whatever the order of insertion.
-- In each frame it moves along by a slide, then down by a touch. Cases run in every symmetry of the
-- plane, on every back end.

local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")
local shapes = require("spec.support.shape_oracle")

-- The outlines of grounds, {x1, y1, x2, y2, ...}, from left to right; y points up. Between two
-- corners is one piece, down to y = -32. It is a box if its top is level, or else a polygon.
local GROUNDS = {
  { name = "a hill", 0, 0, 64, 0, 96, 32, 128, 32, 160, 0, 224, 0 },
  { name = "a valley", 0, 32, 64, 32, 96, 0, 128, 0, 160, 32, 224, 32 },
  { name = "a ridge", 0, 0, 32, 16, 64, 32, 96, 16, 128, 0 },
  { name = "slopes that get steeper", 0, 0, 32, 0, 64, 8, 96, 24, 128, 56, 160, 56, 192, 24 },
  { name = "a row of teeth", 0, 0, 8, 4, 16, 0, 24, 4, 32, 0, 40, 4, 48, 0, 56, 4, 64, 0, 96, 0 },
  { name = "level tiles", 0, 0, 32, 0, 64, 0, 96, 0, 128, 0 },
  { name = "tenths", 0, 0, 3.3, 0.1, 6.7, 0.3, 10.1, 0.7, 19.9, 0.7, 33.3, -5.1, 50, -5.1 },
}

local BOTTOM = -32

-- The pieces of a ground: { shape of the oracle, insert(s) }.
local function piecesOf(ground)
  local pieces = {}
  for i = 1, #ground - 3, 2 do
    local x1, y1, x2, y2 = compat.unpack(ground, i, i + 3)
    local piece = {}
    if y1 == y2 then
      local rect = { x1, BOTTOM, x2 - x1, y1 - BOTTOM }
      piece.shape = shapes.box({ rect[1], rect[2] }, { rect[3], rect[4] })
      piece.insert = function(s) return s:insert(rect, { static = true }) end
    else
      local flat = { x1, BOTTOM, x2, BOTTOM, x2, y2, x1, y1 }
      piece.shape = shapes.polygon(flat)
      piece.insert = function(s) return s:insertPolygon(flat, { static = true }) end
    end
    pieces[#pieces + 1] = piece
  end
  return pieces
end

local function insertShuffled(s, pieces, seed)
  local order, rng = {}, random.new(seed)
  for i, piece in ipairs(pieces) do
    table.insert(order, rng:int(1, i), piece)
  end
  for _, piece in ipairs(order) do
    piece.insert(s)
  end
end

-- Runs every second pair of a symmetry and a back end, with the number of the pair as seed.
local function each(case)
  local seed = 0
  scene.eachOf(2, function(s)
    seed = seed + 1
    if seed % 2 == 0 then
      case(s, seed)
    end
  end)
end

-- Moves the box along, then down. `fall` is how far it falls by itself. If it stood on the ground,
-- it follows the ground down by as much as it went along. Returns whether it stands.
local SLIDE, TOUCH = { slide = -1 }, { touch = -1 }

local function walk(s, box, dx, fall, stood)
  local at = s:getRect(box)
  local place = s:move(box, { at[1] + dx, at[2] }, SLIDE)
  local down = stood and math.max(fall, math.abs(dx) + 0.5) or fall
  local _, rows = s:check(box, { place[1], place[2] - down }, TOUCH)
  if rows[1] or not stood then
    s:move(box, { place[1], place[2] - down }, TOUCH)
  else
    s:move(box, { place[1], place[2] - fall }, TOUCH)
  end
  return rows[1] ~= nil
end

-- How far the box is from the ground.
local function gapTo(pieces, rect)
  local least, box = math.huge, shapes.box({ rect[1], rect[2] }, { rect[3], rect[4] })
  for _, piece in ipairs(pieces) do
    local from, to = shapes.extent(piece.shape, 1)
    if from < rect[1] + rect[3] + 1 and to > rect[1] - 1 then
      least = math.min(least, shapes.gap(box, piece.shape))
    end
  end
  return least
end

-- Drops a box at x = from, and lets it walk to x = to. Returns how many frames that took.
local function cross(s, pieces, size, from, to, dx)
  local box = s:insert({ from, 100, size, size })
  local stood, frames = false, 0
  while not stood do
    stood = walk(s, box, 0, 8, false)
  end
  local direction = to > from and 1 or -1
  while (s:getRect(box)[1] - to) * direction < 0 do
    local before = s:getRect(box)[1]
    stood = walk(s, box, direction * dx, 0.1, stood)
    local rect = s:getRect(box)
    local gap, gone = gapTo(pieces, rect), (rect[1] - before) * direction
    assert.is_true(stood, ("stands at %.17g, %.17g"):format(rect[1], rect[2]))
    assert.is_true(gap >= -1e-9 and gap <= 1e-6, ("the gap at %g, %g: %g"):format(rect[1], rect[2],
      gap))
    assert.is_true(gone > 0.2 * dx, ("goes on from %.17g: %g"):format(before, gone))
    frames = frames + 1
    assert.is_true(frames < 5000)
  end
  assert.same({}, s:queryBox(box))
  box:remove()
  return frames
end

describe("a box on slopes", function()
  for _, ground in ipairs(GROUNDS) do
    it("walks over " .. ground.name .. " and back, however it was inserted", function()
      local last = ground[#ground - 1]
      each(function(s, seed)
        local pieces = piecesOf(ground)
        insertShuffled(s, pieces, seed)
        local dx = ({ 1, 1.7, 0.6 })[seed % 3 + 1]
        cross(s, pieces, 2, 1, last - 3, dx)
        cross(s, pieces, 3, last - 4, 1, dx)
      end)
    end)
  end

  it("does not creep when it stands still", function()
    scene.eachOf(2, function(s)
      local pieces = piecesOf({ 0, 0, 64, 32, 96, 16, 128, 80 })
      insertShuffled(s, pieces, 1)
      for _, x in ipairs({ 8, 40.3, 63, 64, 70, 94.9, 110 }) do
        local box = s:insert({ x, 100, 3, 3 })
        local stood = false
        for _ = 1, 20 do
          stood = walk(s, box, 0, 8, stood)
        end
        local rect = s:getRect(box)
        assert.is_true(stood)
        assert.is_true(math.abs(rect[1] - x) < 1e-9)
        for _ = 1, 50 do
          walk(s, box, 0, 1, true)
        end
        assert.same(rect, s:getRect(box))
        box:remove()
      end
    end)
  end)

  it("leaves the ground where it falls away further than it follows", function()
    scene.eachOf(2, function(s)
      local pieces = piecesOf({ 0, 50, 32, 50 })
      insertShuffled(s, pieces, 1)
      s:insert({ 32, BOTTOM, 32, -BOTTOM })
      local box, stood = s:insert({ 28, 50, 2, 2 }), true
      for _ = 1, 8 do
        stood = walk(s, box, 1, 0.25, stood)
      end
      assert.is_false(stood)
      assert.is_true(s:getRect(box)[2] < 50 and s:getRect(box)[2] > 45)
    end)
  end)
end)

describe("a corner", function()
  it("is met with a normal that is between those of its edges", function()
    scene.eachOf(2, function(s)
      local roof = s:insertPolygon({ 0, 0, 20, 0, 10, 10 }, { static = true })
      local box = s:insert({ 8, 20, 3, 2 }) -- above the top
      local _, rows = s:check(box, { 8, 0 }, TOUCH)
      assert.is_true(rawequal(roof, rows[1].other))
      assert.is_true(math.abs(rows[1].t - 0.5) < 1e-9)
      local n = rows[1].normal
      assert.is_true(math.abs(n[1] * n[1] + n[2] * n[2] - 1) < 1e-12)
      assert.same({ 0, 1 }, n) -- its lower face lies on the corner
    end)
  end)
end)

describe("a circle on slopes", function()
  it("rolls over joints without a stop", function()
    for _, ground in ipairs(GROUNDS) do
      each(function(s, seed)
        local pieces = piecesOf(ground)
        insertShuffled(s, pieces, seed)
        local ball, x = s:insertCircle({ 2, 80 }, 1.5), 2
        local stood = false
        while not stood do
          stood = walk(s, ball, 0, 8, false)
        end
        local last = ground[#ground - 1]
        for _ = 1, 5000 do
          stood = walk(s, ball, 0.9, 0.1, stood)
          local now = s:getRect(ball)[1] + 1.5
          assert.is_true(now - x > 0.15, ("goes on from %.17g: %g"):format(x, now - x))
          x = now
          if x > last - 2 then
            break
          end
        end
        assert.is_true(x > last - 2)
        assert.same({}, s:queryBox(ball))
      end)
    end
  end)
end)
