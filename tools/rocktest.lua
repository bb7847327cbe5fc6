-- `luarocks test` runs this. It builds for the Lua that LuaRocks is configured for, and runs the
-- specs.

local name = rawget(_G, "jit") and "luajit" or "lua" .. _VERSION:match("%d+%.%d+")
local status = os.execute("make test-one LUA=" .. name)
os.exit((status == true or status == 0) and 0 or 1)
