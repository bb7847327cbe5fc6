-- pool:write writes rows of floats for drawing, and checks the size of the memory.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")

for dim = 2, 3 do
  describe(("pool:write in %dD"):format(dim), function()
    local ROW = 4 * (2 * dim + 1)
    local pool

    before_each(function()
      pool = broadside.newPool({ dim = dim, capacity = 10 })
      for i = 1, 3 do
        local numbers = dim == 2 and { i, 2.5, -3, 0.5 } or { i, 2.5, 7, -3, 0.5, 9 }
        pool:spawn(compat.values(numbers, { tag = 10 * i }))
      end
      pool:step(2)
    end)

    teardown(buffer.close)

    it("writes place, velocity and tag of each mover, and nothing behind", function()
      local data, next_float = buffer.new(3 * ROW)
      if not data then
        pending("no C compiler here")
        return
      end
      assert.equal(3, pool:write(data))
      for i = 1, 3 do
        local expected = dim == 2 and { i - 6, 3.5, -3, 0.5, 10 * i }
          or { i - 6, 3.5, 25, -3, 0.5, 9, 10 * i }
        for _, value in ipairs(expected) do
          assert.equal(value, next_float())
        end
      end
      assert.equal(-1, next_float())
    end)

    it("refuses memory that is too small, and writes nothing", function()
      for _, size in ipairs({ 3 * ROW - 1, 1, 0, -1, compat.nan, "60" }) do
        local data, next_float = buffer.new(size)
        if not data then
          pending("no C compiler here")
          return
        end
        expect.refused("bad argument #1 to 'write' (Data ", pool.write, pool, data)
        assert.equal(-1, next_float())
      end
    end)

    it("refuses pointers that floats cannot be written to", function()
      pool:clear() -- so that there is nothing to write
      for _, kind in ipairs({ "unaligned", "null", "itself" }) do
        local data = buffer.new(3 * ROW, kind)
        if not data then
          pending("no C compiler here")
          return
        end
        expect.message("bad argument #1 to 'write' " ..
          "(Data whose memory floats can be written to expected)", pool.write, pool, data)
      end
    end)
  end)
end
