-- Makes Lua on Linux look like Lua on macOS to the loader, and loads libraries for macOS with
-- macho.c. The variable MACHO names the file of that module. lua5.4 -e "dofile('macos.lua')"
-- program.lua
-- luacheck: globals package.loadlib io.open jit.os

local load = assert(package.loadlib(os.getenv("MACHO"), "luaopen_macho"))()

package.loadlib = function(path, name)
  local found, result = pcall(load, path, name)
  return found and result or nil, not found and result or nil, "open"
end

local open = io.open
io.open = function(path, mode)
  if path == "/proc/self/exe" then
    return nil
  end
  return open(path:find("^/System/Library/") and "/dev/null" or path, mode)
end

if jit then
  jit.os = "OSX"
end
