-- broadside.layers: names for layers.

local broadside = require("broadside")

describe("broadside.layers", function()
  it("gives each name a bit of its own, in order", function()
    local layers = broadside.layers({ "wall", "hero", "coin", "spike" })
    assert.equal(1, layers.wall)
    assert.equal(2, layers.hero)
    assert.equal(4, layers.coin)
    assert.equal(8, layers.spike)
    local n = 0
    for _ in pairs(layers) do
      n = n + 1
    end
    assert.equal(4, n)
  end)

  it("gives up to 32, which layers and masks take", function()
    local list = {}
    for i = 1, 32 do
      list[i] = "layer " .. i
    end
    local layers, sum = broadside.layers(list), 0
    for _, name in ipairs(list) do
      sum = sum + layers[name]
    end
    assert.equal(2 ^ 32 - 1, sum)
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1, { layer = layers["layer 32"], mask = sum })
    assert.same({ 2 ^ 31, 2 ^ 32 - 1 }, { box:getFilter() })
    assert.same({ box }, (world:queryPoint(0.5, 0.5, layers["layer 32"])))
    list[33] = "one more"
    assert.has_error(function() broadside.layers(list) end,
      "bad argument #1 to 'layers' (1 to 32 names expected, got 33)")
  end)

  it("refuses a name that is none, at the line that asks", function()
    local layers = broadside.layers({ "wall", "hero" })
    local ok, problem = pcall(function() return layers.hreo end)
    assert.is_false(ok)
    assert.equal("no layer is called 'hreo'; there are: wall, hero",
      (problem:gsub("^.-:%d+: ", "")))
    assert.truthy(problem:find("layers_spec.lua", 1, true))
  end)

  it("refuses lists that are none", function()
    for _, case in ipairs({
      { nil, "list of names expected, got nil" },
      { "wall", "list of names expected, got 'wall'" },
      { {}, "1 to 32 names expected, got 0" },
      { { "wall", 2 }, "item 2: name expected, got 2" },
      { { "wall", "" }, "item 2: name expected, got ''" },
      { { "wall", "hero", "wall" }, "item 3: 'wall' is there twice" },
    }) do
      assert.has_error(function() broadside.layers(case[1]) end,
        "bad argument #1 to 'layers' (" .. case[2] .. ")")
    end
  end)
end)
