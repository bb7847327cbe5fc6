---@meta broadside.bump

-- In 2D only.

---The calls of bump.lua 3.1.7, with its answers, on a world of Broadside.
---@class broadside.bump
---@field _VERSION string the version of bump.lua whose answers these are
---@field _URL string where this module comes from
---@field _DESCRIPTION string
---@field _LICENSE string
---@field rect broadside.BumpRect functions of rectangles
---@field responses table<string, broadside.BumpResponse> touch, cross, slide and bounce
local bump = {}

---Makes a world.
---@param cellSize? number the side of the cells that toCell, toWorld, countCells and rows tell of; 64
---@param opts? broadside.BumpWorldSettings
---@return broadside.BumpWorld world
function bump.newWorld(cellSize, opts) end

---Which copy of bump.lua a world answers like, and what it keeps for others to read.
---@class broadside.BumpWorldSettings
---@field slide? "3.1.7" the slide of bump.lua's releases up to this one, which push out what overlaps
---@field rows? boolean whether there is world.rows; false

---A place or a displacement.
---@class broadside.BumpPoint
---@field x number
---@field y number

---A rectangle.
---@class broadside.BumpRectangle
---@field x number
---@field y number
---@field w number
---@field h number

---What happened between an item and another one.
---@class broadside.BumpCollision
---@field item any what moves
---@field other any what is met
---@field type any what the filter has returned
---@field overlaps boolean whether the two overlapped before the motion
---@field ti number when they meet, 0 to 1; if they overlap: minus the size of the overlap
---@field move broadside.BumpPoint the motion as it was wanted
---@field normal broadside.BumpPoint the side that is met: -1, 0 or 1 on each axis
---@field touch broadside.BumpPoint where the item is when the two touch
---@field itemRect broadside.BumpRectangle where the item comes from
---@field otherRect broadside.BumpRectangle where the other one is
---@field slide? broadside.BumpPoint where a slide goes to
---@field bounce? broadside.BumpPoint where a bounce goes to

---An item on a segment.
---@class broadside.BumpCrossing
---@field item any
---@field ti1 number when the segment comes in, 0 to 1
---@field ti2 number when the segment goes out, 0 to 1
---@field x1 number where it comes in
---@field y1 number
---@field x2 number where it goes out
---@field y2 number

---Names the response to meeting an item; with nil or false it is not met. Only what would be met is
---asked about.
---@alias broadside.BumpFilter fun(item: any, other: any): any

---Makes of a collision a new goal, and what is met on the way there.
---@alias broadside.BumpResponse fun(world: broadside.BumpWorld, col: broadside.BumpCollision, x: number, y: number, w: number, h: number, goalX: number?, goalY: number?, filter: broadside.BumpFilter?): number, number, broadside.BumpCollision[], integer

-- Rectangles --------------------------------------------------------------------------------------

---Functions of rectangles.
---@class broadside.BumpRect
local rect = {}

---The corner that is nearest to a point, on each axis by itself.
---@param x number
---@param y number
---@param w number
---@param h number
---@param px number
---@param py number
---@return number x
---@return number y
function rect.getNearestCorner(x, y, w, h, px, py) end

---When a segment comes into a rectangle and goes out again, and the normals there; or nil.
---@param x number
---@param y number
---@param w number
---@param h number
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param ti1? number no times before this one; 0
---@param ti2? number no times after this one; 1
---@return number? ti1
---@return number ti2
---@return integer nx1
---@return integer ny1
---@return integer nx2
---@return integer ny2
function rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2) end

---The Minkowski difference of two rectangles: the origin is inside where they overlap.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@return number x
---@return number y
---@return number w
---@return number h
function rect.getDiff(x1, y1, w1, h1, x2, y2, w2, h2) end

---Whether a point is inside by more than 1e-10.
---@param x number
---@param y number
---@param w number
---@param h number
---@param px number
---@param py number
---@return boolean isInside
function rect.containsPoint(x, y, w, h, px, py) end

---Whether two rectangles overlap. Touching is not overlapping.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@return boolean overlap
function rect.isIntersecting(x1, y1, w1, h1, x2, y2, w2, h2) end

---The square of the distance between the centres.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@return number distance
function rect.getSquareDistance(x1, y1, w1, h1, x2, y2, w2, h2) end

---The collision of a rectangle, on its way to a goal, with another one, without item, other and type;
---or nil.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@param goalX? number x1, if it is left out
---@param goalY? number y1, if it is left out
---@return broadside.BumpCollision? col
function rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY) end

-- World -------------------------------------------------------------------------------------------

---A world of items, which are any values but nil and NaN. Lists are in the order of adding, if nothing
---else is said.
---@class broadside.BumpWorld
---@field cellSize number
---@field responses table<any, broadside.BumpResponse> by name
---@field boxes broadside.World the world below, to ask: its queries answer with items
---@field rows? table<integer, table<integer, table>> cells with items, by row and column
local World = {}

---Adds an item.
---@param item any
---@param x number minimum corner
---@param y number minimum corner
---@param w number size > 0
---@param h number size > 0
---@return any item
function World:add(item, x, y, w, h) end

---Removes an item.
---@param item any
function World:remove(item) end

---Puts an item elsewhere, whatever is there, and resizes it if sizes are given.
---@param item any
---@param x number
---@param y number
---@param w? number
---@param h? number
function World:update(item, x, y, w, h) end

---Moves an item towards a goal, as far and to where its collisions let it.
---@param item any
---@param goalX number
---@param goalY number
---@param filter? broadside.BumpFilter all are slid along, if it is left out
---@return number actualX
---@return number actualY
---@return broadside.BumpCollision[] cols in the order in which they happen
---@return integer len how many
function World:move(item, goalX, goalY, filter) end

---What `move` would do. Nothing is moved.
---@param item any
---@param goalX? number where it is, if it is left out
---@param goalY? number where it is, if it is left out
---@param filter? broadside.BumpFilter
---@return number? actualX
---@return number? actualY
---@return broadside.BumpCollision[] cols
---@return integer len how many
function World:check(item, goalX, goalY, filter) end

---All collisions on the way of a rectangle, as if nothing stopped it, by time. For responses.
---@param item any what moves; it may be nil, or not be in the world
---@param x number
---@param y number
---@param w number
---@param h number
---@param goalX? number
---@param goalY? number
---@param filter? broadside.BumpFilter
---@return broadside.BumpCollision[] cols
---@return integer len how many
function World:project(item, x, y, w, h, goalX, goalY, filter) end

---Names a response for filters to return.
---@param name any
---@param response broadside.BumpResponse
function World:addResponse(name, response) end

---Whether an item is in the world.
---@param item any
---@return boolean has
function World:hasItem(item) end

---All items.
---@return any[] items
---@return integer len how many
function World:getItems() end

---The number of items.
---@return integer n
function World:countItems() end

---Where an item is.
---@param item any
---@return number x
---@return number y
---@return number w
---@return number h
function World:getRect(item) end

---The minimum corner of a cell.
---@param cx number
---@param cy number
---@return number x
---@return number y
function World:toWorld(cx, cy) end

---The cell that a point is in.
---@param x number
---@param y number
---@return integer cx
---@return integer cy
function World:toCell(x, y) end

---How many cells items reach into. Those counted before still count until garbage is collected.
---@return integer n
function World:countCells() end

---The items that overlap a rectangle.
---@param x number
---@param y number
---@param w number
---@param h number
---@param filter? fun(item: any): any
---@return any[] items
---@return integer len how many
function World:queryRect(x, y, w, h, filter) end

---The items that a point is inside of.
---@param x number
---@param y number
---@param filter? fun(item: any): any
---@return any[] items
---@return integer len how many
function World:queryPoint(x, y, filter) end

---The items that a segment passes through, in the order in which it does; not what has it inside.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter? fun(item: any): any
---@return any[] items
---@return integer len how many
function World:querySegment(x1, y1, x2, y2, filter) end

---The same, with times and places.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter? fun(item: any): any
---@return broadside.BumpCrossing[] crossings
---@return integer len how many
function World:querySegmentWithCoords(x1, y1, x2, y2, filter) end

return bump
