---@meta broadside.tiled

-- In 2D only.

---Makes boxes of a map of Tiled's, as "Export As: Lua files" of that editor writes it, or as a library
---decodes its JSON: of the shapes of tiles, of objects, and of whole tiles where the map or a legend says so.
---@class broadside.tiled
local tiled = {}

---What a class or a name means: true is solid, false nothing; a function is called with the rectangle around the object or tile, and its layer.
---@alias broadside.TiledRule boolean|broadside.TiledBox|fun(x: number, y: number, w: number, h: number, thing: table, layer: table)

---Options of world:insert where properties in the map do not say otherwise; boxes are static, unless said otherwise.
---@class broadside.TiledBox: broadside.InsertOptions
---@field merge? boolean false: each tile is a box of its own
---@field thickness? number of the walls along polylines

---Where the map is, and what its classes and names mean.
---@class broadside.TiledLayout
---@field x? number the map's corner; 0, if it is left out
---@field y? number the map's corner; 0, if it is left out
---@field legend? table<string, broadside.TiledRule> by class of an object, a tile, a layer or a group, or by name
---@field tilesets? table<string, table>|fun(file: string, exported?: string): table? tilesets in files of their own, by the names of the files, as Tiled exports them
---@field thickness? number of the walls along polylines; without it they make no boxes
---@field collidable? boolean true: only things whose property `collidable` is true, or that the legend names, become boxes
---@field onError? fun(message: string) what cannot be a box is reported and left out, and so is what makes none; without it the former is an error

---Inserts the boxes of a map, in its order; then calls the functions of the legend. All of the boxes,
---or an error and none.
---@param world broadside.World
---@param map table what the exported file returns, or its JSON decoded
---@param opts? broadside.TiledLayout
---@return broadside.Box[] boxes ids, where results = "id"
---@return integer n how many
function tiled.insert(world, map, opts) end

---Inserts the boxes of one tile layer, calls the functions of the legend for its tiles, and returns a
---Map, whose cells can be changed. The symbol of a cell is the number of its tile, with flips, or 0; a
---cell can also be set to a name of the legend.
---@param world broadside.World
---@param map table what the exported file returns, or its JSON decoded
---@param layer string|table the name of a tile layer, or the layer itself
---@param opts? broadside.TiledLayout
---@return broadside.Map map
function tiled.newMap(world, map, layer, opts) end

return tiled
