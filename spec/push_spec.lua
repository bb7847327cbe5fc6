-- Hand-made cases of push, in every symmetry and on every back end.

local scene = require("spec.support.scene")

describe("push", function()
  -- The first box pushes the second one farther than the platform would, and it must stay there.
  it("does not pull back what another box has pushed ahead already", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 1, 10 }, { static = true })
      local first = s:insert({ 2, 0, 2, 2 })
      local second = s:insert({ 5, 0, 2, 5 })
      local rows = s:push(plate, { 10, 0 })
      assert.equal(2, #rows)
      assert.is_false(rows[1].crushed or rows[2].crushed)
      assert.same({ 11, 0, 2, 2 }, s:getRect(first))
      assert.same({ 13, 0, 2, 5 }, s:getRect(second))
    end)
  end)
end)
