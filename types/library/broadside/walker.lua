---@meta broadside.walker

-- In 2D only.

---A character that walks: slopes, steps, one-way ledges and lifts, on top of world:move.
---@class broadside.walker
local walker = {}

---The options of a walker; they are fields of it, too, and may be changed at any time.
---@class broadside.WalkerOptions
---@field filter? broadside.MoveFilter what it meets, as for world:move; nil: slides along all that it can make a pair with
---@field up? number[] the side away from the floor: {0, -1} (if left out), {0, 1}, {-1, 0} or {1, 0}
---@field maxSlope? number the steepest floor, in radians; 46 degrees, if it is left out
---@field snap? number how far below it the floor still holds it; a quarter of its height, if it is left out
---@field stepHeight? number how high a step it takes; 0, if it is left out
---@field nudge? number how far its head is moved past a corner; 0, if it is left out
---@field constantSpeed? boolean true (if left out): its speed is along the ground; false: across it, whatever the slope

---What moves a box as a character; walk fills the fields.
---@class broadside.Walker: broadside.WalkerOptions
---@field world broadside.World
---@field box broadside.Box what it moves
---@field onFloor boolean whether it stands
---@field onWall integer on which side a wall has stopped it: -1, 0 or 1, the sign of the speed into it
---@field onCeiling boolean whether a ceiling has stopped it
---@field floor broadside.Result? what it stands on
---@field floorNx number the normal of its floor
---@field floorNy number the normal of its floor
---@field platformVx number how what it stands on has moved it since the last walk, per dt: what a jump takes along
---@field platformVy number how what it stands on has moved it since the last walk, per dt: what a jump takes along
---@field airTime number how long ago it stood, in the unit of dt; before it ever stood: infinite
---@field hits broadside.Collision[] what this walk has met, each box once; the rows are used again
---@field n integer how many hits there are
---@field follow fun(self: broadside.Walker, along: number, time: number): number walks along the floor; returns the speed that is left
---@field fly fun(self: broadside.Walker, along: number, up: number, time: number): number, number flies, and may land; returns the speeds that are left
---@field land fun(self: broadside.Walker, hit: broadside.Collision, along: number, up: number): number, number stands on what it has hit; returns the speeds that are left
local Walker = {}

---A walker that moves a box.
---@param world broadside.World|broadside.WorldOfIds|broadside.WorldOfData
---@param box broadside.BoxRef
---@param opts? broadside.WalkerOptions
---@return broadside.Walker walker
function walker.new(world, box, opts) end

---Moves the box for dt, by a velocity of the world, whatever is up.
---@param vx number
---@param vy number
---@param dt number
---@return number vx what is left of the velocity
---@return number vy what is left of the velocity
function Walker:walk(vx, vy, dt) end

---Lets go of the one-way boxes that it stands on, until it has fallen through.
function Walker:drop() end

---All that the next walk depends on, besides the world and the filter: numbers and booleans.
---@param slot? table a table of an earlier call, which is used again
---@return table slot
function Walker:save(slot) end

---The walker is as it was when the slot was saved. Restore the world first.
---@param slot table
function Walker:restore(slot) end

---What moves a box as a character that is seen from above; walk fills the fields.
---@class broadside.TopDown
---@field filter? broadside.MoveFilter what it meets, as for world:move; nil: slides along all that it can make a pair with
---@field nudge number how far it is moved past a corner to the side
---@field world broadside.World
---@field box broadside.Box what it moves
---@field onWallX integer on which side along x it has met a wall: -1, 0 or 1
---@field onWallY integer on which side along y it has met a wall: -1, 0 or 1
---@field hits broadside.Collision[] what this walk has met, each box once; the rows are used again
---@field n integer how many hits there are
local TopDown = {}

---A walker for a game that is seen from above: it has no floor, and slides along walls.
---@param world broadside.World|broadside.WorldOfIds|broadside.WorldOfData
---@param box broadside.BoxRef
---@param opts? { filter?: broadside.MoveFilter, nudge?: number }
---@return broadside.TopDown walker
function walker.topDown(world, box, opts) end

---Moves the box for dt, along walls where they are in its way.
---@param vx number
---@param vy number
---@param dt number
---@return number vx what is left of the velocity
---@return number vy what is left of the velocity
function TopDown:walk(vx, vy, dt) end

---All that the next walk depends on, besides the world and the filter: numbers.
---@param slot? table a table of an earlier call, which is used again
---@return table slot
function TopDown:save(slot) end

---The walker is as it was when the slot was saved. Restore the world first.
---@param slot table
function TopDown:restore(slot) end

return walker
