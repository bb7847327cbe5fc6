-- broadside.draw with a stand-in for LÖVE's graphics. `make test-love` compares the pixels in LÖVE.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local expect = require("spec.support.expect")

describe("broadside.draw", function()
  local draw, drawn, shader, made, nextFloat

  -- A mesh: its corners, and the rows of floats of the instances.
  local function newMesh(format, corners, _, usage)
    local mesh = { attached = {} }
    made = made + 1
    for _, corner in ipairs(corners == "fan" and format or {}) do
      assert.same({ corner[1], corner[2] }, { corner[3], corner[4] }) -- the whole texture
    end
    function mesh:attachAttribute(name, rows, step)
      assert.equal("perinstance", step)
      self.attached[name] = rows
    end
    function mesh.setVertices(_, data, first, n)
      mesh.data, mesh.n = data, n
      assert.equal(1, first)
      assert.is_true(n <= corners)
      assert.equal("stream", usage)
    end
    function mesh.setTexture(_, texture)
      mesh.texture = texture
    end
    mesh.corners = type(format[1][1]) == "number" and #format or nil
    return mesh
  end

  local function newShader(source)
    local it = { source = source, sent = {} }
    function it.send(_, name, ...)
      it.sent[name] = select("#", ...) > 1 and { ... } or (...)
    end
    it.sendColor = it.send
    return it
  end

  before_each(function()
    drawn, made, shader = {}, 0, "before"
    rawset(_G, "love", {
      data = {
        newByteData = function(size)
          local data
          data, nextFloat = buffer.new(size)
          return data
        end,
      },
      graphics = {
        newMesh = newMesh,
        newShader = newShader,
        getShader = function() return shader end,
        setShader = function(value) shader = value end,
        drawInstanced = function(mesh, n) drawn.mesh, drawn.n, drawn.shader = mesh, n, shader end,
      },
    })
    draw = dofile("lua/broadside/draw.lua")
  end)

  after_each(function()
    rawset(_G, "love", nil)
  end)

  teardown(buffer.close)

  -- The floats that were written for the instances of the mesh.
  local function floats(name, n)
    local rows, list = drawn.mesh.attached[name], {}
    for i = 1, n do
      list[i] = nextFloat(rows.data)
    end
    return list
  end

  it("draws boxes by one call, all or some, and leaves the shader as it was", function()
    if not buffer.isThere() then
      return
    end
    local world = broadside.newWorld()
    local a, b = world:insert(1, 2, 3, 4), world:insert(5, 6, 7, 8)
    assert.equal(2, draw.boxes(world))
    assert.equal(2, drawn.n)
    assert.equal(4, drawn.mesh.corners)
    assert.truthy(drawn.shader.source:find("BoxPlace"))
    assert.equal("before", shader)
    assert.same({ 1, 2, 3, 4, 5, 6, 7, 8 }, floats("BoxPlace", 8))
    assert.equal(drawn.mesh.attached.BoxPlace, drawn.mesh.attached.BoxSize)
    assert.equal(1, draw.boxes(world, { b:getId() }, "circle"))
    assert.equal(1, drawn.n)
    assert.is_true(drawn.mesh.corners > 16)
    assert.equal(1, drawn.mesh.attached.BoxPlace.n)
    assert.equal(1, draw.boxes(world, { a }))
  end)

  it("draws nothing of nothing", function()
    local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 5 })
    assert.equal(0, draw.boxes(world))
    assert.equal(0, draw.boxes(world, {}))
    assert.equal(0, draw.pool(pool))
    assert.is_nil(drawn.n)
    assert.equal(0, made)
  end)

  it("draws movers with what their tags look like", function()
    if not buffer.isThere() then
      return
    end
    local pool = broadside.newPool({ capacity = 5 })
    pool:spawn(1, 2, 3, 4, { tag = 7 })
    pool:spawn(5, 6, 7, 8)
    local style = { w = 9, color = { 0.5, 0.25, 1 }, turned = true, texture = "picture",
      [7] = { w = 3, h = 1 }, [15] = { color = { 1, 0, 0, 0.5 } }, [0] = { h = 2 } }
    assert.equal(2, draw.pool(pool, style))
    assert.equal(2, drawn.n)
    assert.same({ 1, 2, 3, 4, 7, 5, 6, 7, 8, 0 }, floats("MoverTag", 10))
    local sent = drawn.shader.sent
    assert.equal(17, #sent.Sizes)
    assert.same({ 9, 2 }, sent.Sizes[1])
    assert.same({ 9, 9 }, sent.Sizes[2])
    assert.same({ 3, 1 }, sent.Sizes[8])
    assert.same({ 9, 9 }, sent.Sizes[17])
    assert.same({ 0.5, 0.25, 1, 1 }, sent.Colors[8])
    assert.same({ 1, 0, 0, 0.5 }, sent.Colors[16])
    assert.equal(1, sent.Turned)
    assert.equal("picture", drawn.mesh.texture)
    style.turned, style.texture, style.shape, style[7] = false, nil, "circle", nil
    draw.pool(pool, style)
    assert.same({ 9, 9 }, sent.Sizes[8])
    assert.equal(0, sent.Turned)
    assert.is_nil(drawn.mesh.texture)
    assert.is_true(drawn.mesh.corners > 16)
    draw.pool(pool)
    assert.same({ 4, 4 }, sent.Sizes[1])
    assert.same({ 1, 1, 1, 1 }, sent.Colors[1])
  end)

  it("makes meshes when there are more rows than ever, and no garbage then", function()
    if not buffer.isThere() then
      return
    end
    local world = broadside.newWorld({ results = "id" })
    world:insert(0, 0, 1, 1)
    draw.boxes(world)
    local before = made
    for i = 1, 200 do
      world:insert(i, 0, 1, 1)
    end
    draw.boxes(world)
    assert.equal(before, made)
    for i = 1, 300 do
      world:insert(i, 0, 1, 1)
    end
    draw.boxes(world)
    assert.is_true(made > before)
    before = made
    for _ = 1, 100 do
      draw.boxes(world)
    end
    assert.equal(before, made)
  end)

  it("says what is wrong", function()
    local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 5 })
    local fails = expect.messageWithPlace
    fails("bad argument #1 to 'boxes' (2D World expected, got nil)", draw.boxes, nil)
    fails("bad argument #1 to 'boxes' (2D World expected, got World (3D, 0 boxes))", draw.boxes,
      broadside.newWorld({ dim = 3 }))
    fails("bad argument #1 to 'boxes' (2D World expected, got Pool (2D, 0 of 5 movers))",
      draw.boxes, pool)
    fails("bad argument #1 to 'pool' (2D Pool expected, got World (2D, 0 boxes))", draw.pool, world)
    fails("bad argument #1 to 'pool' (2D Pool expected, got 7)", draw.pool, 7)
    fails("bad argument #2 to 'boxes' (table of boxes expected, got 'all')", draw.boxes, world,
      "all")
    fails("bad argument #3 to 'boxes' ('rectangle' or 'circle' expected, got 'square')",
      draw.boxes, world, nil, "square")
    fails("bad argument #2 to 'pool' (table expected, got 4)", draw.pool, pool, 4)
    fails("bad argument #2 to 'pool' ('rectangle' or 'circle' as shape expected, got 'point')",
      draw.pool, pool, { shape = "point" })
    fails("bad argument #2 to 'pool' (sizes >= 0 as w and h expected, got -1)", draw.pool, pool,
      { w = -1 })
    fails("bad argument #2 to 'pool' (sizes >= 0 as w and h expected, got 'x')", draw.pool, pool,
      { [3] = { h = "x" } })
    fails("bad argument #2 to 'pool' ({red, green, blue, alpha} as color expected, got 'red')",
      draw.pool, pool, { color = "red" })
    fails("bad argument #2 to 'pool' (w, h, color, shape, turned, texture or a tag from 0 to 15 as "
      .. "field expected, got 'colour')", draw.pool, pool, { colour = { 1, 0, 0 } })
    fails("bad argument #2 to 'pool' (w, h, color, shape, turned, texture or a tag from 0 to 15 as "
      .. "field expected, got 16)", draw.pool, pool, { [16] = { w = 3 } })
    fails("bad argument #2 to 'pool' (w, h and color in the look of tag 3 expected, got 'shape')",
      draw.pool, pool, { [3] = { shape = "circle" } })
    fails("bad argument #2 to 'pool' (table as the look of tag 4 expected, got 5)", draw.pool,
      pool, { [4] = 5 })
  end)

  it("raises what a world does of boxes that are none, and draws on", function()
    if not buffer.isThere() then
      return
    end
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    box:remove()
    assert.has_error(function() draw.boxes(world, { box }) end)
    assert.has_error(function() draw.boxes(world, { "box" }) end)
    assert.equal("before", shader)
    world:insert(0, 0, 1, 1)
    assert.equal(1, draw.boxes(world))
  end)
end)
