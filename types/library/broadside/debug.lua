---@meta broadside.debug

---Draws a world in LÖVE: its boxes and shapes, and what its back end has built around them.
---@class broadside.debug
---@field colors table<string, number[]> by kind: red, green, blue, opacity of lines and of the inside
local view = {}

---Draws a 2D world with the transform that is set; lines are one pixel wide. Makes no garbage.
---@param world broadside.World
---@param kinds? {box?: boolean, shape?: boolean, fat?: boolean, node?: boolean, cell?: boolean} what to draw; all
---@return integer n how many rectangles and shapes were drawn
function view.draw(world, kinds) end

return view
