---@meta broadside

---Collisions, movement and arcade physics for games: boxes, circles and convex polygons in 2D, boxes
---and spheres in 3D.
---
---Boxes that only touch do not overlap. Coordinates are finite numbers, and read back exactly as they
---were given. All back ends give the same answers.
---@class broadside
---@field _VERSION string the version, such as "Broadside 0.1.0"
local broadside = {}

---The broad phase. "auto" is a tree. It also keeps a grid, as long as casts save more than the grid costs.
---@alias broadside.BackendName "auto"|"brute"|"sweep"|"grid"|"tree"

---The shape of a box within its rectangle. A circle in 3D is a sphere. Polygons are for 2D only.
---@alias broadside.ShapeKind "box"|"circle"|"polygon"

---Gives names to layers, each a bit of its own in the order of the list: {wall = 1, hero = 2, coin = 4, ...}.
---@param names string[] up to 32
---@return { [string]: integer } layers any other name is an error
function broadside.layers(names) end

-- Responses ---------------------------------------------------------------------------------------
-- Made by `make types` from include/broadside/conduct.h.

---What a moving box does when it hits another one.
---slide: it goes on along the side.
---touch: it stops.
---bounce: it bounces off the side.
---cross: it goes on, and the other one is reported.
---@alias broadside.Response "slide"|"touch"|"bounce"|"cross"

---The same for a box that is moved to a goal.
---push: it moves the other one ahead, and then slides.
---@alias broadside.MoveResponse broadside.Response|"push"

---The layers that each response is for: 32 bits; 0, if one is left out. A box gets the first of
---touch, bounce, push, slide and cross whose mask has a bit of its layer, or else it is ignored.
---@class broadside.ResponseMasks
---@field slide? integer|true `true`: all other boxes that could make a pair with the box
---@field touch? integer|true `true`: all other boxes that could make a pair with the box
---@field bounce? integer|true `true`: all other boxes that could make a pair with the box
---@field push? integer|true `true`: all other boxes that could make a pair with the box
---@field cross? integer|true `true`: all other boxes that could make a pair with the box
---@field except? broadside.Box|broadside.Box3|integer|(broadside.Box|broadside.Box3|integer)[] boxes that are left out

-- -------------------------------------------------------------------------------------------------

---Makes a world. With `dim = 3` every x, y becomes x, y, z, and every w, h becomes w, h, d. For
---such a world add a cast to broadside.World3. If its `results` are not Boxes, add a cast to
---broadside.WorldOfIds or broadside.WorldOfData.
---@param opts? broadside.WorldOptions|broadside.WorldOptions3
---@return broadside.World world a World3 with `dim = 3`
function broadside.newWorld(opts) end

---Makes a pool of movers: small boxes that fly by themselves. It takes all its memory here.
---@param opts broadside.PoolOptions|broadside.PoolOptions3
---@return broadside.Pool pool a Pool3 with `dim = 3`
function broadside.newPool(opts) end

---Makes a model: a prototype of movers, which may carry emitters of their own.
---@param opts? broadside.ModelOptions|broadside.ModelOptions3
---@return broadside.Model model a Model3 with `dim = 3`
function broadside.newModel(opts) end

---Makes a back end that compares all with all, eight at a time. The default is faster.
---@return broadside.Backend backend
function broadside.newBrute() end

---Makes a sweep and prune, which keeps its order from frame to frame. The default is faster.
---@param opts? broadside.SweepOptions
---@return broadside.Backend backend
function broadside.newSweep(opts) end

---Makes a hash grid without bounds, with boxes in all cells that they overlap.
---@param opts? broadside.GridOptions
---@return broadside.Backend backend
function broadside.newGrid(opts) end

---Makes a dynamic AABB tree with eight children a node.
---@param opts? broadside.TreeOptions
---@return broadside.Backend backend
function broadside.newTree(opts) end

---Makes the default back end: a tree, and a grid as long as casts save more than the grid costs.
---@return broadside.Backend backend
function broadside.newAuto() end

---Options of newSweep.
---@class broadside.SweepOptions
---@field axis? 1|2|3|"x"|"y"|"z" the axis to sort along; chosen, if it is left out

---Options of newGrid.
---@class broadside.GridOptions
---@field cellSize? number the side of the cells, > 0; chosen, if it is left out

---Options of newTree.
---@class broadside.TreeOptions
---@field margin? number by how much fat AABBs are larger than their boxes, >= 0; chosen, if it is left out

---A back end. It belongs to at most one world at a time.
---@class broadside.Backend
local Backend = {}

---The name of the back end.
---@return broadside.BackendName name
function Backend:getName() end

---The same figures as those of `world:stats`; all zeros while it belongs to no world.
---@return broadside.Stats stats
function Backend:stats() end

---Figures of a world and its back end. Each kind of back end has figures of its own.
---@class broadside.Stats
---@field backend broadside.BackendName its name
---@field boxes integer how many boxes there are
---@field dynamic integer how many of them are dynamic
---@field static integer how many of them are static
---@field memory integer bytes held outside of Lua
---@field using? string what "auto" uses now: "tree", or "tree and grid"
---@field nodes? integer nodes of trees and grids
---@field height? integer height of the tree
---@field areaRatio? number the tree's quality: the area of all nodes by the area of the root
---@field cells? integer cells of the grid that are in use
---@field cellSize? number side of the cells
---@field resting? integer boxes in no cell, as they overlap too many
---@field axis? integer the axis that the sweep sorts along
---@field rebuilds? integer how often it was rebuilt

---Figures of a pool.
---@class broadside.PoolStats
---@field count integer how many movers there are
---@field capacity integer how many there can be
---@field emitters integer how many emitters there are
---@field memory integer bytes held outside of Lua
---@field spawned integer since the pool was made
---@field freed integer since the pool was made
---@field dropped integer shots and movers for which there was no room, or with no finite place or velocity

return broadside
