--- Makes unknown names errors: fields of Worlds, Boxes and so on, and fields of hits. Messages,
-- also those about walkers, say what the name is called here, which known name is similar, or which
-- names there are. The C modules raise the error about an unknown option, and ask this for the
-- words.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local fields = require(root .. ".support.fields")

-- Names that bump.lua, HC, love.physics or windfield use, or that a beginner would guess.
local USE = {
  World = {
    ["world:insert"] = "add addBox addRect create newBody newFixture newRectangleCollider " ..
      "rectangle register",
    ["world:insertCircle"] = "addCircle circle newCircle newCircleCollider",
    ["world:insertPolygon"] = "addPolygon newPolygon newPolygonCollider polygon",
    ["world:insertPolygon, or a thin box"] = "addEdge newEdgeShape",
    ["world:insertPolyline, or a thin box"] = "addLine insertLine newChainShape newLineCollider",
    ["the options layer and mask of world:insert"] = "addCollisionClass setFilter setLayer setMask",
    ["world:remove"] = "delete kill",
    ["world:clear"] = "destroy removeAll reset resetHash",
    ["world:boxes"] = "[number] each getBodies getBoxes getItems items iterate",
    ["world:count"] = "countItems getBodyCount length size",
    ["world:has"] = "contains hasItem",
    ["box:getRect, or world:getRects for many"] = "getRect",
    ["world:update"] = "moveTo setPosition setRect teleport",
    ["world:check, or world:sweep for the first box alone"] = "project",
    ["world:segmentCast"] = "cast queryRay querySegmentWithCoords rayCast rayCastClosest raycast",
    ["world:querySegment"] = "queryLine",
    ["require(\"broadside.walker\").new(world, box)"] = "newWalker",
    ["world:queryPoint"] = "shapesAt",
    ["world:queryRect"] = "query queryBoundingBox",
    ["world:queryBox"] = "collisions intersects neighbors overlaps",
    ["world:contacts"] = "getContactList getContacts",
    ["world:newContacts"] = "beginContact endContact enter exit onCollision setCallbacks stay",
    ["world:snapshot"] = "getState save",
    ["world:snapshot():getString()"] = "dump getString serialize toString",
    ["world:snapshot():getHash()"] = "checksum getHash hash",
    ["world:restore"] = "deserialize load rollback setState",
    ["require(\"broadside.debug\").draw(world)"] = "draw",
  },
  Box = {
    ["box:getRect and box:setRect"] = "x y z w h d bbox bottom bounds depth getBoundingBox " ..
      "getBounds getDepth getHeight getPosition getSize getWidth getX getY height left pos " ..
      "position right setPosition setSize setX setY size top width",
    ["world:move, world:check or world:push"] = "check move moveBy moveTo push",
    ["world:touching"] = "isTouching touching",
    ["box:getVelocity and box:setVelocity"] = "addVelocity applyImpulse " ..
      "applyLinearImpulse getLinearVelocity getSpeed setLinearVelocity setSpeed speed vx vy vz",
    ["box:getAcceleration and box:setAcceleration"] = "addForce applyForce ax ay az",
    ["box:getBounce and box:setBounce"] = "elasticity getRestitution restitution setElasticity " ..
      "setRestitution",
    ["box:getDrag and box:setDrag"] = "damping getDamping getLinearDamping linearDamping " ..
      "setDamping setLinearDamping",
    ["box:setFilter(0, 0), or box:remove"] = "disable enable setActive setEnabled",
    ["box:contacts"] = "enter entered exit getContactList getContacts onCollide " ..
      "onCollision stay",
    ["a walker: require(\"broadside.walker\").new(world, box)"] = "drop jump walk",
    ["box:isAwake"] = "isActive isSleeping sleeping",
    ["box:isStatic and box:setStatic"] = "getBodyType getType immovable setBodyType " ..
      "setImmovable setType",
    ["box:getFilter and box:setFilter"] = "category getCategory getLayer getMask group layer " ..
      "mask setCategory",
    ["box:isSensor and box:setSensor"] = "isTrigger setTrigger trigger",
    ["box:getGravityScale and box:setGravityScale"] = "gravity setGravity",
    ["box:getData and box:setData"] = "getUserData setUserData userData userdata",
    ["box:getData and box:setData; a box without data is a Box, also with results = \"data\""] =
      "kind name tag type",
    ["box:setTransform"] = "angle angularVelocity applyTorque getAngularVelocity rotate " ..
      "rotation scale setAngle setAngularVelocity setRotation setScale",
    ["box:getShape and box:setShape"] = "getRadius radius setRadius",
    ["world:queryBox"] = "collidesWith overlaps intersects",
    ["box:remove"] = "delete destroy kill",
    ["box:isRemoved"] = "isDestroyed",
  },
  Pool = {
    ["pool:spawn"] = "add emit fire insert shoot",
    ["pool:free"] = "delete kill remove",
    ["pool:step"] = "update",
    ["pool:each"] = "[number] getAll iterate",
    ["pool:snapshot"] = "getState save",
    ["pool:snapshot():getString()"] = "dump getString serialize toString",
    ["pool:snapshot():getHash()"] = "checksum getHash hash",
    ["pool:restore"] = "deserialize load rollback setState",
    ["pool:each, or require(\"broadside.draw\").pool(pool)"] = "draw",
  },
  Snapshot = { ["world:restore or pool:restore"] = "load restore" },
  Emitter = { ["emitter:setPosition"] = "x y" },
  walker = { -- besides these, hero.box: has what a Box has
    ["hero:walk(vx, -400, dt): a jump is a velocity away from the floor"] = "jump",
    ["hero:walk(vx, vy, dt)"] = "acceleration ax ay getVelocity move moveAndSlide moveBy " ..
      "moveTo run setSpeed setVelocity speed step tick update velocity vx vy",
    ["hero:walk(vx, vy + gravity * dt, dt)"] = "applyGravity fall getGravity getGravityScale " ..
      "gravity gravityScale setGravity setGravityScale",
    ["airTime"] = "coyote coyoteTime",
    ["drop"] = "dropDown dropThrough fallThrough",
    ["filter"] = "getFilter mask rules setFilter",
    ["floor"] = "getFloor ground platform",
    ["hits and n"] = "collisions getCollisions getHits hit",
    ["maxSlope"] = "maxAngle slope slopeLimit",
    ["onCeiling"] = "isOnCeiling touchingCeiling",
    ["onFloor"] = "grounded isGrounded isOnFloor isOnGround isStanding onGround standing " ..
      "touchingGround",
    ["onWall"] = "isOnWall touchingWall",
  },
  hit = {
    ["response"] = "kind reaction type",
    ["nx and ny"] = "normal normalX normalY normal_x normal_y",
    ["x and y"] = "contact place point pos position px py touch touchX touchY",
    ["t"] = "fraction ti time",
    ["other"] = "body box collider data entity item object shape",
  },
  option = {
    ["angle"] = "dir direction",
    ["ax and ay"] = "acceleration",
    ["bounce"] = "bounciness elasticity restitution",
    ["cycle"] = "interval period rate",
    ["damping"] = "linearDamping",
    ["data"] = "userData",
    ["gravityScale"] = "gravity",
    ["layer"] = "category",
    ["mask"] = "collidesWith",
    ["mass"] = "density weight",
    ["nwayAngle"] = "spread",
    ["sensor"] = "isTrigger trigger",
    ["static"] = "immovable",
    ["vx and vy"] = "velocity",
  },
}

-- Whether a text with names has a name.
local function has(text, name)
  return (" " .. text .. " "):find(" " .. name .. " ", 1, true) ~= nil
end

local function useInstead(kind, name)
  for use, names in fields(USE[kind] or {}) do
    if has(names, name) then return use end
  end
  return nil
end

-- The Levenshtein distance of two names: how many letters must be added, left out or changed to
-- make one name the other (Wagner and Fischer 1974). It is computed row by row.
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local changed = diagonal + (a:byte(i) == b:byte(j) and 0 or 1)
      diagonal = row[j]
      row[j] = math.min(changed, diagonal + 1, row[j - 1] + 1)
    end
  end
  return row[#b]
end

-- `velocity` is similar to getVelocity, and `static` to isStatic.
local function withoutVerb(name)
  return name:match("^[gs]et(%u.*)$") or name:match("^is(%u.*)$") or name
end

-- Two letters of five may be wrong. A name that is longer than any of ours is similar to none.
local function nearest(name, names)
  local LONGEST = 31
  if #name > LONGEST then return nil end
  local word, least, found = name:lower(), math.floor(2 * #name / 5) + 1, nil
  for _, candidate in ipairs(names) do
    local d = math.min(distance(word, candidate:lower()),
      distance(word, withoutVerb(candidate):lower()))
    if d < least then least, found = d, candidate end
  end
  return found
end

-- What follows "Box has no 'name'". Kinds have methods, and hits have fields.
local function ofField(kind, name, names, isSet)
  local use = useInstead(kind, name)
  if use then return "; use " .. use end
  local near = not isSet and nearest(name, names)
  if near then return ("; did you mean '%s'?"):format(near) end
  local what = kind == "hit" and "fields" or "methods"
  local list = #names > 0 and table.concat(names, ", ") or "none"
  -- A game can keep its own values in a Box's data.
  return (kind == "Box" and "; values of yours go into its data: setData, getData" or "")
    .. (isSet and "" or ("; its %s: %s"):format(what, list))
end

-- Raises an error, at the line that asks for the field. A metamethod calls it. In Lua 5.3 and 5.4
-- ipairs may ask, which has no line; then it is the line that calls ipairs.
local function refuse(kind, name, names, isSet)
  local shown = type(name) == "string" and ("'%s'"):format(name:match("^%Z*"):sub(1, 60))
    or ("[%s]"):format(type(name))
  local _, place = pcall(error, "", 4)
  if place == "" then _, place = pcall(error, "", 5) end
  error(("%s%s has no %s%s%s"):format(place, kind, shown, isSet and " to set" or "",
    ofField(kind, shown:match("^'?(.-)'?$"), names, isSet)), 0)
end

local function sortedNames(t)
  local names = {}
  for name in fields(t) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- Reading a name that is no method raises an error, and so does setting any.
local function guardClass(metatable)
  local methods, kind = metatable.__index, metatable.__metatable
  setmetatable(methods, { __index = function(_, name)
    refuse(kind, name, sortedNames(methods), false) -- no tail call: it would hide a level
  end })
  function metatable.__newindex(_, name)
    refuse(kind, name, sortedNames(methods), true)
  end
end

-- A row has all its fields, so it asks only for other names. Those of rows of another kind are nil,
-- and so is what is no name (ipairs asks for 1).
local function guardRows(metatable, axes)
  local isField, names = {}, {}
  for name in ("other response t x y z nx ny nz overlap crushed carried"):gmatch("%a+") do
    isField[name] = true
    names[#names + 1] = (axes == 3 or not name:find("z")) and name or nil
  end
  function metatable.__index(_, name)
    if type(name) == "string" and not isField[name] then refuse("hit", name, names, false) end
    return nil
  end
end

local hints = {}

--- What follows "unknown option 'name'".
function hints.ofOption(name, names)
  local known, use = table.concat(names, ", "), useInstead("option", name)
  if use and has(table.concat(names, " "), use:match("%a+")) then
    return ("; use %s. Known: %s"):format(use, known)
  end
  local near = nearest(name, names)
  if near then return ("; did you mean '%s'? Known: %s"):format(near, known) end
  return #names == 0 and "; there are none" or "; known: " .. known
end

--- What follows "a walker has no field 'name'". names: of its fields; methods: by their names; box:
-- what it moves, which has more.
function hints.ofWalker(name, names, methods, box)
  local list = table.concat(names, ", ")
  if type(name) ~= "string" then return "; it has: " .. list end
  local known = sortedNames(methods)
  for _, field in ipairs(names) do
    known[#known + 1] = field
  end
  local use, useOfBox = useInstead("walker", name), useInstead("Box", name)
  -- Those that are seen from above have no floor.
  if use and (has(table.concat(known, " "), use) or use:find("%A")) then
    return "; use " .. use
  elseif pcall(function() return box[name] end) then
    return "; use hero.box:" .. name
  elseif useOfBox and useOfBox:find("^box:") then
    return ("; use %s"):format((useOfBox:gsub("box:", "hero.box:")))
  end
  local near = nearest(name, known)
  return (near and ("; did you mean '%s'? It has: "):format(near) or "; it has: ") .. list
end

--- Makes unknown names errors in a half of the module, d2 or d3, which then hides its metatables.
function hints.guard(half, axes)
  half.hint = hints.ofOption
  for _, metatable in ipairs(half.classes or {}) do
    guardClass(metatable)
  end
  if half.rows then guardRows(half.rows, axes) end
  half.classes, half.rows = nil, nil
end

return hints
