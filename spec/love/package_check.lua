
-- Follows a recipe of doc/ship.md. Checks that the module works in 2D, in 3D, and in a thread.
local world, space = broadside.newWorld(), broadside.newWorld({ dim = 3 })
world:insert(0, 0, 2, 2)
world:insert(1, 1, 2, 2)
space:insert(0, 0, 0, 2, 2, 2)
space:insert(1, 1, 1, 2, 2, 2)
assert(world:countPairs() == 1 and space:countPairs() == 1)
local data = love.data.newByteData(32)
assert(world:writeRects(data) == 2)

-- The size of a Data must come from LÖVE's own function, not from one that replaces it.
local methods = getmetatable(data)
local getSize = methods.getSize
for _, other in ipairs({ love.timer.getTime, coroutine.wrap(function()
  coroutine.yield(1e9)
end) }) do
  methods.getSize = other
  assert(not pcall(world.writeRects, world, data))
end
methods.getSize = getSize
assert(world:writeRects(data) == 2)

local required
for name, module in pairs(package.loaded) do
  required = module == broadside and name or required
end

local thread = love.thread.newThread([[
  local world = require(...).newWorld()
  for i = 1, 1000 do
    world:insert(i, i, 2, 2)
  end
  love.thread.getChannel("pairs"):push(world:countPairs())
]])
thread:start(required)
local inThread = love.thread.getChannel("pairs"):demand(20)
assert(inThread == 999, thread:getError() or "the thread gave no answer")
print(("Broadside works: %s, %s"):format(broadside._VERSION, tostring(world)))
love.event.quit(0)
