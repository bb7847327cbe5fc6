---@meta _

-- The 2D half. 3d.lua is made from this file by `make types`.

---@class broadside
local broadside = {}

---A box of a world: a Box, or its id.
---@alias broadside.BoxRef broadside.Box|integer

---What pairs, queries, casts and callbacks return for a box: a Box. With `results` of newWorld it is an id
---or the `data`; such a world is a broadside.WorldOfIds or broadside.WorldOfData.
---@alias broadside.Result broadside.Box

---A filter of both kinds: `mask` as a mask alone; without `except`, which is a box or a list of boxes.
---@class broadside.FilterTable
---@field mask? integer
---@field except? broadside.BoxRef|broadside.BoxRef[]

---Which boxes count. A mask: those with `layer & filter ~= 0`. A Box: all others. A function: those for
---which it returns true.
---@alias broadside.Filter integer|broadside.Box|broadside.FilterTable|fun(box: broadside.Result): any

---Which boxes a moving box meets, and its response. A mask: it slides along boxes with
---`layer & filter ~= 0`. Nothing: it slides along all that it could make a pair with. A Box: the same,
---without this one. A function is called once for each box on the way; nil and false ignore the box.
---@alias broadside.MoveFilter integer|broadside.Box|broadside.ResponseMasks|fun(box: broadside.Result, other: broadside.Result): broadside.MoveResponse?

---A hit of a moving box.
---@class broadside.Collision
---@field other broadside.Result
---@field response broadside.MoveResponse
---@field t number the fraction of the whole motion: 0 to 1
---@field x number where the moving box was then
---@field y number where the moving box was then
---@field nx number normal of the side that was hit
---@field ny number normal of the side that was hit
---@field overlap boolean the two overlapped at the start; then the normal is that of the shortest way out

---A box that a platform has pushed or carried.
---@class broadside.Pushed
---@field other broadside.Result
---@field x number where it is now
---@field y number where it is now
---@field crushed boolean it could not get out of the way, and overlaps the platform at the end
---@field carried boolean it rested on what moved

---Options of newWorld in 2D.
---@class broadside.WorldOptions
---@field backend? broadside.BackendName|broadside.Backend "auto", if it is left out
---@field gravity? number[] {gx, gy}
---@field dim? 2 the number of axes
---@field results? "box"|"id"|"data" what calls return for a box; "box", if it is left out

---Options of world:insert and world:insertMany.
---@class broadside.InsertOptions: broadside.Properties
---@field static? boolean two static boxes make no pair
---@field layer? integer 32 bits; 1, if it is left out; 0: it makes no pair, and no mask finds it
---@field mask? integer 32 bits: the layers with which it makes pairs; all, if it is left out
---@field data? any a value of yours
---@field key? string the data, a table, gets what insert returns in this field; not for insertMany
---@field vx? number velocity
---@field vy? number velocity
---@field ax? number acceleration
---@field ay? number acceleration

-- World -------------------------------------------------------------------------------------------

---Options of World:newContacts.
---@class broadside.ContactsOptions
---@field mask? integer contacts in which one of the two has a layer of it (all)

---A set of boxes and a back end, in 2D. `#world` is the number of boxes.
---@class broadside.World
---@operator len: integer
local World = {}

---Inserts a box.
---@param x number minimum corner
---@param y number minimum corner
---@param w number size > 0
---@param h number size > 0
---@param opts? broadside.InsertOptions
---@return broadside.Result box an id with results = "id"
function World:insert(x, y, w, h, opts) end

---Inserts a circle.
---@param x number its centre
---@param y number its centre
---@param r number its radius > 0
---@param opts? broadside.InsertOptions
---@return broadside.Result box an id with results = "id"
function World:insertCircle(x, y, r, opts) end

---Inserts a convex polygon. It is an error in worlds of three axes.
---@param corners number[] {x1, y1, ...}: 3 to 16 corners, clockwise or counterclockwise
---@param opts? broadside.InsertOptions
---@return broadside.Result box an id with results = "id"
function World:insertPolygon(corners, opts) end

---Inserts a polygon of any number of corners, in either winding order, as convex ones. It is
---an error in worlds of three axes.
---@param points number[] {x1, y1, ...}: it has an area, and does not cross itself
---@param opts? broadside.InsertOptions of each, without key
---@return broadside.Result[] boxes ids with results = "id"
function World:insertConcave(points, opts) end

---Inserts a wall along a polyline, as convex polygons. It is an error in worlds of three axes.
---@param points number[] {x1, y1, ...}: closed, if the last one is the first
---@param thickness number > 0; the line is in the middle
---@param opts? broadside.InsertOptions of each, without key
---@return broadside.Result[] boxes ids with results = "id"
function World:insertPolyline(points, thickness, opts) end

---Inserts many boxes: all of them, or an error and none.
---@param flat number[] {x1, y1, w1, h1, ...}
---@param opts? broadside.InsertOptions for each of them
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out the boxes; ids with results = "id"
---@return integer n how many
function World:insertMany(flat, opts, out) end

---Removes a box. Any further use of it raises "box was removed".
---@param box broadside.BoxRef
function World:remove(box) end

---Removes all boxes.
function World:clear() end

---Frees memory that is not needed now. Never fails; answers, ids and Boxes stay as they are.
function World:trim() end

---Teleports a box, and resizes it if sizes are given.
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

---Iterates over the boxes that are there at the call, in the order of insertion.
---@return fun(): broadside.Box iterator
function World:boxes() end

---The back end that the world uses.
---@return broadside.Backend backend
function World:getBackend() end

---Changes the back end. Contents and answers stay the same.
---@param backend broadside.BackendName|broadside.Backend
function World:setBackend(backend) end

---Iterates over the overlapping pairs at the call. In each pair the box inserted first comes first. The
---loop may insert, remove and move boxes.
---@return fun(): broadside.Result, broadside.Result iterator
function World:pairs() end

---Lists the overlapping pairs.
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out {a1, b1, a2, b2, ...}
---@return integer n how many pairs
function World:collectPairs(out) end

---The number of overlapping pairs.
---@return integer n
function World:countPairs() end

---Calls a function for each overlapping pair.
---@param f fun(a: broadside.Result, b: broadside.Result)
function World:eachPair(f) end

---Iterates over the pairs, compared with those of the previous call.
---@param which? "all"|"changes" "changes": only begins and ends
---@return fun(): "begin"|"stay"|"end", broadside.Result, broadside.Result iterator
function World:contacts(which) end

---Lists the pairs, compared with those of the previous call.
---@param which? "all"|"changes" "changes": only begins and ends
---@param out? (string|broadside.Result)[] is filled and returned
---@return (string|broadside.Result)[] out {phase1, a1, b1, phase2, ...}
---@return integer n how many contacts
function World:collectContacts(which, out) end

---Makes a listener, which the world keeps: it has a memory of its own of what it was told.
---@param opts? broadside.ContactsOptions
---@return broadside.Contacts contacts
function World:newContacts(opts) end

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

---The boxes that hold a point, in the order of insertion: near sides are in a box, far sides are not.
---@param x number
---@param y number
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:queryPoint(x, y, filter, out) end

---The boxes nearer to a point than r, in the order of insertion.
---@param x number
---@param y number
---@param r number the distance, >= 0
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@param distances? number[] is filled with the distance of each, in the same order
---@return broadside.Result[] out
---@return integer n how many
function World:queryCircle(x, y, r, filter, out, distances) end

---The boxes that overlap a convex polygon, in the order of insertion. It is an error in worlds of three
---axes.
---@param corners number[] {x1, y1, ...}: 3 to 16 corners, clockwise or counterclockwise
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:queryPolygon(corners, filter, out) end

---The other boxes that overlap a box, in the order of insertion.
---@param box broadside.BoxRef
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:queryBox(box, filter, out) end

---All boxes on a segment, in the order along it.
---@param x1 number where it starts
---@param y1 number where it starts
---@param x2 number where it ends
---@param y2 number where it ends
---@param filter? broadside.Filter
---@param out? broadside.Result[] is filled and returned
---@return broadside.Result[] out
---@return integer n how many
function World:querySegment(x1, y1, x2, y2, filter, out) end

---All boxes that a box would meet if it moved, in the order of contact.
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

---The first box on a segment, or nil. The point is on the side of the box, to the last bit, so that a
---segment that starts there and leads away leaves the box.
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

---Pushes a box out of all that it overlaps: by one push if that is no longer than several, the least
---overlap first. For boxes that were spawned, loaded, teleported or grown; not for movement.
---@param box broadside.BoxRef
---@param filter? broadside.Filter
---@return number dx how far it was pushed
---@return number dy how far it was pushed
---@return integer n how many pushes
function World:resolve(box, filter) end

---Moves a box towards a goal, as far as it gets. It never ends inside a solid box, unless it was in that
---before.
---@param box broadside.BoxRef
---@param x number its goal
---@param y number its goal
---@param filter? broadside.MoveFilter
---@param out? broadside.Collision[] is filled and returned; it keeps its rows, in its metatable
---@return number x where it is now
---@return number y where it is now
---@return broadside.Collision[] hits what it met, in the order of contact
---@return integer n how many
function World:move(box, x, y, filter, out) end

---As world:move, by a distance: the goal is the corner of the box's rectangle plus dx, dy.
---@param box broadside.BoxRef
---@param dx number how far
---@param dy number how far
---@param filter? broadside.MoveFilter
---@param out? broadside.Collision[] is filled and returned; it keeps its rows, in its metatable
---@return number x where it is now
---@return number y where it is now
---@return broadside.Collision[] hits what it met, in the order of contact
---@return integer n how many
function World:moveBy(box, dx, dy, filter, out) end

---The answer of world:move, but nothing moves.
---@param box broadside.BoxRef
---@param x number its goal
---@param y number its goal
---@param filter? broadside.MoveFilter
---@param out? broadside.Collision[] is filled and returned; it keeps its rows, in its metatable
---@return number x where it would be
---@return number y where it would be
---@return broadside.Collision[] hits what it would meet, in the order of contact
---@return integer n how many
function World:check(box, x, y, filter, out) end

---Moves many boxes, one after the other: all of them, or an error and none.
---@param boxes broadside.BoxRef[]
---@param goals number[] {x1, y1, ...}
---@param filter? broadside.MoveFilter
---@param out? number[] is filled and returned
---@return number[] out {x1, y1, ...}: where each of them is now
---@return integer n how many were stopped or deflected
function World:moveMany(boxes, goals, filter, out) end

---Moves a platform all the way to its goal. It pushes dynamic boxes out of its way, and carries what
---gravity presses onto it (nothing without world:setGravity).
---@param box broadside.BoxRef
---@param x number its goal
---@param y number its goal
---@param filter? broadside.MoveFilter which boxes are solid to it; a function is called for what it would push or carry itself
---@param out? broadside.Pushed[] is filled and returned; it keeps its rows, in its metatable
---@return number x where it is now
---@return number y where it is now
---@return broadside.Pushed[] hits what was pushed or carried
---@return integer n how many
function World:push(box, x, y, filter, out) end

---Moves a platform of several boxes as one; what rests on several of them is carried once.
---@param boxes broadside.BoxRef[]
---@param dx number how far all of them go
---@param dy number how far all of them go
---@param filter? broadside.MoveFilter which boxes are solid to it; a function is called for what they would push or carry themselves
---@param out? broadside.Pushed[] is filled and returned
---@return broadside.Pushed[] hits what was pushed or carried
---@return integer n how many
function World:pushMany(boxes, dx, dy, filter, out) end

---The box that is flush with one side of a box, or nil; of several the one inserted first.
---@param box broadside.BoxRef
---@param dx number the side in this direction; one of the numbers is not 0
---@param dy number the side in this direction; one of the numbers is not 0
---@param filter? broadside.MoveFilter what is crossed does not count
---@param asId? boolean true: the result is an id, whatever the world's `results`
---@return broadside.Result? other
function World:touching(box, dx, dy, filter, asId) end

---Whether a place is free for a box, and what is in its way; of several boxes the one inserted first.
---@param box broadside.BoxRef
---@param x number the place
---@param y number the place
---@param w? number that of the box, if it is left out
---@param h? number that of the box, if it is left out
---@param filter? broadside.MoveFilter what is crossed does not block
---@return boolean fits
---@return broadside.Result? other
function World:canFit(box, x, y, w, h, filter) end

---Iterates over the hits of the last step: each two that met, once. It goes by box in the order of
---insertion, and through the hits of one box by t. Of two bodies box is the one inserted first; else it is
---the body. The normal points at box. speed is the speed at which they closed in, impulse what they gave
---each other: 0 if they crossed. x, y is the place where they touched. It skips boxes that the loop removes.
---@return fun(): broadside.Result, broadside.Result, broadside.Response, number, number, number, number, number, number, number iterator of box, other, response, t, nx, ny, speed, impulse, x, y
function World:hits() end

---Moves all dynamic boxes at the same time: velocity += (gravity * gravityScale + acceleration) dt, less
---damping and drag, and then position += velocity dt. Boxes with a response are bodies: they also collide,
---with mass, bounce and friction.
---@param dt number the length of the step, >= 0
function World:step(dt) end

---Sets the gravity of world:step, world:push and world:pushMany.
---@param gx number
---@param gy number
function World:setGravity(gx, gy) end

---The gravity.
---@return number gx
---@return number gy
function World:getGravity() end

---Figures of the world and of its back end.
---@return broadside.Stats stats
function World:stats() end

---The outlines of all circles and polygons, in the order of insertion, one after the other:
---"circle", x, y, r, or "polygon", the number of its corners, and x, y of each of them.
---@param out? any[] is filled and returned
---@return any[] out
---@return integer n how many outlines
function World:debugShapes(out) end

---The inside of the back end: boxes, fat AABBs, nodes and cells.
---@param out? any[] is filled and returned
---@return any[] out rows of kind, x, y, w, h
---@return integer n how many rows
function World:debugRects(out) end

---Takes a snapshot of the world, to restore, store or compare it.
---@param reuse? broadside.Snapshot a snapshot of this world, which is overwritten and returned
---@return broadside.Snapshot snapshot
function World:snapshot(reuse) end

---Puts the world back into the state of the Snapshot: boxes, their ids, order, data, contacts. A string
---has no data: boxes that are in the world now keep theirs, the others get what `f` returns, or none.
---With `all` every box gets what `f` returns.
---@param snapshot broadside.Snapshot|string of this world; a string may be of any world in 2D
---@param f? fun(box: broadside.Result): any called for each new box of a string, when all boxes are there; it must not change the world
---@param all? boolean no box keeps its data, and `f` is called for every box
function World:restore(snapshot, f, all) end

-- Snapshot ----------------------------------------------------------------------------------------

---A snapshot of a 2D world: see World:snapshot.
---@class broadside.Snapshot
local Snapshot = {}

---The snapshot as bytes, for a file or the network: the same on every platform.
---@return string bytes
function Snapshot:getString() end

---A hash of the state, not of how the world came to it: the same on every platform.
---@return string digits 16 hexadecimal digits
function Snapshot:getHash() end

-- Contacts ----------------------------------------------------------------------------------------

---A listener of a 2D world: see World:newContacts. Its contacts are overlaps, and also boxes that are
---flush: one of the two, a dynamic one, rests against the other.
---@class broadside.Contacts
local Contacts = {}

---Iterates over the contacts, compared with those that this listener was told last; ends come first.
---@param which? "all"|"changes" "changes": only begins and ends
---@return fun(): "begin"|"stay"|"end", broadside.Result, broadside.Result iterator
function Contacts:each(which) end

---Lists the contacts, compared with those that this listener was told last; ends come first.
---@param which? "all"|"changes" "changes": only begins and ends
---@param out? (string|broadside.Result)[] is filled and returned
---@return (string|broadside.Result)[] out {phase1, a1, b1, phase2, ...}
---@return integer n how many contacts
function Contacts:collect(which, out) end

-- Box ---------------------------------------------------------------------------------------------

---A box of a 2D world: a handle, always the same one for the same box. It keeps its world alive.
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

---Sets its shape: "box" fills its rectangle; "circle" is around its centre; "polygon" has these
---corners.
---@param kind broadside.ShapeKind
---@param value? number|number[] the radius > 0; the corners {x1, y1, ...}, 3 to 16, convex
function Box:setShape(kind, value) end

---Moves the box, and resizes it if sizes are given. Those of a circle must be equal.
---@param x number
---@param y number
---@param w? number
---@param h? number
function Box:setRect(x, y, w, h) end

---The centre of the box.
---@return number x
---@return number y
function Box:getCenter() end

---Moves the box so that its centre is there.
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

---The acceleration, in addition to the world's gravity.
---@return number ax
---@return number ay
function Box:getAcceleration() end

---Sets the acceleration.
---@param ax number
---@param ay number
function Box:setAcceleration(ax, ay) end

---The value that was given as data. A removed box answers with what it had.
---@return any data
function Box:getData() end

---Sets the data.
---@param data any
function Box:setData(data) end

---Whether the box is static.
---@return boolean static
function Box:isStatic() end

---Whether the next step has anything to do for it. A static box is never awake; a body is, until it and all
---that it presses on are at rest; a box without a response is awake while it flies.
---@return boolean awake
function Box:isAwake() end

---Makes the box static or dynamic.
---@param static boolean
function Box:setStatic(static) end

---The layers that it is on, and those with which it makes pairs.
---@return integer layer
---@return integer mask
function Box:getFilter() end

---Sets the layers that it is on, and those with which it makes pairs.
---@param layer integer 32 bits
---@param mask integer 32 bits
function Box:setFilter(layer, mask) end

---Sets the layers that it is on. The mask stays.
---@param layer integer 32 bits
function Box:setLayer(layer) end

---Sets the layers with which it makes pairs. Its own layer stays.
---@param mask integer 32 bits
function Box:setMask(mask) end

---Sets the rectangle in object space that setTransform transforms.
---@param x number
---@param y number
---@param w number
---@param h number
function Box:setObjectRect(x, y, w, h) end

---Makes the box the AABB of the object's rectangle, scaled, then rotated, then moved.
---@param x number the position of the object
---@param y number the position of the object
---@param angle? number in radians
---@param sx? number scale; 1, if it is left out
---@param sy? number scale; that of x, if it is left out
function Box:setTransform(x, y, angle, sx, sy) end

---Sets whether setTransform rotates the box; by default it does.
---@param rotates boolean
function Box:setRotates(rotates) end

---The id of the box, which is never used again.
---@return integer id
function Box:getId() end

---The world that the box is in.
---@return broadside.World world
function Box:getWorld() end

---Removes the box from its world.
function Box:remove() end

---Iterates over the contacts of this box, overlaps and what is flush with it, compared with those of the
---previous call with the same mask; ends come first.
---@param which? "all"|"changes" "changes": only begins and ends
---@param mask? integer boxes that have a layer of it; by default all
---@return fun(): "begin"|"stay"|"end", broadside.Result iterator
function Box:contacts(which, mask) end

---Whether the box was removed. All its other methods are errors then.
---@return boolean removed
function Box:isRemoved() end

-- Properties of boxes -----------------------------------------------------------------------------
-- Made by `make types` from include/broadside/conduct.h.

---What boxes are given as options or by methods.
---@class broadside.Properties
---@field bounce? number >= 0: how much closing speed a hit gives back; 1 with the response bounce, else 0, if it is left out
---@field mass? number > 0, perhaps math.huge: the mass of a body; 1, if it is left out
---@field friction? number >= 0: the part of a hit's impulse that may act along the side; 0, if it is left out
---@field drag? number|number[] >= 0; a list has one for each axis: the speed lost per time; 0, if it is left out
---@field damping? number >= 0: the part of the speed lost per time; 0, if it is left out
---@field maxSpeed? number|number[] > 0, perhaps math.huge; a list has one for each axis: the highest speed; math.huge, if it is left out
---@field gravityScale? number the factor for gravity in world:step; 1, if it is left out
---@field response? broadside.Response the response in world:step; without one it flies, and nothing stops it
---@field oneWay? number[]|"up"|"down"|"left"|"right" {nx, ny}: the normal of the only side that is solid; without one all are
---@field sensor? boolean whether it is a sensor: movement reports it, and it never blocks

---How much closing speed a hit gives back.
---@return number? bounce
function Box:getBounce() end

---Sets how much closing speed a hit gives back.
---@param bounce? number >= 0
function Box:setBounce(bounce) end

---The mass of a body.
---@return number mass
function Box:getMass() end

---Sets the mass of a body.
---@param mass number > 0, perhaps math.huge
function Box:setMass(mass) end

---The part of a hit's impulse that may act along the side.
---@return number friction
function Box:getFriction() end

---Sets the part of a hit's impulse that may act along the side.
---@param friction number >= 0
function Box:setFriction(friction) end

---The speed lost per time, and the part of the speed lost per time.
---@return number|number[] drag
---@return number damping
function Box:getDrag() end

---Sets the speed lost per time, and the part of the speed lost per time.
---@param drag number|number[] >= 0; a list has one for each axis
---@param damping number >= 0
function Box:setDrag(drag, damping) end

---The highest speed.
---@return number|number[] maxSpeed
function Box:getMaxSpeed() end

---Sets the highest speed.
---@param maxSpeed number|number[] > 0, perhaps math.huge; a list has one for each axis
function Box:setMaxSpeed(maxSpeed) end

---The factor for gravity in world:step.
---@return number gravityScale
function Box:getGravityScale() end

---Sets the factor for gravity in world:step.
---@param gravityScale number
function Box:setGravityScale(gravityScale) end

---The response in world:step; without one it flies, and nothing stops it.
---@return broadside.Response? response
function Box:getResponse() end

---Sets the response in world:step; without one it flies, and nothing stops it.
---@param response? broadside.Response
function Box:setResponse(response) end

---The normal of the only side that is solid; without one all are.
---@return number? nx
---@return number? ny
function Box:getOneWay() end

---Sets the normal of the only side that is solid; without one all are.
---@param nx? number -1, 0 or 1
---@param ny? number -1, 0 or 1
function Box:setOneWay(nx, ny) end

---Whether it is a sensor: movement reports it, and it never blocks.
---@return boolean sensor
function Box:isSensor() end

---Sets whether it is a sensor: movement reports it, and it never blocks.
---@param sensor boolean
function Box:setSensor(sensor) end

-- Pool --------------------------------------------------------------------------------------------

---Options of newPool in 2D.
---@class broadside.PoolOptions
---@field capacity integer how many movers there can be
---@field w? number size of movers, given with h; 0, if both are left out
---@field h? number size of movers, given with w; 0, if both are left out
---@field bounds? number[] {x, y, w, h}: movers that do not overlap it are freed
---@field mask? integer 32 bits: the layers that movers hit; all, if it is left out
---@field dim? 2 the number of axes

---Options of pool:spawn. They override the model, and the model overrides the pool.
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

---Frees a mover. Returns false if it is free already, which does no harm. One that ended in the last step
---then has no more hits.
---@param id integer
---@return boolean freed
function Pool:free(id) end

---Whether the mover is alive.
---@param id integer
---@return boolean alive
function Pool:isAlive(id) end

---The position and velocity of a mover; also of one that ended in the last step.
---@param id integer
---@return number x
---@return number y
---@return number vx
---@return number vy
function Pool:get(id) end

---Teleports a mover: it hits nothing on the way. No effect on one that ended in the last step.
---@param id integer
---@param x number
---@param y number
---@param vx number
---@param vy number
function Pool:set(id, x, y, vx, vy) end

---The tag of a mover; also of one that ended in the last step.
---@param id integer
---@return integer tag
function Pool:getTag(id) end

---Fires emitters, moves all movers, and frees those at the end of their life or out of bounds. Their
---hits of this step can be read until the next one begins.
---@param dt number the length of the step, >= 0
---@return integer freed how many
---@return integer spawned how many
function Pool:step(dt) end

---The number of movers.
---@return integer n
function Pool:count() end

---The most movers that there can be.
---@return integer n
function Pool:capacity() end

---Frees all movers; emitters go on.
function Pool:clear() end

---Frees the memory of emitters that have ended, and of lists of hits. Never fails.
function Pool:trim() end

---Iterates over the movers.
---@return fun(): integer, number, number iterator of id, x, y
function Pool:each() end

---Iterates over the first box that each mover met in its last step, and where the mover was then: its
---side is flush with the box, so that it leaves if it is reflected there. Movers that ended in that step
---come last.
---@param world broadside.World
---@param filter? integer|broadside.Box|fun(box: broadside.Result, id: integer): any
---@param all? boolean true: every box that it met in that step, by t, for shots that pierce; each once, however it moves
---@return fun(): integer, broadside.Result, number, number, number, number, number iterator of id, box, t, x, y, nx, ny
function Pool:hits(world, filter, all) end

---Iterates over the movers that met this Box in their last step.
---@param box broadside.Box
---@param dx? number how the box itself has moved in that step
---@param dy? number how the box itself has moved in that step
---@return fun(): integer, number, number, number, number, number iterator of id, t, x, y, nx, ny
function Pool:hitsBox(box, dx, dy) end

---Iterates over the movers that met a rectangle in their last step.
---@param x number
---@param y number
---@param w number
---@param h number
---@param dx? number how it has itself moved in that step
---@param dy? number how it has itself moved in that step
---@return fun(): integer, number, number, number, number, number iterator of id, t, x, y, nx, ny
function Pool:hitsRect(x, y, w, h, dx, dy) end

---Lists the positions of all movers.
---@param out? number[] is filled and returned
---@return number[] out {x1, y1, ...}
---@return integer n how many movers
function Pool:collect(out) end

---Writes position, velocity and tag of each mover as a row of five floats, for drawing.
---@param data any a LÖVE Data, or any userdata with getPointer and getSize, in C
---@return integer n how many rows
function Pool:write(data) end

---Figures of the pool.
---@return broadside.PoolStats stats
function Pool:stats() end

---Takes a snapshot of the pool, to restore, store or compare it.
---@param reuse? broadside.PoolSnapshot a snapshot of this pool, which is overwritten and returned
---@return broadside.PoolSnapshot snapshot
function Pool:snapshot(reuse) end

---Puts the pool back into the state of the Snapshot: movers, their ids and order, those that had just
---ended, what those that pierce had met, emitters with what is left of their counts, settings. A string contains copies of Models.
---@param snapshot broadside.PoolSnapshot|string of this pool; a string may be of any pool of the same capacity
function Pool:restore(snapshot) end

---Makes an emitter. It goes on firing even if you do not keep it.
---@param spec? broadside.EmitterSpec
---@return broadside.Emitter emitter
function Pool:newEmitter(spec) end

-- Snapshot of a pool ------------------------------------------------------------------------------

---A snapshot of a 2D pool: see Pool:snapshot.
---@class broadside.PoolSnapshot
local PoolSnapshot = {}

---The snapshot as bytes, for a file or the network: the same on every platform.
---@return string bytes
function PoolSnapshot:getString() end

---A hash of the state, not of how the pool came to it: the same on every platform.
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
---@field count? integer how often it fires; endlessly if negative or left out
---@field nway? integer shots in a fan; 1, if it is left out
---@field nwayAngle? number the angle between neighbours in the fan
---@field circle? integer so many fans evenly around the circle; 1, if it is left out
---@field circleOdd? boolean turns them by half of the angle between them
---@field model? broadside.Model

---The same for an emitter that movers carry: x, y are relative to the mover.
---@class broadside.CarriedSpec: broadside.EmitterSpec
---@field relative? boolean makes the angle relative to the direction of flight
---@field model? broadside.Model|"self" "self" fires more of the same

---An emitter of a 2D pool. Its methods have no effect once it has ended.
---@class broadside.Emitter
local Emitter = {}

---Moves the emitter.
---@param x number
---@param y number
function Emitter:setPosition(x, y) end

---Sets the angle of the emitter.
---@param angle number in radians
function Emitter:setAngle(angle) end

---How often it will still fire; -1: endlessly.
---@return integer n
function Emitter:getCount() end

---Whether it will fire again.
---@return boolean active
function Emitter:isActive() end

---Ends it. Its shots fly on.
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

---Whether the interiors of two rectangles overlap.
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

---The shortest push that separates rectangle a from b, or nil.
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

---A direction reflected about a unit normal.
---@param dx number
---@param dy number
---@param nx number
---@param ny number
---@return number dx
---@return number dy
function broadside.reflect(dx, dy, nx, ny) end

---The AABB of points.
---@param flat number[] {x1, y1, ...}
---@return number x
---@return number y
---@return number w
---@return number h
function broadside.bounds(flat) end

---The AABB of a rectangle that is scaled, rotated and moved.
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
