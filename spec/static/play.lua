-- play.lua: plays in worlds of both kinds in one program, which cannot load libraries.

local unpack = table.unpack or unpack
local broadside = require("broadside")
assert(package.cpath == "", "no library can be loaded")

local function play(dim, rect, goal)
  local world = broadside.newWorld({ dim = dim })
  local floor = world:insert(unpack(rect.floor))
  local box = world:insert(unpack(rect.box))
  local hits, n = select(dim + 1, world:move(box, unpack(goal)))
  assert(n == 1 and hits[1].other == floor and hits[1].ny == -1)
  assert(select(2, box:getRect()) == 8)
  assert(world:countPairs() == 0)
  return world:snapshot():getHash()
end

local flat = play(2, { floor = { 0, 10, 20, 2 }, box = { 5, 0, 2, 2 } }, { 5, 30 })
local solid = play(3, { floor = { 0, 10, 0, 20, 2, 20 }, box = { 5, 0, 5, 2, 2, 2 } }, { 5, 30, 5 })
assert(flat ~= solid)
print("2D and 3D in one program")
