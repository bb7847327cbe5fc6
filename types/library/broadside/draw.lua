---@meta broadside.draw

-- In 2D only, and in LÖVE only.

---Draws boxes and movers in LÖVE, tens of thousands of them by one call each, without garbage.
---@class broadside.draw
local draw = {}

---What each box or mover is drawn as; a circle is as wide and as high as the box.
---@alias broadside.DrawShape "rectangle"|"circle"

---How movers of a tag look.
---@class broadside.DrawLook
---@field w? number the width; that of the style, if it is left out
---@field h? number the height; w, or that of the style, if both are left out
---@field color? number[] {red, green, blue, alpha}; that of the style, if it is left out

---How movers look; at numbers from 0 to 15 a broadside.DrawLook for movers with that tag.
---@class broadside.DrawStyle
---@field w? number the width; 4, if it is left out
---@field h? number the height; w, if it is left out
---@field color? number[] {red, green, blue, alpha}; white, if it is left out
---@field shape? broadside.DrawShape "rectangle", if it is left out
---@field turned? boolean true: x goes along the velocity
---@field texture? any an Image of LÖVE's, drawn in each
---@field [integer] broadside.DrawLook

---Draws boxes, filled with the color and the transform that are set.
---@param world broadside.World
---@param list? broadside.BoxRef[] all boxes, in the order of insertion, if nil
---@param shape? broadside.DrawShape "rectangle", if nil
---@return integer n how many
function draw.boxes(world, list, shape) end

---Draws the movers of a pool, with the transform that is set.
---@param pool broadside.Pool
---@param style? broadside.DrawStyle read at each call
---@return integer n how many
function draw.pool(pool, style) end

return draw
