
-- What follows a recipe of doc/love.md: whether the module works, in 2D and 3D.
require("errors")

local world, space = broadside.newWorld(), broadside.newWorld({ dim = 3 })
world:insert(0, 0, 2, 2)
world:insert(1, 1, 2, 2)
space:insert(0, 0, 0, 2, 2, 2)
space:insert(1, 1, 1, 2, 2, 2)
assert(world:countPairs() == 1 and space:countPairs() == 1)
local data = love.data.newByteData(32)
assert(world:writeRects(data) == 2)
print(("Broadside works: %s, %s"):format(broadside._VERSION, tostring(world)))
love.event.quit(0)
