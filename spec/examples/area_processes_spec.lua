-- The example area in two processes that are killed: `make test-area` does it for longer.

describe("two processes of the example area", function()
  it("are one world, though they are killed at any time", function()
    if not pcall(require, "socket") then
      pending("LuaSocket is missing")
      return
    end
    assert(require("spec.area.kills").run(1, os.time()))
  end)
end)
