-- The messages for mistyped names. They list the existing names, name the one that may be meant,
-- and show how another library's call is written here.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local properties = require("spec.support.properties")

-- Asserts that the call raises exactly this error, at a line of the function `call`.
local function says(expected, call, ...)
  local ok, message = pcall(call, ...)
  assert.is_false(ok)
  local line, text = message:match("^.-hints_spec%.lua:(%d+): (.*)$")
  assert.is_truthy(line, message)
  local where = debug.getinfo(call, "S")
  line = tonumber(line)
  assert.is_true(line >= where.linedefined and line <= where.lastlinedefined, message)
  assert.equal(expected, text)
end

local function ends(text, whole)
  assert.equal(text, whole:sub(-#text))
end

describe("an unknown option", function()
  local world, pool

  before_each(function()
    world = broadside.newWorld()
    pool = broadside.newPool({ capacity = 1 })
  end)

  it("is answered by the known ones", function()
    says("bad argument #1 to 'newWorld' " ..
      "(unknown option 'cells'; known: backend, dim, gravity, results)",
      function() broadside.newWorld({ cells = 5 }) end)
    local _, message = pcall(world.insert, world, 0, 0, 1, 1, { type = "wall" })
    assert.matches("^bad argument #5 to 'insert' %(unknown option 'type'; known: static, ", message)
    for _, option in ipairs(properties.options) do
      assert.matches(", " .. option.option .. "[,)]", message)
    end
    says("bad argument #1 to 'newModel' (option 'emitters': item 1: " ..
      "unknown option 'zz'; known: relative, model, x, y, angle, speed, delay, cycle, count, " ..
      "nway, nwayAngle, circle, circleOdd)",
      function() broadside.newModel({ emitters = { { zz = 1 } } }) end)
    says("bad argument #1 to 'newTree' (unknown option 'cellSize'; known: margin)",
      function() broadside.newTree({ cellSize = 5 }) end)
  end)

  it("is answered also where there are none", function()
    for _, name in ipairs({ "newBrute", "newAuto" }) do
      says(("bad argument #1 to '%s' (unknown option 'axis'; there are none)"):format(name),
        function() broadside[name]({ axis = "x" }) end)
    end
  end)

  it("is answered by the nearest one, whatever the case of letters", function()
    local function nearest(near, options, call, ...)
      local ok, message = pcall(call, compat.values({ ... }, options))
      assert.is_false(ok)
      local name = next(options)
      assert.is_truthy(message:find(("unknown option '%s'; did you mean '%s'? Known: ")
        :format(name, near), 1, true), message)
    end
    nearest("gravity", { gravty = { 1, 2 } }, broadside.newWorld)
    nearest("results", { result = "id" }, broadside.newWorld)
    nearest("backend", { backEnd = "tree" }, broadside.newWorld)
    nearest("layer", { layers = 1 }, world.insert, world, 0, 0, 1, 1)
    nearest("static", { Static = true }, world.insert, world, 0, 0, 1, 1)
    nearest("static", { isstatic = true }, world.insert, world, 0, 0, 1, 1)
    nearest("oneWay", { oneway = { 0, -1 } }, world.insert, world, 0, 0, 1, 1)
    nearest("sensor", { isSensor = true }, world.insert, world, 0, 0, 1, 1)
    nearest("gravityScale", { gravityscale = 0 }, world.insert, world, 0, 0, 1, 1)
    nearest("capacity", { capasity = 5 }, broadside.newPool)
    nearest("nwayAngle", { nwayangel = 1 }, pool.newEmitter, pool)
    nearest("cellSize", { cellsize = 1 }, broadside.newGrid)
    nearest("slide", { slied = 1 }, world.move, world, world:insert(0, 0, 1, 1), 1, 1)
  end)

  it("of another library is answered by ours", function()
    for name, use in pairs({ restitution = "bounce", elasticity = "bounce", density = "mass",
      linearDamping = "damping", velocity = "vx and vy", acceleration = "ax and ay",
      category = "layer", userData = "data", immovable = "static", gravity = "gravityScale",
      bounciness = "bounce", isTrigger = "sensor", collidesWith = "mask" }) do
      local _, message = pcall(world.insertCircle, world, 0, 0, 1, { [name] = 1 })
      assert.is_truthy(message:find(("unknown option '%s'; use %s. Known: static, ")
        :format(name, use), 1, true), message)
    end
    for name, use in pairs({ rate = "cycle", interval = "cycle", spread = "nwayAngle",
      direction = "angle" }) do
      local _, message = pcall(pool.newEmitter, pool, { [name] = 1 })
      assert.is_truthy(message:find(("'%s'; use %s. Known: "):format(name, use), 1, true), message)
    end
    says("bad argument #1 to 'newWorld' " ..
      "(unknown option 'density'; known: backend, dim, gravity, results)",
      function() broadside.newWorld({ density = 5 }) end)
  end)

  it("of any length and content is answered", function()
    for _, name in ipairs({ "", "\0", "\0gravity", ("x"):rep(32), ("gravity"):rep(1e5), "%s%n" }) do
      local ok, message = pcall(broadside.newWorld, { [name] = 1 })
      assert.is_false(ok)
      ends("'; known: backend, dim, gravity, results)", message)
      assert.is_true(#message < 200)
    end
  end)
end)

describe("a function of the module called with ':'", function()
  it("says so", function()
    says("bad argument #1 to 'newWorld' (this is the module itself; call it with '.', not ':')",
      function() broadside:newWorld() end)
  end)
end)

describe("a method called with '.'", function()
  it("says so", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    says("bad self to 'queryRect' (World expected, got number; call it with ':')",
      function() world.queryRect(0, 0, 1, 1) end)
    says("bad self to 'getRect' (Box expected, got no value; call it with ':')",
      function() box.getRect() end)
  end)
end)

describe("a handle in another's place", function()
  it("is called by its type", function()
    local world, solid = broadside.newWorld(), broadside.newWorld({ dim = 3 })
    local pool, box = broadside.newPool({ capacity = 1 }), world:insert(0, 0, 1, 1)
    says("bad argument #1 to 'move' (Box or id expected, got World)",
      function() world:move(world, 1, 1) end)
    says("bad argument #1 to 'hits' (2D World expected, got Pool)", function() pool:hits(pool) end)
    says("bad argument #1 to 'hits' (2D World expected, got 3D World)",
      function() pool:hits(solid) end)
    says("bad argument #1 to 'updateMany' (table expected, got Box)",
      function() world:updateMany(box, { 1, 2 }) end)
    says("bad argument #1 to 'restore' (Snapshot or string expected, got PoolSnapshot)",
      function() world:restore(pool:snapshot()) end)
    says("bad argument #1 to 'overlap' (finite number expected, got Box)",
      function() broadside.overlap(box, box) end)
    says("bad self to 'step' (Pool expected, got World; call it with ':')",
      function() pool.step(world, 1) end)
    says("bad argument #1 to 'move' (Box or id expected, got userdata)",
      function() world:move(io.stdout, 1, 1) end)
  end)
end)

describe("a time alone for 'update'", function()
  it("is answered by the call that makes a step", function()
    local world = broadside.newWorld()
    for _, dt in ipairs({ 0.5, 1 }) do
      says("bad argument #1 to 'update' " ..
        "(Box, x and y expected, got a number alone; a step is world:step(dt))",
        function() world:update(dt) end)
    end
    says("bad argument #1 to 'update' (Box or id expected, got 0.5)",
      function() world:update(0.5, 1, 2) end)
    says("bad argument #1 to 'update' (Box or id expected, got no value)",
      function() world:update() end)
  end)
end)

describe("what would be ignored", function()
  it("raises an error", function()
    local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 1 })
    local box = world:insert(0, 0, 1, 1)
    says("bad argument #3 to 'hits' (boolean expected, got string)",
      function() pool:hits(world, nil, "all") end)
    says("bad argument #5 to 'touching' (boolean expected, got string)",
      function() world:touching(box, 0, 1, nil, "no") end)
    local base = setmetatable({ static = true }, { __index = { mass = 3 } })
    says("bad argument #5 to 'insert' (options are read without metamethods; this table has "
      .. "__index)", function() world:insert(0, 0, 1, 1, base) end)
  end)
end)

describe("a list in the wrong place or form", function()
  local world, box

  before_each(function()
    world = broadside.newWorld()
    box = world:insert(0, 0, 1, 1)
  end)

  it("raises an error that says it comes after the filter", function()
    local text = "mask, Box or function expected, got table; out comes after filter)"
    says("bad argument #5 to 'queryRect' (" .. text,
      function() world:queryRect(0, 0, 1, 1, {}) end)
    says("bad argument #3 to 'queryPoint' (" .. text, function() world:queryPoint(0, 0, {}) end)
    says("bad argument #2 to 'queryBox' (" .. text, function() world:queryBox(box, {}) end)
    says("bad argument #4 to 'nearest' (" .. text, function() world:nearest(0, 0, 1, {}) end)
  end)

  it("raises an error that says it comes after the masks", function()
    local text = "masks expected, got an empty table; is a mask nil? Out comes after filter)"
    says("bad argument #4 to 'move' (" .. text, function() world:move(box, 1, 1, {}) end)
    says("bad argument #3 to 'moveMany' (" .. text, function() world:moveMany({}, {}, {}) end)
    local _, _, hits = world:check(box, 9, 0)
    hits[1] = { other = box }
    text = "mask, table of masks, Box or function expected, got a list; out comes after filter)"
    says("bad argument #4 to 'check' (" .. text, function() world:check(box, 1, 1, hits) end)
    says("bad argument #4 to 'push' (" .. text, function() world:push(box, 1, 1, hits) end)
  end)

  it("raises an error without that where a call has no such list", function()
    local pool = broadside.newPool({ capacity = 1 })
    local text = "mask, Box or function expected, got table)"
    says("bad argument #5 to 'segmentCast' (" .. text,
      function() world:segmentCast(0, 0, 1, 1, {}) end)
    says("bad argument #4 to 'sweep' (" .. text, function() world:sweep(box, 1, 0, {}) end)
    says("bad argument #7 to 'sweepRect' (" .. text,
      function() world:sweepRect(0, 0, 1, 1, 1, 0, {}) end)
    says("bad argument #2 to 'resolve' (" .. text, function() world:resolve(box, {}) end)
    says("bad argument #4 to 'touching' (mask, table of masks, Box or function expected, got a "
      .. "list)", function() world:touching(box, 0, 1, { 1 }) end)
    says("bad argument #2 to 'hits' (" .. text, function() pool:hits(world, {}) end)
  end)

  it("raises an error that says it must be flat", function()
    local rects = { { 0, 0, 1, 1 }, { 5, 5, 1, 1 } }
    local text = "number expected, got table; the list must be flat)"
    says("bad argument #1 to 'insertMany' (item 1: " .. text,
      function() world:insertMany(rects) end)
    says("bad argument #1 to 'insertMany' (item 1: finite " .. text,
      function() world:insertMany({ rects[1], rects[2], rects[1], rects[2] }) end)
    says("bad argument #1 to 'insertPolygon' (item 1: " .. text,
      function() world:insertPolygon({ { 0, 0 }, { 1, 0 }, { 0, 1 } }) end)
    says("bad argument #1 to 'bounds' (item 1: " .. text,
      function() broadside.bounds({ { 0, 0 } }) end)
    says("bad argument #2 to 'updateMany' (item 2: finite " .. text,
      function() world:updateMany({ box }, { 1, { 2 } }) end)
    says("bad argument #1 to 'getRects' " ..
      "(item 1: Box or id expected, got table; the list must be flat)",
      function() world:getRects({ { box } }) end)
    assert.equal(1, world:count())
    assert.same({ 0, 0, 1, 1 }, { box:getRect() })
  end)

  it("raises an error with its length and the right one", function()
    says("bad argument #1 to 'newWorld' (option 'gravity': 2 numbers in the list expected, got 0)",
      function() broadside.newWorld({ gravity = { x = 0, y = 10 } }) end)
    says("bad argument #1 to 'newWorld' (option 'gravity': 3 numbers in the list expected, got 2)",
      function() broadside.newWorld({ dim = 3, gravity = { 0, 10 } }) end)
  end)

  it("raises an error that says it must be a list of specs", function()
    for _, specs in ipairs({ { delay = 1 }, { [{}] = 1 } }) do
      says("bad argument #1 to 'newModel' " ..
        "(option 'emitters': list of tables, {{...}, ...}, expected, got table)",
        function() broadside.newModel({ emitters = specs }) end)
    end
    assert.is_truthy(broadside.newModel({ emitters = {} }))
  end)

  it("is no iterator, and says how to loop", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      for dim = 2, 3 do
        local each = broadside.newWorld({ results = results, dim = dim })
        local zeros = { 0, 0, 0, 0, 0, 0 }
        for name, n in pairs({ queryRect = 2 * dim, querySegment = 2 * dim, queryPoint = dim,
          queryCircle = dim + 1, nearest = dim }) do
          local looped = 0
          says("the results are a table; write " ..
            "'for i, box in ipairs(world:queryRect(...)) do'", function()
            for _ in each[name](each, compat.unpack(zeros, 1, n)) do
              looped = looped + 1
            end
          end)
          assert.equal(0, looped)
        end
      end
    end
    local out = {}
    assert.equal(out, (world:queryRect(0, 0, 1, 1, nil, out)))
    assert.is_nil(getmetatable(out))
  end)
end)

describe("the options of a pool", function()
  it("have both w and h, or neither", function()
    local text = "bad argument #1 to 'newPool' " ..
      "(option '%s': size >= 0 expected beside '%s', got no value)"
    for dim = 2, 3 do
      says(text:format("h", "w"),
        function() broadside.newPool({ dim = dim, capacity = 5, w = 1 }) end)
      says(text:format("w", "h"),
        function() broadside.newPool({ dim = dim, capacity = 5, h = 1 }) end)
      assert.is_truthy(broadside.newPool({ dim = dim, capacity = 5 }))
      assert.is_truthy(broadside.newPool({ dim = dim, capacity = 5, w = 1, h = 0 }))
    end
  end)
end)

describe("a name that a handle does not have", function()
  local world, box, pool

  before_each(function()
    world = broadside.newWorld()
    box = world:insert(0, 0, 1, 1)
    pool = broadside.newPool({ capacity = 1 })
  end)

  it("of another library is answered by ours", function()
    says("World has no 'add'; use world:insert", function() world:add({}, 0, 0, 1, 1) end)
    for name, use in pairs({ queryLine = "world:querySegment", queryRay = "world:segmentCast",
      newWalker = "require(\"broadside.walker\").new(world, box)", addLine =
      "world:insertPolyline, or a thin box", setCallbacks = "world:newContacts" }) do
      says(("World has no '%s'; use %s"):format(name, use), function() world[name](world) end)
    end
    for name, use in pairs({ getWidth = "box:getRect and box:setRect", enter = "box:contacts",
      setDamping = "box:getDrag and box:setDrag", setActive = "box:setFilter(0, 0), or box:remove",
      setEnabled = "box:setFilter(0, 0), or box:remove",
      jump = "a walker: require(\"broadside.walker\").new(world, box)" }) do
      says(("Box has no '%s'; use %s"):format(name, use), function() box[name](box) end)
    end
    says("Box has no 'kind'; use box:getData and box:setData; a box without data is a Box, also " ..
      "with results = \"data\"", function() return box.kind end)
    says("World has no 'rectangle'; use world:insert", function() world:rectangle(0, 0, 1, 1) end)
    says("World has no 'getItems'; use world:boxes", function() world:getItems() end)
    says("World has no 'hasItem'; use world:has", function() world:hasItem(box) end)
    says("World has no 'project'; use world:check, or world:sweep for the first box alone",
      function() world:project(box, 1, 1) end)
    says("World has no 'rayCast'; use world:segmentCast", function() world:rayCast(0, 0, 1, 1) end)
    says("Box has no 'collidesWith'; use world:queryBox", function() box:collidesWith(box) end)
    says("Box has no 'getUserData'; use box:getData and box:setData",
      function() box:getUserData() end)
    says("Pool has no 'remove'; use pool:free", function() pool:remove(1) end)
    says("World has no 'save'; use world:snapshot", function() world:save() end)
    says("World has no 'getHash'; use world:snapshot():getHash()", function() world:getHash() end)
    says("Pool has no 'getString'; use pool:snapshot():getString()",
      function() pool:getString() end)
    says("Snapshot has no 'restore'; use world:restore or pool:restore",
      function() world:snapshot():restore() end)
    says("World has no 'addCollisionClass'; use the options layer and mask of world:insert",
      function() world:addCollisionClass("Player") end)
    says("Box has no 'setCategory'; use box:getFilter and box:setFilter",
      function() box:setCategory(2) end)
    says("Box has no 'setTrigger'; use box:isSensor and box:setSensor",
      function() box:setTrigger(true) end)
    says("Box has no 'setGravity'; use box:getGravityScale and box:setGravityScale",
      function() box:setGravity(0) end)
    says("Box has no 'setRestitution'; use box:getBounce and box:setBounce",
      function() box:setRestitution(0.5) end)
    says("Box has no 'setLinearDamping'; use box:getDrag and box:setDrag",
      function() box:setLinearDamping(0.5) end)
    says("Box has no 'applyLinearImpulse'; use box:getVelocity and box:setVelocity",
      function() box:applyLinearImpulse(1, 0) end)
    says("Box has no 'getSpeed'; use box:getVelocity and box:setVelocity",
      function() box:getSpeed() end)
    says("Box has no 'setAngularVelocity'; use box:setTransform",
      function() box:setAngularVelocity(1) end)
    says("Box has no 'setRadius'; use box:getShape and box:setShape",
      function() box:setRadius(1) end)
    says("Box has no 'setType'; use box:isStatic and box:setStatic",
      function() box:setType("static") end)
    says("World has no 'newBody'; use world:insert", function() world:newBody(0, 0, "dynamic") end)
    says("World has no 'newEdgeShape'; use world:insertPolygon, or a thin box",
      function() world:newEdgeShape(0, 0, 1, 1) end)
  end)

  it("and is a number is answered by what to loop over", function()
    says("World has no [number]; use world:boxes", function() return world[1] end)
    says("Pool has no [number]; use pool:each", function() return pool[1] end)
    if pcall(ipairs, world) then -- true in Lua 5.3 and 5.4
      says("World has no [number]; use world:boxes", function()
        for _ in ipairs(world) do error("a world is no list") end
      end)
    end
  end)

  it("and is a field is answered by methods, read or written", function()
    says("Box has no 'x'; use box:getRect and box:setRect", function() return box.x end)
    says("Box has no 'width'; use box:getRect and box:setRect", function() return box.width end)
    says("Box has no 'x' to set; use box:getRect and box:setRect", function() box.x = 5 end)
    says("Box has no 'velocity'; did you mean 'getVelocity'?", function() return box.velocity end)
    says("Box has no 'static'; did you mean 'isStatic'?", function() return box.static end)
    says("Box has no 'world'; did you mean 'getWorld'?", function() return box.world end)
    says("Box has no 'sensor'; did you mean 'isSensor'?", function() return box.sensor end)
    says("Box has no 'gravityScale'; did you mean 'getGravityScale'?",
      function() return box.gravityScale end)
    says("World has no 'gravity'; did you mean 'getGravity'?", function() return world.gravity end)
    says("World has no 'backend'; did you mean 'getBackend'?", function() return world.backend end)
    says("Emitter has no 'x'; use emitter:setPosition",
      function() return pool:newEmitter({}).x end)
  end)

  it("nearly is answered by the one that is near", function()
    says("World has no 'queryrect'; did you mean 'queryRect'?",
      function() world:queryrect(0, 0, 1, 1) end)
    says("World has no 'inserMany'; did you mean 'insertMany'?", function() world:inserMany({}) end)
  end)

  -- The message lists the keys of the table in which scripts find the methods.
  it("at all is answered by all methods", function()
    local backend, model = world:getBackend(), broadside.newModel({})
    for object, expected in pairs({
      [world] = "World has no 'foo'; its methods: ",
      [box] = "Box has no 'foo'; values of yours go into its data: setData, getData; its methods: ",
      [pool] = "Pool has no 'foo'; its methods: ",
      [backend] = "Backend has no 'foo'; its methods: ",
      [model] = "Model has no 'foo'; its methods: ",
    }) do
      local ok, message = pcall(function() return object.foo end)
      assert.is_false(ok)
      local start, list = message:match("hints_spec%.lua:%d+: (.-its methods: )(.*)$")
      assert.equal(expected, start)
      local named = {}
      for name in list:gmatch("[^, ]+") do
        named[name] = true
      end
      named.none = nil
      local methods = {}
      for name in pairs(debug.getmetatable(object).__index) do
        methods[name] = true
      end
      assert.same(methods, named)
    end
  end)

  it("is answered whatever it is, and sets nothing", function()
    for _, key in ipairs({ 1, 1.5, true, {}, print, box, "", "\0", "a\0b",
      ("getRect"):rep(1e5) }) do
      for _, object in ipairs({ world, box, pool, world:getBackend() }) do
        local shown = type(key) == "string" and "'" or "[" .. type(key) .. "]"
        for _, access in ipairs({
          function() return object[key] end, function() object[key] = 1 end,
        }) do
          local ok, message = pcall(access)
          assert.is_false(ok)
          assert.is_truthy(message:find(" has no " .. shown, 1, true), message)
          assert.is_true(#message < 1200)
        end
      end
    end
    says("World has no 'insert' to set", function() world.insert = 1 end)
    says("Box has no 'hp' to set; values of yours go into its data: setData, getData",
      function() box.hp = 1 end)
  end)
end)

describe("a field that the row of a hit does not have", function()
  local function firstHit(dim, call)
    local world = broadside.newWorld({ dim = dim })
    local function rect(x)
      return compat.unpack(dim == 2 and { x, 0, 1, 1 } or { x, 0, 0, 1, 1, 1 })
    end
    local mover = world:insert(rect(0))
    world:insert(rect(3))
    local goal = dim == 2 and { 9, 0 } or { 9, 0, 0 }
    return (select(dim + 1, world[call](world, mover, compat.unpack(goal))))[1]
  end

  it("is answered by what is meant, or by all that there are", function()
    for _, call in ipairs({ "move", "check", "push" }) do
      local hit = firstHit(2, call)
      says("hit has no 'type'; use response", function() return hit.type end)
      says("hit has no 'normal'; use nx and ny", function() return hit.normal end)
      says("hit has no 'touch'; use x and y", function() return hit.touch.x end)
      says("hit has no 'overlp'; did you mean 'overlap'?", function() return hit.overlp end)
      says("hit has no 'colour'; its fields: other, response, t, x, y, nx, ny, overlap, crushed, "
        .. "carried", function() return hit.colour end)
    end
    says("hit has no 'dir'; its fields: other, response, t, x, y, z, nx, ny, nz, overlap, crushed, "
      .. "carried", function() return firstHit(3, "move").dir end)
  end)

  it("is nil if the rows of another call have it, or if it is no name", function()
    local met, pushed = firstHit(2, "move"), firstHit(2, "push")
    assert.same({}, { met.crushed, met.carried, met.z, met.nz })
    assert.same({}, { pushed.response, pushed.t, pushed.nx, pushed.ny, pushed.overlap })
    assert.same({}, { met[1], met[true], pushed[0] })
    for _ in ipairs(met) do
      error("a row is no list")
    end
    assert.is_false(met.overlap)
    assert.is_false(pushed.carried)
  end)

  it("may be set, and is there then", function()
    local hit = firstHit(2, "move")
    hit.seen = true
    assert.is_true(hit.seen)
  end)
end)

describe("a name that the module does not have", function()
  it("nearly is answered by the one that is near", function()
    says("broadside has no 'World'; use broadside.newWorld", function() broadside.World() end)
    says("broadside has no 'newworld'; use broadside.newWorld", function() broadside.newworld() end)
    says("broadside has no 'Pool'; use broadside.newPool", function() broadside.Pool({}) end)
    says("broadside has no 'Overlap'; use broadside.overlap", function() broadside.Overlap() end)
    says("broadside has no 'new'; use broadside.newWorld", function() broadside.new() end)
    says([[broadside has no 'debug'; use require("broadside.debug")]], function()
      broadside.debug.draw()
    end)
    says("broadside has no 'newCircle'; use world:insertCircle", function()
      broadside.newCircle()
    end)
  end)

  it("is nil otherwise", function()
    for _, name in ipairs({ "newThing", "", 1, true, "__index" }) do
      assert.is_nil(broadside[name])
    end
  end)
end)

describe("what draws", function()
  it("says that it needs LÖVE", function()
    local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 1 })
    local draw, view = require("broadside.draw"), require("broadside.debug")
    for _, love in ipairs({ false, {} }) do
      rawset(_G, "love", love or nil)
      says("'boxes' needs LÖVE: there is no love.graphics here", function() draw.boxes(world) end)
      says("'pool' needs LÖVE: there is no love.graphics here", function() draw.pool(pool) end)
      says("'draw' needs LÖVE: there is no love.graphics here", function() view.draw(world) end)
    end
    rawset(_G, "love", nil)
  end)
end)

describe("the module", function()
  it("leaves metatables to nobody", function()
    for _, name in ipairs({ "broadside.d2", "broadside.d3" }) do
      for key, value in pairs(require(name)) do
        assert.is_true(type(value) == "function" or value == broadside, key)
      end
    end
    assert.equal("World", getmetatable(broadside.newWorld()))
  end)
end)
