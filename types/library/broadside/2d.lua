---@meta _

-- The 2D half. 3d.lua is made from this file by `make types`.

---@class broadside
local broadside = {}

---A box of a world: a Box, or its id.
---@alias broadside.BoxRef broadside.Box|integer

---What pairs, queries, casts and callbacks hand out: a Box. Where `results` of newWorld says so, it is
---an id or what was given as `data`: such a world is a broadside.WorldOfIds or broadside.WorldOfData.
---@alias broadside.Result broadside.Box

---Which boxes count: those with `layer & filter ~= 0`; all but one Box; or those that a function
---accepts.
---@alias broadside.Filter integer|broadside.Box|fun(box: broadside.Result): any

---Which boxes a moving box meets, and what becomes of it. A mask: it slides along boxes with
---`layer & filter ~= 0`. A Box: it slides along all that it could make a pair with, but for that one;
---without a filter, along all of these. A function is asked once about each box that would be met;
---nil and false: it is not there at all.
---@alias broadside.MoveFilter integer|broadside.Box|broadside.ResponseMasks|fun(box: broadside.Result, other: broadside.Result): broadside.MoveResponse?

---What a moving box has met.
---@class broadside.Collision
---@field other broadside.Result
---@field response broadside.MoveResponse
---@field t number the time, as a fraction of the whole way: 0 to 1
---@field x number where the moving box was then
---@field y number where the moving box was then
---@field nx number normal of the face that was met
---@field ny number normal of the face that was met
---@field overlap boolean the two overlapped at the start; the normal is then the shortest way out

---What a platform has pushed or carried.
---@class broadside.Pushed
---@field other broadside.Result
---@field x number where it has come to
---@field y number where it has come to
---@field crushed boolean it could not get out of the way
---@field carried boolean it rested on what moved

---Options of newWorld in 2D.
---@class broadside.WorldOptions
---@field backend? broadside.BackendName|broadside.Backend "auto", if it is left out
---@field gravity? number[] {gx, gy}
---@field dim? 2 the number of axes
---@field results? "box"|"id"|"data" what is handed out for a box; "box", if it is left out

---Options of world:insert and world:insertMany.
---@class broadside.InsertOptions
---@field static? boolean two static boxes make no pair
---@field layer? integer 32 bits; 1, if it is left out; 0: it makes no pair, and no mask finds it
---@field mask? integer 32 bits: which layers it meets; all, if it is left out
---@field data? any what goes with the box
---@field key? string the data, a table, gets the box there (what insert returns); not for insertMany
---@field vx? number velocity
---@field vy? number velocity
---@field ax? number acceleration
---@field ay? number acceleration
---@field response? broadside.Response to what it meets in world:step; it flies through all, if left out
---@field bounce? number how much speed a bounce keeps: 0 to 1; 1, if it is left out
---@field oneWay? number[] {nx, ny}: it is met at the face with that normal alone
---@field sensor? boolean it is told, and never in the way: whoever meets it crosses it
---@field gravityScale? number gravity acts on it so many times in world:step; 1, if it is left out

-- World -------------------------------------------------------------------------------------------

---A set of boxes and a back end, in 2D. `#world` is the number of boxes.
---@class broadside.World
---@operator len: integer
local World = {}

---Puts a box into the world.
---@param x number minimum corner
---@param y number minimum corner
---@param w number size > 0
---@param h number size > 0
---@param opts? broadside.InsertOptions
---@return broadside.Result box the id, where results = "id"
function World:insert(x, y, w, h, opts) end

---Inserts a circle: a box with that shape.
---@param x number its centre
---@param y number its centre
---@param r number its radius > 0
---@param opts? broadside.InsertOptions
---@return broadside.Result box the id, where results = "id"
function World:insertCircle(x, y, r, opts) end

---Inserts a convex polygon: a box with that shape. Raises in worlds of three axes.
---@param corners number[] {x1, y1, ...}: 3 to 16 corners, of either winding
---@param opts? broadside.InsertOptions
---@return broadside.Result box the id, where results = "id"
function World:insertPolygon(corners, opts) end

---Puts many boxes into the world: all of them, or an error and none.
---@param flat number[] {x1, y1, w1, h1, ...}
---@param opts? broadside.InsertOptions for each of them
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out the boxes; ids, where results = "id"
---@return integer n how many
function World:insertMany(flat, opts, out) end

---Removes a box. Any further use of it raises "box was removed".
---@param box broadside.BoxRef
function World:remove(box) end

---Removes all boxes.
function World:clear() end

---Gives back memory that is not needed now. Never fails; answers, ids and Boxes are as before.
function World:trim() end

---Moves a box, and resizes it if sizes are given.
---@param box broadside.BoxRef
---@param x number
---@param y number
---@param w? number
---@param h? number
function World:update(box, x, y, w, h) end

---Moves many boxes, which keep their sizes: all of them, or an error and none.
---@param boxes broadside.BoxRef[]
---@param flat number[] {x1, y1, ...}
function World:updateMany(boxes, flat) end

---Whether the box is in this world.
---@param box broadside.BoxRef
---@return boolean has
function World:has(box) end

---The number of boxes.
---@return integer n
function World:count() end

---The Box of an id: always the same one.
---@param id broadside.BoxRef
---@return broadside.Box box
function World:getBox(id) end

---Reads the rectangles of many boxes.
---@param boxes broadside.BoxRef[]
---@param out? number[] is filled and returned
---@return number[] out {x1, y1, w1, h1, ...}
---@return integer n how many boxes
function World:getRects(boxes, out) end

---Writes the rectangles of boxes as rows of four floats, for drawing.
---@param data any a LÖVE Data, or any userdata with getPointer and getSize, in C
---@param boxes? broadside.BoxRef[] all in the order of insertion, if it is left out
---@return integer n how many rows
function World:writeRects(data, boxes) end

---Goes through the boxes in the order of insertion, as they are at the call.
---@return fun(): broadside.Box iterator
function World:boxes() end

---The back end that the world uses.
---@return broadside.Backend backend
function World:getBackend() end

---Changes the back end. Contents and answers stay.
---@param backend broadside.BackendName|broadside.Backend
function World:setBackend(backend) end

---Goes through the pairs that overlap, as they are at the call. In each pair the box inserted first
---comes first. The loop may insert, remove and move boxes.
---@return fun(): broadside.Result, broadside.Result iterator
function World:pairs() end

---Lists the pairs that overlap.
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out {a1, b1, a2, b2, ...}
---@return integer n how many pairs
function World:collectPairs(out) end

---The number of pairs that overlap.
---@return integer n
function World:countPairs() end

---Calls a function for each pair that overlaps.
---@param f fun(a: broadside.Result, b: broadside.Result)
function World:eachPair(f) end

---Goes through the pairs against those of the call before.
---@param which? "all"|"changes" "changes": begins and ends alone
---@return fun(): "begin"|"stay"|"end", broadside.Result, broadside.Result iterator
function World:contacts(which) end

---Lists the pairs against those of the call before.
---@param which? "all"|"changes" "changes": begins and ends alone
---@param out? (string|broadside.Result)[] is filled and returned
---@return (string|broadside.Result)[] out {phase1, a1, b1, phase2, ...}
---@return integer n how many contacts
function World:collectContacts(which, out) end

---The boxes that overlap a rectangle, in the order of insertion.
---@param x number
---@param y number
---@param w number size >= 0
---@param h number size >= 0
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:queryRect(x, y, w, h, filter, out) end

---The boxes that a point is strictly inside of, in the order of insertion.
---@param x number
---@param y number
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:queryPoint(x, y, filter, out) end

---The boxes that are nearer to a point than a distance, in the order of insertion.
---@param x number
---@param y number
---@param r number the distance, >= 0
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@param distances? number[] is filled with the distance of each, in the same order
---@return broadside.Result[] out
---@return integer n how many
function World:queryCircle(x, y, r, filter, out, distances) end

---The other boxes that overlap a box, in the order of insertion.
---@param box broadside.BoxRef
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:queryBox(box, filter, out) end

---All boxes that a segment enters, in the order in which it does.
---@param x1 number where it starts
---@param y1 number where it starts
---@param x2 number where it ends
---@param y2 number where it ends
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:querySegment(x1, y1, x2, y2, filter, out) end

---All boxes that a box would meet if it moved, in the order in which it does.
---@param box broadside.BoxRef
---@param dx number how far it would move
---@param dy number how far it would move
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:querySweep(box, dx, dy, filter, out) end

---The boxes nearest to a point, nearest first; the distance is 0 inside of a box.
---@param x number
---@param y number
---@param k? integer how many; 1, if it is left out
---@param filter? broadside.Filter
---@param maxDistance? number farther boxes do not count
---@param out? broadside.Result[] is filled and returned
---@param distances? number[] is filled with the distance of each, in the same order
---@return broadside.Result[] out
---@return integer n how many
function World:nearest(x, y, k, filter, maxDistance, out, distances) end

---The first box on the way of a segment, or nil.
---@param x1 number where it starts
---@param y1 number where it starts
---@param x2 number where it ends
---@param y2 number where it ends
---@param filter? broadside.Filter
---@return broadside.Result? box nil: nothing is hit
---@return number x where it is hit
---@return number y where it is hit
---@return number nx normal there; 0 if the segment starts inside
---@return number ny normal there
---@return number t how far along: 0 to 1
function World:segmentCast(x1, y1, x2, y2, filter) end

---The first box that a box would meet if it moved, or nil.
---@param box broadside.BoxRef
---@param dx number how far it would move
---@param dy number how far it would move
---@param filter? broadside.Filter
---@return broadside.Result? other nil: nothing is hit
---@return number t how far along: 0 to 1
---@return number nx normal there; 0 if they overlap at the start
---@return number ny normal there
function World:sweep(box, dx, dy, filter) end

---The first box that a rectangle would meet if it moved, or nil.
---@param x number
---@param y number
---@param w number size >= 0
---@param h number size >= 0
---@param dx number how far it would move
---@param dy number how far it would move
---@param filter? broadside.Filter
---@return broadside.Result? other nil: nothing is hit
---@return number t how far along: 0 to 1
---@return number nx normal there; 0 if they overlap at the start
---@return number ny normal there
function World:sweepRect(x, y, w, h, dx, dy, filter) end

---Pushes a box out of all that it overlaps: by one push where that is no longer than several, the
---least overlap first. For boxes that were spawned, loaded, teleported or grown; not for movement.
---@param box broadside.BoxRef
---@param filter? broadside.Filter
---@return number dx how far it was pushed
---@return number dy how far it was pushed
---@return integer n how many pushes
function World:resolve(box, filter) end

---Moves a box to a goal, as far as it gets. It never ends in what it slides along, unless it was in
---that before.
---@param box broadside.BoxRef
---@param x number its goal
---@param y number its goal
---@param filter? broadside.MoveFilter
---@param out? broadside.Collision[] is filled and returned; it keeps its rows, also under negative numbers
---@return number x where it is now
---@return number y where it is now
---@return broadside.Collision[] hits what it met, in that order
---@return integer n how many
function World:move(box, x, y, filter, out) end

---What world:move would answer; nothing moves.
---@param box broadside.BoxRef
---@param x number its goal
---@param y number its goal
---@param filter? broadside.MoveFilter
---@param out? broadside.Collision[] is filled and returned; it keeps its rows, also under negative numbers
---@return number x where it would be
---@return number y where it would be
---@return broadside.Collision[] hits what it would meet, in that order
---@return integer n how many
function World:check(box, x, y, filter, out) end

---Moves many boxes, one after the other: all of them, or an error and none.
---@param boxes broadside.BoxRef[]
---@param goals number[] {x1, y1, ...}
---@param filter? broadside.MoveFilter
---@param out? number[] is filled and returned
---@return number[] out {x1, y1, ...}: where each of them is now
---@return integer n how many were stopped or turned
function World:moveMany(boxes, goals, filter, out) end

---Moves a platform: it goes all the way, moves dynamic boxes out of its way, and carries what rests
---on it against gravity (world:setGravity; without it nobody).
---@param box broadside.BoxRef
---@param x number its goal
---@param y number its goal
---@param filter? broadside.MoveFilter which boxes are solid to it; a function is asked about what it would push or carry itself
---@param out? broadside.Pushed[] is filled and returned; it keeps its rows, also under negative numbers
---@return number x where it is now
---@return number y where it is now
---@return broadside.Pushed[] hits what was pushed or carried
---@return integer n how many
function World:push(box, x, y, filter, out) end

---Moves a platform of several boxes as one; what rests on several of them is carried once.
---@param boxes broadside.BoxRef[]
---@param dx number how far all of them go
---@param dy number how far all of them go
---@param filter? broadside.MoveFilter which boxes are solid to it; a function is asked about what they would push or carry themselves
---@param out? broadside.Pushed[] is filled and returned
---@return broadside.Pushed[] hits what was pushed or carried
---@return integer n how many
function World:pushMany(boxes, dx, dy, filter, out) end

---What a box rests flush against on one side, or nil; of several the box inserted first.
---@param box broadside.BoxRef
---@param dx number the side that faces this way; one of the numbers is not 0
---@param dy number the side that faces this way; one of the numbers is not 0
---@param filter? broadside.MoveFilter what is crossed is not rested against
---@param asId? boolean true: its id, whatever the world hands out
---@return broadside.Result? other
function World:touching(box, dx, dy, filter, asId) end

---Whether a place is free for a box, and what is in its way: of several the box inserted first.
---@param box broadside.BoxRef
---@param x number the place
---@param y number the place
---@param w? number that of the box, if it is left out
---@param h? number that of the box, if it is left out
---@param filter? broadside.MoveFilter what is crossed is in nobody's way
---@return boolean fits
---@return broadside.Result? other
function World:canFit(box, x, y, w, h, filter) end

---Goes through what met what in the last step, in the order in which it happened, as it is at the
---call. Boxes that the loop removes are passed over.
---@return fun(): broadside.Result, broadside.Result, broadside.Response, number, number, number iterator of box, other, response, t, nx, ny
function World:hits() end

---Moves dynamic boxes: velocity += (gravity + acceleration) dt, then position += velocity dt. Those
---with a response do not go through what they meet.
---@param dt number the time that it lasts, >= 0
function World:step(dt) end

---Sets what accelerates all dynamic boxes.
---@param gx number
---@param gy number
function World:setGravity(gx, gy) end

---What accelerates all dynamic boxes.
---@return number gx
---@return number gy
function World:getGravity() end

---Figures of the world and of its back end.
---@return broadside.Stats stats
function World:stats() end

---The outlines of boxes that are circles or polygons, in the order of insertion, one after the other:
---"circle", x, y, r, or "polygon", the number of its corners, and x, y of each of them.
---@param out? any[] is filled and returned
---@return any[] out
---@return integer n how many outlines
function World:debugShapes(out) end

---What the back end looks like: boxes, fat boxes, nodes and cells.
---@param out? any[] is filled and returned
---@return any[] out rows of kind, x, y, w, h
---@return integer n how many rows
function World:debugRects(out) end

---The world as it is now: to go back to it, to store it, to compare it.
---@param reuse? broadside.Snapshot one of this world, which is written over and returned
---@return broadside.Snapshot snapshot
function World:snapshot(reuse) end

---The world is as it was when the Snapshot was taken: boxes, their ids, order, data, contacts. A
---string brings no data: boxes that are in the world now keep theirs, the others have what `f`
---returns, or none.
---@param snapshot broadside.Snapshot|string of this world; a string may be of any one in 2D
---@param f? fun(box: broadside.Result): any asked for each new box of a string; it finds the world as it will be, and must not change it
function World:restore(snapshot, f) end

-- Snapshot ----------------------------------------------------------------------------------------

---A 2D world as it was: see World:snapshot.
---@class broadside.Snapshot
local Snapshot = {}

---The snapshot as bytes, for a file or the network: the same on every platform.
---@return string bytes
function Snapshot:getString() end

---A hash of the state, however the world came to it: the same on every platform.
---@return string digits 16 hexadecimal digits
function Snapshot:getHash() end

-- Box ---------------------------------------------------------------------------------------------

---A box of a 2D world: a handle, always the same one for the same box. It keeps its world.
---@class broadside.Box
local Box = {}

---The minimum corner and the size.
---@return number x
---@return number y
---@return number w
---@return number h
function Box:getRect() end

---Its shape: "box"; "circle", its centre and its radius; "polygon", its corners {x1, y1, ...}.
---@param out? table is filled with the corners of a polygon, and returned
---@return broadside.ShapeKind kind
---@return number|number[]|nil x of the centre, or the corners
---@return number? y of the centre
---@return number? r
function Box:getShape(out) end

---Sets its shape: "box", all of its rectangle; "circle", around its middle; "polygon", where its
---corners are.
---@param kind broadside.ShapeKind
---@param value? number|number[] the radius > 0; the corners {x1, y1, ...}, 3 to 16, convex
function Box:setShape(kind, value) end

---Moves the box, and resizes it if sizes are given. Those of a circle must be equal.
---@param x number
---@param y number
---@param w? number
---@param h? number
function Box:setRect(x, y, w, h) end

---The middle of the box.
---@return number x
---@return number y
function Box:getCenter() end

---Moves the box so that its middle is there.
---@param x number
---@param y number
function Box:setCenter(x, y) end

---The velocity, in units per unit of dt.
---@return number vx
---@return number vy
function Box:getVelocity() end

---Sets the velocity.
---@param vx number
---@param vy number
function Box:setVelocity(vx, vy) end

---The acceleration, beside the world's gravity.
---@return number ax
---@return number ay
function Box:getAcceleration() end

---Sets the acceleration.
---@param ax number
---@param ay number
function Box:setAcceleration(ax, ay) end

---What goes with the box.
---@return any data
function Box:getData() end

---Sets what goes with the box.
---@param data any
function Box:setData(data) end

---Whether the box is static.
---@return boolean static
function Box:isStatic() end

---Makes the box static or dynamic.
---@param static boolean
function Box:setStatic(static) end

---The layers that it is on, and those that it meets.
---@return integer layer
---@return integer mask
function Box:getFilter() end

---Sets the layers that it is on, and those that it meets.
---@param layer integer 32 bits
---@param mask integer 32 bits
function Box:setFilter(layer, mask) end

---What becomes of the box when it meets something in world:step; nil: it flies through all.
---@return broadside.Response? response
function Box:getResponse() end

---Sets what becomes of the box when it meets something in world:step.
---@param response? broadside.Response nil: it flies through all
function Box:setResponse(response) end

---How much speed the box keeps when it bounces: 0 to 1.
---@return number bounce
function Box:getBounce() end

---Sets how much speed the box keeps when it bounces.
---@param bounce number 0 to 1
function Box:setBounce(bounce) end

---The normal of the only face at which others meet the box, or nil: at all of them.
---@return number? nx
---@return number ny
function Box:getOneWay() end

---Sets the only face at which others meet the box, by its normal.
---@param nx? number -1, 0 or 1; nil: they meet it at all faces
---@param ny? number -1, 0 or 1
function Box:setOneWay(nx, ny) end

---Whether the box is told, and never in the way.
---@return boolean sensor
function Box:isSensor() end

---Makes the box a sensor: in movement, whoever meets it crosses it, and it crosses all that it meets.
---@param sensor boolean
function Box:setSensor(sensor) end

---How many times gravity acts on the box in world:step.
---@return number scale
function Box:getGravityScale() end

---Sets how many times gravity acts on the box in world:step.
---@param scale number 0: it does not fall
function Box:setGravityScale(scale) end

---Sets the rectangle in object space that setTransform brings into the world.
---@param x number
---@param y number
---@param w number
---@param h number
function Box:setObjectRect(x, y, w, h) end

---Puts the object's rectangle into the world: scaled, then turned, then moved.
---@param x number where the object stands
---@param y number where the object stands
---@param angle? number in radians
---@param sx? number scale; 1, if it is left out
---@param sy? number scale; that of x, if it is left out
function Box:setTransform(x, y, angle, sx, sy) end

---Whether setTransform turns the box; at first it does.
---@param rotates boolean
function Box:setRotates(rotates) end

---The number that stands for the box; it is never used again.
---@return integer id
function Box:getId() end

---The world that the box is in.
---@return broadside.World world
function Box:getWorld() end

---Removes the box from its world.
function Box:remove() end

---Whether the box was removed: the only question that it then answers.
---@return boolean removed
function Box:isRemoved() end

-- Pool --------------------------------------------------------------------------------------------

---Options of newPool in 2D.
---@class broadside.PoolOptions
---@field capacity integer how many movers there can be
---@field w? number size of movers, given with h; 0, if both are left out
---@field h? number size of movers, given with w; 0, if both are left out
---@field bounds? number[] {x, y, w, h}: movers that do not overlap it are freed
---@field mask? integer 32 bits: the layers that movers hit; all, if it is left out
---@field dim? 2 the number of axes

---Options of pool:spawn: they go before what the model says, and that before the pool.
---@class broadside.SpawnOptions
---@field model? broadside.Model
---@field ax? number acceleration
---@field ay? number acceleration
---@field life? integer in steps
---@field w? number size
---@field h? number size
---@field tag? integer
---@field mask? integer 32 bits: the layers that it hits

---A store of movers, in 2D. `#pool` is the number of movers.
---@class broadside.Pool
---@operator len: integer
local Pool = {}

---A new mover, or nil when the pool is full.
---@param x number its centre
---@param y number its centre
---@param vx number velocity
---@param vy number velocity
---@param opts? broadside.SpawnOptions
---@return integer? id
function Pool:spawn(x, y, vx, vy, opts) end

---Frees a mover; false, and no harm, if it is free already. One that ended in the last step is: it
---hits nothing more.
---@param id integer
---@return boolean freed
function Pool:free(id) end

---Whether the mover is there.
---@param id integer
---@return boolean alive
function Pool:isAlive(id) end

---Where a mover is, and how it flies; or where it ended in the last step.
---@param id integer
---@return number x
---@return number y
---@return number vx
---@return number vy
function Pool:get(id) end

---Puts a mover there: nothing is hit on the way. Nothing happens to one that ended in the last step.
---@param id integer
---@param x number
---@param y number
---@param vx number
---@param vy number
function Pool:set(id, x, y, vx, vy) end

---The tag that the mover was given. It may have ended in the last step.
---@param id integer
---@return integer tag
function Pool:getTag(id) end

---Fires emitters, moves all movers, and frees those at the end of their life or out of bounds. What
---these have hit in this step is told until the next one begins.
---@param dt number the time that it lasts, >= 0
---@return integer freed how many
---@return integer spawned how many
function Pool:step(dt) end

---The number of movers.
---@return integer n
function Pool:count() end

---How many movers there can be.
---@return integer n
function Pool:capacity() end

---Frees all movers; emitters go on.
function Pool:clear() end

---Gives back what emitters that have ended and lists of hits took. Never fails.
function Pool:trim() end

---Goes through the movers.
---@return fun(): integer, number, number iterator of id, x, y
function Pool:each() end

---Goes through the first box that each mover met in its last step, and where the mover was then. Those
---that ended in that step come last.
---@param world broadside.World
---@param filter? integer|broadside.Box|fun(box: broadside.Result, id: integer): any
---@param all? boolean true: everything that each met in that step, by t: for shots that pierce
---@return fun(): integer, broadside.Result, number, number, number, number, number iterator of id, box, t, x, y, nx, ny
function Pool:hits(world, filter, all) end

---Goes through the movers that met this Box in their last step.
---@param box broadside.Box
---@param dx? number how the box has moved meanwhile
---@param dy? number how the box has moved meanwhile
---@return fun(): integer, number, number, number, number, number iterator of id, t, x, y, nx, ny
function Pool:hitsBox(box, dx, dy) end

---Goes through the movers that met a rectangle in their last step.
---@param x number
---@param y number
---@param w number
---@param h number
---@param dx? number how it has moved meanwhile
---@param dy? number how it has moved meanwhile
---@return fun(): integer, number, number, number, number, number iterator of id, t, x, y, nx, ny
function Pool:hitsRect(x, y, w, h, dx, dy) end

---Lists the places of all movers.
---@param out? number[] is filled and returned
---@return number[] out {x1, y1, ...}
---@return integer n how many movers
function Pool:collect(out) end

---Writes place, velocity and tag of each mover as a row of five floats, for drawing.
---@param data any a LÖVE Data, or any userdata with getPointer and getSize, in C
---@return integer n how many rows
function Pool:write(data) end

---Figures of the pool.
---@return broadside.PoolStats stats
function Pool:stats() end

---The pool as it is now: to go back to it, to store it, to compare it.
---@param reuse? broadside.PoolSnapshot one of this pool, which is written over and returned
---@return broadside.PoolSnapshot snapshot
function Pool:snapshot(reuse) end

---The pool is as it was when the Snapshot was taken: movers, their ids and order, those that had just
---ended, emitters with what is left of their counts, settings. A string brings copies of Models along.
---@param snapshot broadside.PoolSnapshot|string of this pool; a string may be of any of its capacity
function Pool:restore(snapshot) end

---Makes an emitter. It goes on without being held.
---@param spec? broadside.EmitterSpec
---@return broadside.Emitter emitter
function Pool:newEmitter(spec) end

-- Snapshot of a pool ------------------------------------------------------------------------------

---A 2D pool as it was: see Pool:snapshot.
---@class broadside.PoolSnapshot
local PoolSnapshot = {}

---The snapshot as bytes, for a file or the network: the same on every platform.
---@return string bytes
function PoolSnapshot:getString() end

---A hash of the state, however the pool came to it: the same on every platform.
---@return string digits 16 hexadecimal digits
function PoolSnapshot:getHash() end

-- Emitter and Model -------------------------------------------------------------------------------

---What an emitter fires, when, and in which pattern.
---@class broadside.EmitterSpec
---@field x? number
---@field y? number
---@field angle? number in radians, from +x towards +y; 0, if it is left out
---@field speed? number that of the model, if it is left out
---@field delay? integer steps before it first fires; 0, if it is left out
---@field cycle? integer steps from one firing to the next; 1, if it is left out
---@field count? integer how often; endless if negative, as it is when it is left out
---@field nway? integer shots in a fan; 1, if it is left out
---@field nwayAngle? number the angle between neighbours in the fan
---@field circle? integer so many fans evenly around; 1, if it is left out
---@field circleOdd? boolean turns them by half of what they are apart
---@field model? broadside.Model

---The same for an emitter that movers carry: x, y count from the mover.
---@class broadside.CarriedSpec: broadside.EmitterSpec
---@field relative? boolean counts the angle from the direction of flight
---@field model? broadside.Model|"self" "self" fires more of the same

---An emitter of a 2D pool. Nothing happens to one that has ended.
---@class broadside.Emitter
local Emitter = {}

---Moves the emitter.
---@param x number
---@param y number
function Emitter:setPosition(x, y) end

---Turns the emitter.
---@param angle number in radians
function Emitter:setAngle(angle) end

---How often it will still fire; -1: endless.
---@return integer n
function Emitter:getCount() end

---Whether it will fire again.
---@return boolean active
function Emitter:isActive() end

---Ends it. What it has fired flies on.
function Emitter:stop() end

---Options of newModel in 2D.
---@class broadside.ModelOptions
---@field speed? number
---@field w? number size
---@field h? number size
---@field ax? number acceleration
---@field ay? number acceleration
---@field life? integer in steps
---@field tag? integer
---@field mask? integer 32 bits: the layers that its movers hit
---@field emitters? broadside.CarriedSpec[]
---@field dim? 2 the number of axes

---A prototype of movers, in 2D.
---@class broadside.Model
local Model = {}

-- Functions without a world -----------------------------------------------------------------------

---Whether the interiors of two rectangles meet.
---@param ax number
---@param ay number
---@param aw number
---@param ah number
---@param bx number
---@param by number
---@param bw number
---@param bh number
---@return boolean overlap
function broadside.overlap(ax, ay, aw, ah, bx, by, bw, bh) end

---When two moving rectangles meet within one unit of time, or nil.
---@param ax number
---@param ay number
---@param aw number
---@param ah number
---@param avx number velocity of a
---@param avy number velocity of a
---@param bx number
---@param by number
---@param bw number
---@param bh number
---@param bvx number velocity of b
---@param bvy number velocity of b
---@return number? t 0 to 1; nil: they do not meet
---@return number nx normal of b there; 0 if they overlap at the start
---@return number ny normal of b there
function broadside.sweep(ax, ay, aw, ah, avx, avy, bx, by, bw, bh, bvx, bvy) end

---Where a segment enters a rectangle, or nil.
---@param x1 number where it starts
---@param y1 number where it starts
---@param x2 number where it ends
---@param y2 number where it ends
---@param x number
---@param y number
---@param w number
---@param h number
---@return number? t how far along: 0 to 1; nil: it does not
---@return number nx normal there; 0 if it starts inside
---@return number ny normal there
function broadside.segment(x1, y1, x2, y2, x, y, w, h) end

---The least push that parts rectangle a from b, or nil.
---@param ax number
---@param ay number
---@param aw number
---@param ah number
---@param bx number
---@param by number
---@param bw number
---@param bh number
---@return number? dx nil: they do not overlap
---@return number dy
function broadside.separation(ax, ay, aw, ah, bx, by, bw, bh) end

---A direction mirrored about a unit normal.
---@param dx number
---@param dy number
---@param nx number
---@param ny number
---@return number dx
---@return number dy
function broadside.reflect(dx, dy, nx, ny) end

---The least rectangle around points.
---@param flat number[] {x1, y1, ...}
---@return number x
---@return number y
---@return number w
---@return number h
function broadside.bounds(flat) end

---The rectangle around a rectangle that is scaled, turned and moved.
---@param x number
---@param y number
---@param w number
---@param h number
---@param tx number how it is moved
---@param ty number how it is moved
---@param angle? number in radians
---@param sx? number scale; 1, if it is left out
---@param sy? number scale; that of x, if it is left out
---@return number x
---@return number y
---@return number w
---@return number h
function broadside.transform(x, y, w, h, tx, ty, angle, sx, sy) end
