-- The responses of include/broadside/conduct.h, each by its row: as a mask, as an answer of a
-- function, as an option of bodies. Where each leads was worked out by hand.

local broadside = require("broadside")
local expect = require("spec.support.expect")
local rows = require("tools.responses")

local FLOOR = 2

-- A box that wants to go from 0, 0 to 24, 30, and a floor below it at y = 20, which it meets at
-- 8, 10, a third of the way.
local ENDS = { GOES_ON = { 24, 30 }, ENDS = { 8, 10 }, SLIDES = { 24, 10 }, REFLECTS = { 24, -10 } }

local function scene(static)
  local world = broadside.newWorld()
  local floor = world:insert(-100, 20, 200, 10, { static = static, layer = FLOOR })
  return world, world:insert(0, 0, 10, 10), floor
end

local function place(box)
  local x, y = box:getRect()
  return { x, y }
end

local function quoted(list)
  return '"' .. table.concat(list, '", "') .. '"'
end

describe("a response", function()
  it("has a row of its own, numbered from 1, and a place in the order of masks", function()
    local numbers, orders = {}, {}
    for _, row in ipairs(rows) do
      numbers[row.number], orders[row.order] = row.name, row.name
    end
    assert.same({ 5, 5, 5 }, { #rows, #numbers, #orders })
    assert.same({ "touch", "bounce", "push", "slide", "cross" }, orders)
  end)

  it("leads where its row says, as a mask, as true, and as an answer", function()
    for _, row in ipairs(rows) do
      for _, filter in ipairs({ { [row.name] = FLOOR }, { [row.name] = true },
        function() return row.name end }) do
        local world, box, floor = scene(true)
        local x, y, hits, n = world:move(box, 24, 30, filter)
        local told = row.name == "push" and "slide" or row.name -- the floor cannot be pushed
        assert.same(ENDS[row.turn], { x, y }, row.name)
        assert.same({ 1, floor, told, 1 / 3 }, { n, hits[1].other, hits[1].response, hits[1].t })
      end
    end
  end)

  it("comes before those behind it in the order of masks", function()
    for _, first in ipairs(rows) do
      for _, second in ipairs(rows) do
        for _, value in ipairs({ FLOOR, true }) do
          local world, box = scene(true)
          local _, _, hits = world:move(box, 24, 30, { [first.name] = value,
            [second.name] = value })
          local wins = first.order < second.order and first or second
          assert.equal(wins.name == "push" and "slide" or wins.name, hits[1].response)
        end
      end
    end
  end)

  it("lets a box through in touching and canFit, unless it is solid", function()
    for _, row in ipairs(rows) do
      local world, box, floor = scene(true)
      local isSolid = row.turn ~= "GOES_ON"
      box:setRect(0, 10)
      for _, filter in ipairs({ { [row.name] = FLOOR }, function() return row.name end }) do
        assert.equal(isSolid and floor or nil, world:touching(box, 0, 1, filter))
        assert.equal(not isSolid, (world:canFit(box, 0, 12, 10, 10, filter)))
      end
    end
  end)

  it("is an option of bodies if its row says so, and leads there, too", function()
    local names = {}
    for _, row in ipairs(rows) do
      table.insert(names, row.ofBodies and row.name or nil)
    end
    for _, row in ipairs(rows) do
      local world, box, floor = scene(true)
      if row.ofBodies then
        box:setResponse(row.name)
        box:setVelocity(24, 30)
        world:step(1)
        assert.equal(row.name, box:getResponse())
        assert.same(ENDS[row.turn], place(box), row.name)
        for body, other, response, t in world:hits() do
          assert.same({ box, floor, row.name, 1 / 3 }, { body, other, response, t })
        end
      else
        local last = table.remove(names)
        expect.refused({ quoted(names) .. (' or "%s" expected'):format(last), row.name },
          function() box:setResponse(row.name) end)
        table.insert(names, last)
        assert.is_nil(box:getResponse())
      end
    end
  end)

  it("is named by the error about one that is none", function()
    local names, world, box = {}, scene(true)
    for i, row in ipairs(rows) do
      names[i] = row.name
    end
    expect.refused({ "the filter function returned 'bump' (" .. quoted(names)
      .. ", nil or false expected)" }, function() world:move(box, 24, 30, function()
      return "bump"
    end) end)
  end)
end)
