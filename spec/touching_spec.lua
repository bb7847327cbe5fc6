-- Hand-made cases of touching and canFit, in every symmetry and on every back end.

local scene = require("spec.support.scene")

describe("touching", function()
  it("sees what has no width left in doubles", function()
    scene.eachBackend(function(s)
      local box = s:insert({ -3e307, 0, 1e38, 4 })
      local other = s:insert({ -3e307, 2, 3, 4 })
      assert.equal(other, s:touching(box, { 1, 0 }))
      assert.equal(other, s:touching(box, { -1, 0 }))
      assert.equal(box, s:touching(other, { 1, 0 }))
      assert.is_nil(s:touching(box, { 0, 1 }))
    end)
  end)
end)
