---@meta broadside.ldtk

-- In 2D only.

---Makes boxes of a project of LDtk's, as a JSON library has decoded it: of the values of IntGrid
---layers, of tiles by their enum tags, and of entities.
---@class broadside.ldtk
local ldtk = {}

---What a name or a number means: true is solid, false nothing; a function is called with the rectangle of the cell, tile or entity, with that, its layer and its level.
---@alias broadside.LdtkRule boolean|broadside.TileBox|fun(x: number, y: number, w: number, h: number, thing: table, layer: table, level: table)

---Which levels there are, where they are, and what names and numbers mean.
---@class broadside.LdtkLayout
---@field level? string the identifier or the iid of the only level; all of them, if it is left out
---@field x? number where the corner of the world of the levels is; 0, if it is left out
---@field y? number where the corner of the world of the levels is; 0, if it is left out
---@field legend? table<string|integer, broadside.LdtkRule> by an IntGrid value's name or number, an enum tag, an entity or a layer
---@field files? fun(path: string): table returns a level that is in a file of its own, decoded

---Inserts the boxes of a project, level by level; then calls the functions of the legend. All of the
---boxes, or an error and none.
---@param world broadside.World
---@param project table what a JSON library makes of the file
---@param opts? broadside.LdtkLayout
---@return broadside.Box[] boxes ids, where results = "id"
---@return integer n how many
function ldtk.insert(world, project, opts) end

return ldtk
