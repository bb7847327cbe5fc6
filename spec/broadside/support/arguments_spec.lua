-- broadside.support.arguments: errors name the line that has called the library, and the value.

local arguments = require("broadside.support.arguments")
local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

local HERE = "^%S*arguments_spec.lua:(%d+): (.*)"

local function lineHere()
  return debug.getinfo(2, "l").currentline
end

describe("An error of the modules in Lua", function()
  local world = broadside.newWorld()

  it("names the line of the call, however deep it is found", function()
    local map = tiles.newMap(world, "..\n##", nil, { w = 10 })
    local hero, line = walker.new(world, world:insert(0, 0, 5, 5)), nil
    for _, call in ipairs({
      function() line = lineHere() tiles.insert() end,
      function() line = lineHere() tiles.insert(world, { 7 }, nil, { w = 1 }) end,
      function() line = lineHere() tiles.rects("a", { a = 7 }, { w = 1 }) end,
      function() line = lineHere() map:set(1, 1, "?", 7) map:set(1, 1) end,
      function() line = lineHere() map:restore({ symbols = {}, chunks = {}, columns = 2 }) end,
      function() line = lineHere() map:rayCells(1) end,
      function() line = lineHere() hero:walk("x") end,
      function() line = lineHere() walker.new(world, hero.box, { snap = -1 }) end,
      function() line = lineHere() require("broadside.bump").newWorld():move("nobody", 1, 1) end,
      function() line = lineHere() require("broadside.tiled").insert(world, { layers = 7 }) end,
    }) do
      local done, got = pcall(call)
      assert.is_false(done)
      local number, message = got:match(HERE)
      assert.equal(tostring(line), number, got)
      assert.truthy(message:find("bad argument #%d to '%w+' %("), message)
    end
  end)

  it("names the line of a function of the game that the library has called", function()
    local line
    local done, got = pcall(tiles.insert, world, "a", { a = function()
      line = lineHere() tiles.rects()
    end }, { w = 10 })
    assert.is_false(done)
    assert.equal(tostring(line), got:match(HERE))
  end)

  it("names no line where a function in C has called it", function()
    local done, got = pcall(tiles.rects)
    assert.is_false(done)
    assert.equal("bad argument #1 to 'rects' (string or table of rows expected, got nil)", got)
    done, got = coroutine.resume(coroutine.create(tiles.rects))
    assert.is_false(done)
    assert.truthy(got:find("^bad argument"), got)
  end)

  it("shows numbers, short texts and userdata as they are, and of others the type", function()
    local describe = arguments.describe
    assert.equal("nan", describe(compat.nan))
    assert.equal("-inf", describe(-compat.huge))
    assert.equal("0.5", describe(0.5))
    assert.equal("'x'", describe("x"))
    assert.equal("'" .. ("x"):rep(60) .. "'", describe(("x"):rep(60)))
    assert.equal("'" .. ("x"):rep(60) .. "...'", describe(("x"):rep(61)))
    assert.equal("World (2D, 0 boxes)", describe(broadside.newWorld()))
    assert.equal("nil", describe(nil))
    assert.equal("table", describe({}))
    assert.equal("function", describe(print))
  end)

  it("comes without the debug library, too", function()
    local file = assert(io.open("lua/broadside/support/arguments.lua"))
    local text = "local debug = nil " .. file:read("*a")
    file:close()
    local own = assert((loadstring or load)(text))()
    expect.refused("bad argument #2 to 'f' (x)", own.refuse, "f", 2, "x")
  end)
end)
