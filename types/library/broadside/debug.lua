---@meta broadside.debug

---Draws a world in LÖVE as its rules see it: layers by colour, sensors dashed, one-way sides, hits, floors.
---@class broadside.debug
---@field layers table<integer, number[]> red, green, blue, by the lowest bit of a layer, from 1 on; 0: of layer 0
---@field colors table<string, number[]> of all else, by kind: red, green, blue, opacity
local view = {}

---What to draw: only the kinds that are named; boxes, shapes and the last step's hits, if none is.
---@class broadside.DebugView
---@field box? boolean boxes, and the rectangles around other shapes
---@field shape? boolean circles and polygons
---@field hit? boolean normals of the hits of the last step
---@field fat? boolean fat boxes of the back end
---@field node? boolean nodes of the back end
---@field cell? boolean cells of the back end
---@field hits? table<broadside.BoxRef, broadside.Collision[]> rows of moves, by the box that was moved
---@field walkers? table[] walkers, to draw what they have met and stand on

---Draws a 2D world with the transform that is set; lines are one pixel wide. Makes no garbage.
---@param world broadside.World
---@param opts? broadside.DebugView
---@return integer n how many rectangles and shapes were drawn
function view.draw(world, opts) end

return view
