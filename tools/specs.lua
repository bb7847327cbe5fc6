-- Runs busted under the interpreter that runs this file:
--     lua5.4 tools/specs.lua [options of busted] [spec ...]
-- The command `busted` would run whatever `lua` is on the machine instead.

-- Ubuntu 22.04 packages some of what busted needs for Lua 5.3 only. The parts in Lua also work
-- here. The module with its clock is in C and does not.
if _VERSION == "Lua 5.4" then
  package.path = package.path .. ";/usr/share/lua/5.3/?.lua;/usr/share/lua/5.3/?/init.lua"
end
if not pcall(require, "system") then
  package.preload.system = function()
    return { gettime = os.time, monotime = os.clock, sleep = function() end }
  end
end

-- Specs are so much code that LuaJIT's space for machine code, 512 KB, fills up again and again.
-- Then all of it is thrown away, and most of the time goes into compiling it once more.
local jit = rawget(_G, "jit")
if jit then
  jit.opt.start("sizemcode=512", "maxmcode=8192")
end

if os.getenv("BROADSIDE_COLLECTOR") then
  dofile("spec/support/collector.lua")
end

-- Failing specs end the process inside the call, so an error that is returned is busted's own.
local ok, message = pcall(require("busted.runner"), { standalone = false })
if not ok then
  io.stderr:write("busted: ", tostring(message), "\n")
  os.exit(1)
end
