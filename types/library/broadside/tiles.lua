---@meta broadside.tiles

-- In 2D only.

---Makes boxes of a map of tiles: as few as possible, for cells of one kind that lie side by side
---become one box.
---@class broadside.tiles
local tiles = {}

---Lines of signs, or rows: strings, or tables of numbers or names.
---@alias broadside.TileMap string|(string|any[])[]

---What a sign stands for: true is solid, false nothing; a function is called with the cell.
---@alias broadside.TileKind boolean|broadside.TileBox|fun(x: number, y: number, w: number, h: number, sign: any)

---A kind of box: options of world:insert (static, unless said otherwise), and what is of the cell.
---@class broadside.TileBox: broadside.InsertOptions
---@field rect? number[] {x, y, w, h} within the cell; all of the cell, if it is left out
---@field circle? number[] {x, y, r} within the cell: a circle in each cell
---@field polygon? number[] {x1, y1, ...} within the cell: a convex polygon in each cell
---@field merge? boolean false: each cell stays a box of its own

---Where the map is, and the size of its cells.
---@class broadside.TileLayout
---@field w number the width of a cell
---@field h? number its height; w, if it is left out
---@field x? number the corner of the first cell; 0, if it is left out
---@field y? number the corner of the first cell; 0, if it is left out

---Lists the boxes that a map becomes: kind by kind in the order in which they come first in the map,
---a kind's boxes by their upper left cells, row by row; at last the cells of functions, row by row.
---@param map broadside.TileMap
---@param legend table<any, broadside.TileKind>? by sign; all but 0, false, " " and "." is solid, if nil
---@param opts broadside.TileLayout
---@return any[] out {sign, x, y, w, h, ...}
---@return integer n how many rows of five
function tiles.rects(map, legend, opts) end

---Inserts the boxes that a map becomes, in the order of tiles.rects; then calls the functions of the
---legend. All of the boxes, or an error and none.
---@param world broadside.World
---@param map broadside.TileMap
---@param legend table<any, broadside.TileKind>? by sign; all but 0, false, " " and "." is solid, if nil
---@param opts broadside.TileLayout
---@return broadside.Box[] boxes ids, where results = "id"
---@return integer n how many
function tiles.insert(world, map, legend, opts) end

return tiles
