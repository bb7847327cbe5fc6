-- Plays a package from the folder where it was unpacked; arg[1] is the name of the module.

local name = arg[1]
local broadside = require(name)
assert(broadside == require((name:gsub("%.", "/"))))

-- A player runs along a row of tiles into a wall.
local world = broadside.newWorld()
for x = 0, 90, 10 do
  world:insert(x, 100, 10, 10, { static = true })
end
world:insert(100, 60, 10, 50, { static = true })
local player = world:insert(0, 88, 8, 12)
local x, y = world:move(player, 500, 95)
assert(x == 92 and y == 88)

-- The same in 3D, and with bump.lua's calls.
local space = broadside.newWorld({ dim = 3 })
space:insert(0, 0, 0, 2, 2, 2)
space:insert(1, 1, 1, 2, 2, 2)
assert(space:countPairs() == 1)
local bump = require(name .. ".bump").newWorld()
bump:add("player", 0, 0, 16, 16)
bump:add("wall", 40, 0, 8, 100)
assert(bump:move("player", 100, 0) == 24)

print(("%s: %s works on %s"):format(name, broadside._VERSION, jit and jit.version or _VERSION))
