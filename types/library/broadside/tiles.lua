---@meta broadside.tiles

-- In 2D only.

---Makes boxes of a map of tiles: as few as possible, for cells of one kind that lie side by side
---become one box.
---@class broadside.tiles
local tiles = {}

---Lines of symbols, or rows: strings, or tables of numbers or names.
---@alias broadside.TileMap string|(string|any[])[]

---What a symbol stands for: true is solid, false nothing; a function is called with the cell.
---@alias broadside.TileKind boolean|broadside.TileBox|fun(x: number, y: number, w: number, h: number, symbol: any)

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
---@param legend table<any, broadside.TileKind>? by symbol; all but 0, false, " " and "." is solid, if nil
---@param opts broadside.TileLayout
---@return any[] out {symbol, x, y, w, h, ...}
---@return integer n how many rows of five
function tiles.rects(map, legend, opts) end

---Inserts the boxes that a map becomes, in the order of tiles.rects; then calls the functions of the
---legend. All of the boxes, or an error and none.
---@param world broadside.World
---@param map broadside.TileMap
---@param legend table<any, broadside.TileKind>? by symbol; all but 0, false, " " and "." is solid, if nil
---@param opts broadside.TileLayout
---@return broadside.Box[] boxes ids, where results = "id"
---@return integer n how many
function tiles.insert(world, map, legend, opts) end

---Inserts the boxes of a map, as tiles.insert does, and returns a Map, whose cells can be changed.
---@param world broadside.World
---@param rows broadside.TileMap
---@param legend table<any, broadside.TileKind>? by symbol; all but 0, false, " " and "." is solid, if nil
---@param opts broadside.TileLayout
---@return broadside.Map map
function tiles.newMap(world, rows, legend, opts) end

---A map whose cells can be changed: its boxes follow. Cells are merged within chunks of 32 x 32.
---Columns and rows count from 1.
---@class broadside.Map
local Map = {}

---The symbol of a cell.
---@param column integer
---@param row integer
---@return any symbol nil outside of the map
function Map:get(column, row) end

---Makes a cell another one. Boxes that this does not change stay.
---@param column integer
---@param row integer
---@param symbol any that the legend has
function Map:set(column, row, symbol) end

---How many columns and rows there are.
---@return integer columns
---@return integer rows
function Map:size() end

---The cell in which a place is, which may be outside of the map.
---@param x number
---@param y number
---@return integer column
---@return integer row
function Map:toCell(x, y) end

---The rectangle of a cell, which may be outside of the map.
---@param column integer
---@param row integer
---@return number x
---@return number y
---@return number w
---@return number h
function Map:toWorld(column, row) end

---The cell of a box that has been hit: map:cellAt(world:segmentCast(...)).
---@param box broadside.BoxRef? of the map; of others, and of nil, there is none
---@param x number where it was hit
---@param y number where it was hit
---@param nx? number the normal of the side that was hit
---@param ny? number the normal of the side that was hit
---@return integer? column
---@return integer? row
function Map:cellAt(box, x, y, nx, ny) end

---Removes the boxes of the map, which can be used no more.
function Map:remove() end

---The cells whose interiors a segment passes through, in the order in which it does so: a line of sight.
---Along the side between two cells, or through their corners, it meets the first of them.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param out? integer[] is filled and returned
---@return integer[] out {column1, row1, column2, ...}
---@return integer n how many cells
function Map:rayCells(x1, y1, x2, y2, out) end

---How many steps each cell is from one of them, over sides of cells that can be passed.
---@param column integer
---@param row integer
---@param passable? table<any, any>|fun(symbol: any): any which symbols can be passed; those without boxes, if nil; a function(column, row) for a symbol is called for each of its cells
---@param out? integer[] is filled and returned
---@return integer[] out row by row: out[(row - 1) * columns + column]; -1 where it cannot be reached
---@return integer n how many cells
function Map:flood(column, row, passable, out) end

---What the cells are and which boxes they have, to be taken when the world's snapshot is.
---@param reuse? broadside.MapState which is written over and returned
---@return broadside.MapState state
function Map:snapshot(reuse) end

---Makes the cells what they were, when the world has been restored.
---@param state broadside.MapState of this map; stored and read again, of one of the same size and legend
function Map:restore(state) end

---A table of plain values, if symbols are such. It is not to be changed.
---@class broadside.MapState
---@field columns integer
---@field rows integer
---@field symbols any[] by code
---@field chunks table[] the codes of the cells, and the ids of their boxes

return tiles
