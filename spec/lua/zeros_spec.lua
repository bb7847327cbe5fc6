-- -0 is 0. What rules in Lua compute may be either, by the version of Lua: 0 * -1 is -0 where all
-- numbers are floats, and 0 where there are integers. So it must not change a hash or an answer.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local unpack = compat.unpack
local FRAMES = 60

-- A world with some of everything, in which many numbers are 0; zero() gives each of these.
local function newGame(dim, rng, zero)
  local function number()
    return rng:chance(0.5) and zero() or rng:int(-9, 9)
  end
  local function numbers(n, size)
    local list = {}
    for i = 1, n do
      list[i] = i > n - (size or 0) and rng:int(1, 9) or number()
    end
    return list
  end
  return { rng = rng, zero = zero, number = number, numbers = numbers, dim = dim, boxes = {},
    world = broadside.newWorld({ dim = dim, gravity = numbers(dim) }),
    pool = broadside.newPool({ dim = dim, capacity = 50 }) }
end

local function addBox(game)
  local numbers, number, rng = game.numbers, game.number, game.rng
  local opts = { vx = number(), vy = number(), ax = number(), ay = number(), bounce = 0,
    friction = math.abs(number()), drag = math.abs(number()), gravityScale = number(),
    response = rng:pick({ "slide", "bounce", "touch", "cross" }), static = rng:chance(0.3),
    oneWay = game.dim == 2 and rng:chance(0.2) and { game.zero(), -1 } or nil }
  local box
  if rng:chance(0.3) then
    local place = numbers(game.dim)
    place[game.dim + 1], place[game.dim + 2] = rng:int(1, 5), opts
    box = game.world:insertCircle(unpack(place))
  elseif game.dim == 2 and rng:chance(0.3) then
    local x, y = number(), number()
    box = game.world:insertPolygon({ x, y, x + 5, y, x, y + 4 }, opts)
  else
    local rect = numbers(2 * game.dim, game.dim)
    rect[2 * game.dim + 1] = opts
    box = game.world:insert(unpack(rect))
  end
  table.insert(game.boxes, box)
end

local function play(game)
  local rng, numbers, world, pool = game.rng, game.numbers, game.world, game.pool
  local box, dim = rng:pick(game.boxes), game.dim
  local action = rng:int(1, 8)
  if action == 1 then
    box:setVelocity(unpack(numbers(dim)))
  elseif action == 2 then
    box:setRect(unpack(numbers(dim)))
  elseif action == 3 then
    world:move(box, unpack(numbers(dim)))
  elseif action == 4 then
    world:push(box, unpack(numbers(dim)))
  elseif action == 5 then
    pool:spawn(unpack(numbers(2 * dim)))
  elseif action == 6 then
    box:setAcceleration(unpack(numbers(dim)))
  elseif action == 7 and dim == 2 then
    box:setTransform(game.number(), game.number(), game.number())
  else
    world:updateMany({ box }, numbers(dim))
  end
  world:step(0.25)
  pool:step(0.25)
  for id in pool:hits(world) do
    pool:free(id)
  end
  world:collectContacts()
  return world:snapshot():getHash() .. pool:snapshot():getHash()
end

describe("a zero", function()
  for dim = 2, 3 do
    it(("is the same whatever its sign, in %dD"):format(dim), function()
      for seed = 1, 20 do
        local signs = random.new(seed)
        local plain = newGame(dim, random.new(seed), function() return 0 end)
        local signed = newGame(dim, random.new(seed),
          function() return signs:chance(0.5) and -0.0 or 0.0 end)
        for _ = 1, 8 do
          addBox(plain)
          addBox(signed)
        end
        for frame = 1, FRAMES do
          assert.equal(play(plain), play(signed), ("seed %d, frame %d"):format(seed, frame))
        end
      end
    end)
  end

  it("reads back as a zero that equals it", function()
    local box = broadside.newWorld():insert(-0.0, 0, 1, 1, { vx = -0.0 })
    local x, vx = box:getRect(), box:getVelocity()
    assert.same({ 0, 0 }, { x, vx })
    assert.same({ math.huge, math.huge }, { 1 / x, 1 / vx })
  end)
end)
