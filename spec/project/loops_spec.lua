-- LuaJIT's compiler makes wrong loops over `next` and `pairs`: support/fields.lua says how.
-- So no other file of the library may use them.

local compat = require("spec.support.compat")
local lfs = require("lfs")

-- Compiled code has the name of a global as a constant, after a byte that has its length. Comments
-- and names of locals are not in it.
local function usesGlobal(code, name)
  local first = compat.isLuaJIT and 5 or 129
  return code:find(string.char(first + #name) .. name, 1, true) ~= nil
end

local function dump(source)
  return string.dump(assert(source), true)
end

if compat.isLuaJIT or _VERSION == "Lua 5.4" then
  describe("loops over next and pairs", function()
    it("are seen in compiled code", function()
      for _, name in ipairs({ "next", "pairs" }) do
        local form = "local t = ... %s for k in %s do t[k] = nil end"
        local load = loadstring or load
        assert.is_true(usesGlobal(dump(load(form:format("", name .. ", t"))), name))
        assert.is_true(usesGlobal(dump(load(form:format("", name .. "(t)"))), name))
        assert.is_true(usesGlobal(dump(load(form:format("local f = " .. name, "f, t"))), name))
        assert.is_false(usesGlobal(dump(load("local " .. name .. " = i" .. name)), name))
      end
    end)

    it("are in one file alone", function()
      local files = {}
      for _, folder in ipairs({ "", "maps/", "support/", "walker/" }) do
        for name in lfs.dir("lua/broadside/" .. folder) do
          local path = folder .. name
          local code = name:match("%.lua$") and dump(loadfile("lua/broadside/" .. path)) or ""
          files[path] = (usesGlobal(code, "next") or usesGlobal(code, "pairs")) or nil
        end
      end
      assert.same({ ["support/fields.lua"] = true }, files)
    end)
  end)
end
