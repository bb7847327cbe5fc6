-- The option `key`: a table of data gets its box as the field of that name, so code that has the
-- data also has the box.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local tiled = require("broadside.tiled")
local tiles = require("broadside.tiles")

local refused = expect.refused

-- The three calls that insert one box, each as f(world, opts) in 2D.
local INSERTS = {
  insert = function(world, opts) return world:insert(0, 0, 4, 4, opts) end,
  insertCircle = function(world, opts) return world:insertCircle(2, 2, 2, opts) end,
  insertPolygon = function(world, opts) return world:insertPolygon({ 0, 0, 4, 0, 0, 4 }, opts) end,
}

describe("an option key", function()
  for name, insert in pairs(INSERTS) do
    for _, results in ipairs({ "box", "id", "data" }) do
      it(("of %s puts into the data what that returns, where results = %q"):format(name, results),
        function()
          local world, entity = broadside.newWorld({ results = results }), { hp = 3 }
          local box = insert(world, { data = entity, key = "box" })
          assert.equal(results == "id" and "number" or "userdata", type(box))
          assert.equal(box, entity.box)
          assert.same({ hp = 3, box = box }, entity)
          assert.is_true(world:has(entity.box))
          assert.equal(entity, world:getBox(type(box) == "number" and box or box:getId()):getData())
        end)
    end
  end

  it("works in 3D, too", function()
    local world, entity = broadside.newWorld({ dim = 3 }), {}
    assert.equal(world:insert(0, 0, 0, 1, 1, 1, { data = entity, key = "body" }), entity.body)
    assert.equal(world:insertCircle(0, 0, 0, 1, { data = entity, key = "ball" }), entity.ball)
  end)

  it("needs no other wiring: what a move meets has its box", function()
    local world = broadside.newWorld({ results = "data" })
    local player, door = { name = "player" }, { name = "door" }
    world:insert(0, 0, 4, 4, { data = player, key = "box" })
    world:insert(10, 0, 4, 4, { data = door, key = "box", static = true })
    local _, _, hits = world:move(player.box, 20, 0)
    assert.equal(door, hits[1].other)
    hits[1].other.box:remove()
    assert.is_true(door.box:isRemoved())
    assert.equal(20, (world:move(player.box, 20, 0)))
  end)

  it("puts a new box in the place of an old one", function()
    local world, entity = broadside.newWorld(), {}
    local first = world:insert(0, 0, 1, 1, { data = entity, key = "box" })
    local second = world:insert(0, 0, 1, 1, { data = entity, key = "box" })
    assert.is_false(first == second)
    assert.equal(second, entity.box)
  end)

  it("asks no metamethod", function()
    local world = broadside.newWorld()
    local entity = setmetatable({}, {
      __newindex = function() error("no new fields") end,
      __index = function() error("no such field") end,
    })
    local box = world:insert(0, 0, 1, 1, { data = entity, key = "box" })
    assert.equal(box, rawget(entity, "box"))
  end)

  it("is the same Box after a restore", function()
    local world, entity = broadside.newWorld({ results = "data" }), {}
    local box = world:insert(0, 0, 1, 1, { data = entity, key = "box" })
    local snapshot = world:snapshot()
    box:remove()
    world:restore(snapshot)
    assert.equal(box, entity.box)
    assert.equal(entity, world:queryPoint(0.5, 0.5)[1])
    assert.is_false(entity.box:isRemoved())
  end)

  it("is refused without a table to put it into, with nothing changed", function()
    local world = broadside.newWorld()
    for name, insert in pairs(INSERTS) do
      for _, data in ipairs({ { "none" }, { "string", "x" }, { "5", 5 }, { "boolean", false } }) do
        refused(("'%s' (option 'data': table for the key expected, got "):format(name),
          insert, world, { data = data[2], key = "box" })
      end
      for _, key in ipairs({ 1, true, {} }) do
        refused("(option 'key': name expected, got ", insert, world, { data = {}, key = key })
      end
    end
    assert.equal(0, world:count())
  end)

  it("of an insertion that is refused changes no data", function()
    local world, entity = broadside.newWorld(), { box = "old" }
    refused("option 'layer'", world.insert, world, 0, 0, 1, 1,
      { data = entity, key = "box", layer = "x" })
    local trigger = world:insert(0, 0, 1, 1)
    world:queryPoint(0.5, 0.5, function()
      refused("world is busy", world.insert, world, 0, 0, 1, 1, { data = entity, key = "box" })
    end)
    assert.same({ box = "old" }, entity)
    assert.same({ trigger }, world:queryPoint(0.5, 0.5))
  end)

  it("is refused for many boxes, which have their data together", function()
    local world, entity = broadside.newWorld(), {}
    refused("'insertMany' (option 'key': one table has room for one box", world.insertMany, world,
      { 0, 0, 1, 1 }, { data = entity, key = "box" })
    assert.same({}, entity)
    assert.equal(0, world:count())
  end)
end)

describe("an option key of a legend of tiles", function()
  it("is for a symbol that becomes one box", function()
    local world = broadside.newWorld({ results = "data" })
    local door, slope, coin = {}, {}, {}
    local boxes = tiles.insert(world, "DD/o#\nDD", {
      ["#"] = true,
      D = { data = door, key = "box" },
      ["/"] = { data = slope, key = "box", polygon = { 0, 10, 10, 0, 10, 10 } },
      o = { data = coin, key = "box", circle = { 5, 5, 5 } },
    }, { w = 10 })
    assert.same({ door.box, slope.box, coin.box }, { boxes[1], boxes[2], boxes[3] })
    assert.same({ 0, 0, 20, 20 }, { door.box:getRect() })
    assert.equal("polygon", (slope.box:getShape()))
    assert.equal("circle", (coin.box:getShape()))
  end)

  it("is refused for one that becomes several, with nothing changed", function()
    local world = broadside.newWorld()
    for _, more in ipairs({ { merge = false }, { circle = { 5, 5, 5 } },
      { polygon = { 0, 10, 10, 0, 10, 10 } } }) do
      local door, shared = {}, { box = "old" }
      more.data, more.key = shared, "box"
      refused("kind 'E' in row 1, column 4: option 'key': its table has room for one box",
        tiles.insert, world, "D.EE", { D = { data = door, key = "box" }, E = more }, { w = 10 })
      assert.same({ {}, { box = "old" } }, { door, shared })
      assert.equal(0, world:count())
    end
    refused("kind 'D' in row 1, column 1: option 'data': table for the key expected, got nil",
      tiles.insert, world, "D", { D = { key = "box" } }, { w = 10 })
  end)

  it("is refused for two symbols of one table, unless the keys differ", function()
    local world, door = broadside.newWorld(), {}
    local function insert(key)
      return tiles.insert(world, "DE", { D = { data = door, key = "box" },
        E = { data = door, key = key, layer = 2 } }, { w = 10 })
    end
    refused("kind 'E' in row 1, column 2: option 'key'", insert, "box")
    assert.same({}, door)
    local boxes = insert("handle")
    assert.same({ box = boxes[1], handle = boxes[2] }, door)
  end)

  it("is put back where the world refuses a later box", function()
    local world, door = broadside.newWorld(), { box = "old" }
    local far = { x = 1.7e308, w = 1e306 }
    refused("finite", tiles.insert, world, "D" .. ("."):rep(998) .. "#",
      { D = { data = door, key = "box" }, ["#"] = { circle = { 1e306, 1, 1e306 } } }, far)
    assert.same({ "old", 0 }, { door.box, world:count() })
  end)
end)

-- A Tiled map with one layer of objects.
local function mapOf(objects)
  for i, object in ipairs(objects) do
    object.id, object.name, object.rotation = i, object.name or "", 0
    object.properties = object.properties or {}
  end
  return { orientation = "orthogonal", width = 4, height = 4, tilewidth = 16, tileheight = 16,
    tilesets = {}, layers = { { type = "objectgroup", name = "things", objects = objects,
      properties = {}, offsetx = 0, offsety = 0 } } }
end

local function rectangle(x, class, properties)
  return { type = class, shape = "rectangle", x = x, y = 0, width = 8, height = 8,
    properties = properties }
end

describe("an option key of a legend of Tiled's", function()
  it("gives each object its box", function()
    local world = broadside.newWorld({ results = "data" })
    local map = mapOf({ rectangle(0, "enemy"), rectangle(20, "wall"), rectangle(40, "enemy") })
    local objects = map.layers[1].objects
    local boxes = tiled.insert(world, map, { legend = { enemy = { key = "box" } } })
    assert.same({ boxes[1], boxes[3] }, { objects[1].box, objects[3].box })
    assert.is_nil(objects[2].box)
    assert.equal(objects[3], world:queryPoint(44, 4)[1])
  end)

  it("is no property: a door may have a key", function()
    local world = broadside.newWorld()
    local map = mapOf({ rectangle(0, "door", { key = "red" }) })
    local boxes = tiled.insert(world, map)
    assert.equal("red", boxes[1]:getData().properties.key)
    assert.is_nil(map.layers[1].objects[1].red)
  end)

  it("is refused where an object becomes several boxes, and nothing has changed", function()
    local world = broadside.newWorld()
    local map = mapOf({ rectangle(0, "enemy"), { type = "enemy", shape = "polygon", x = 0, y = 0,
      width = 0, height = 0, polygon = { { x = 0, y = 0 }, { x = 8, y = 0 }, { x = 8, y = 8 },
        { x = 6, y = 1 } } } })
    refused("object 2 '' of layer 'things': option 'key': its table has room for one box",
      tiled.insert, world, map, { legend = { enemy = { key = "box" } } })
    assert.is_nil(map.layers[1].objects[1].box)
    assert.equal(0, world:count())
  end)
end)

describe("options of many worlds", function()
  it("may be one table, which no insertion changes", function()
    local opts = { data = {}, key = "box" }
    for _, dim in ipairs({ 2, 3 }) do
      local world = broadside.newWorld({ dim = dim })
      local rect = dim == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 }
      local box = world:insert(compat.values(rect, opts))
      assert.equal(box, opts.data.box)
    end
  end)
end)
