-- world:writeRects writes rows of floats for drawing, and checks the size of the memory.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")

for dim = 2, 3 do
  describe(("world:writeRects in %dD"):format(dim), function()
    local ROW = 4 * 2 * dim
    local world, boxes

    before_each(function()
      world = broadside.newWorld({ dim = dim })
      boxes = {}
      for i = 1, 3 do
        local rect = dim == 2 and { i, -2.5, 4, 0.5 } or { i, -2.5, 7, 4, 0.5, 9 }
        boxes[i] = world:insert(compat.values(rect))
      end
    end)

    teardown(buffer.close)

    local function expectRows(next_float, list)
      for _, i in ipairs(list) do
        local row = dim == 2 and { i, -2.5, 4, 0.5 } or { i, -2.5, 7, 4, 0.5, 9 }
        for _, value in ipairs(row) do
          assert.equal(value, next_float())
        end
      end
      assert.equal(-1, next_float())
    end

    local function newBuffer(size, kind)
      local data, next_float = buffer.new(size, kind)
      if not data then
        pending("no C compiler here")
      end
      return data, next_float
    end

    it("writes all boxes in the order of insertion, and nothing behind", function()
      boxes[2]:remove()
      world:insert(compat.values(dim == 2 and { 8, -2.5, 4, 0.5 } or { 8, -2.5, 7, 4, 0.5, 9 }))
      local data, next_float = newBuffer(3 * ROW)
      if data then
        assert.equal(3, world:writeRects(data))
        expectRows(next_float, { 1, 3, 8 })
      end
    end)

    it("writes the boxes that it is given, Boxes or ids", function()
      local data, next_float = newBuffer(2 * ROW)
      if data then
        assert.equal(2, world:writeRects(data, { boxes[3], boxes[1]:getId() }))
        expectRows(next_float, { 3, 1 })
        assert.equal(0, world:writeRects(data, {}))
      end
    end)

    it("refuses memory that is too small and boxes that are none, and writes nothing", function()
      local small, small_float = newBuffer(3 * ROW - 1)
      if not small then
        return
      end
      expect.refused("bad argument #1 to 'writeRects' (Data of " .. 3 * ROW .. " bytes or more",
        world.writeRects, world, small)
      boxes[2]:remove()
      expect.refused("bad argument #2 to 'writeRects' (item 2: box was removed", world.writeRects,
        world, small, boxes)
      assert.equal(-1, small_float())
    end)

    -- In a world without boxes nothing would be written, whatever the pointer is.
    it("refuses pointers that floats cannot be written to", function()
      world:clear()
      for _, kind in ipairs({ "unaligned", "null", "itself" }) do
        local data, next_float = newBuffer(3 * ROW, kind)
        if data then
          expect.message("bad argument #1 to 'writeRects' " ..
            "(Data whose memory floats can be written to expected)", world.writeRects, world, data)
          assert.equal(-1, next_float())
        end
      end
    end)

    it("refuses methods that are not C functions, and userdata that scripts make", function()
      local data, next_float = newBuffer(3 * ROW)
      if not data then
        return
      end
      local methods = debug.getmetatable(data).__index
      local function refuse(object, message)
        expect.message("bad argument #1 to 'writeRects' (" .. message .. ")", world.writeRects,
          world, object)
        assert.equal(-1, next_float())
      end
      for _, name in ipairs({ "getSize", "getPointer" }) do
        local method = methods[name]
        methods[name] = function(self) return (method(self)) end
        refuse(data, ("Data whose %s is a C function expected"):format(name))
        -- C functions that run a function of the script.
        local wrapped = coroutine.wrap(function(self) return (method(self)) end)
        for _, made in ipairs({ wrapped, ("x"):rep(1e6):gmatch("()") }) do
          methods[name] = made
          refuse(data, ("Data with a %s of its own expected"):format(name))
        end
        methods[name] = method
        -- Here LÖVE keeps its own methods. Functions of others do not know the memory, even if they
        -- run no script.
        local registry = debug.getregistry()
        registry.Data = { [name] = method }
        methods[name] = os.clock
        refuse(data, ("Data with a %s of its own expected"):format(name))
        methods[name] = method
        assert.equal(#boxes, world:writeRects(data))
        registry.Data = nil
        methods.getPointer(data) -- this overwrites what was written
      end
      local newproxy = rawget(_G, "newproxy")
      if newproxy then
        local proxy = newproxy(true)
        debug.setmetatable(proxy, debug.getmetatable(data))
        refuse(proxy, "Data with getPointer and getSize expected, got userdata")
      end
    end)
  end)
end
