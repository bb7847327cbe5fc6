--- Finds the C libraries of Broadside wherever its folder is and whatever it is called, and says in
-- one sentence what is wrong with what it finds.
--
-- A library is looked for in the folder of this file, as `lua54-linux-x64/d2.so` (the layout of the
-- packages: what is for another Lua or another system may lie beside it) and as `d2.so`; then as
-- Lua finds any module (`package.cpath`: LuaRocks). In LÖVE the folder may be in a .love, too: the
-- libraries lie at the same place beside that, or in it, and are then copied to the save directory,
-- because no system loads a library from an archive.

local loader = {}

local jit = rawget(_G, "jit")
local version = _VERSION -- "Lua 5.1" in LuaJIT and LÖVE
local abi = "lua" .. version:gsub("%D", "")
local onWindows = package.config:sub(1, 1) == "\\"

-- What there are packages for: Luas, and systems.
local PACKAGED = {
  lua51 = true, lua54 = true,
  ["linux-x64"] = true, ["linux-arm64"] = true, ["windows-x64"] = true,
}

-- What is in the file, or as many bytes of it; nil if there is no such file.
local function readFile(path, bytes)
  local file = io and io.open and io.open(path, "rb")
  if not file then
    return nil
  end
  local contents = file:read(bytes or "*a")
  file:close()
  return contents or ""
end

-- Machines in the headers of ELF and of Windows files.
local MACHINES = {
  [3] = "x86", [40] = "arm", [62] = "x64", [183] = "arm64",
  [0x14c] = "x86", [0x8664] = "x64", [0xaa64] = "arm64",
}

local function machineAt(bytes, at)
  local low, high = bytes:byte(at, at + 1)
  return high and MACHINES[low + 256 * high] or "another processor"
end

-- The system that a program or library is for, by its first bytes; nil where they say nothing.
local function systemOf(bytes)
  if bytes:sub(1, 4) == "\127ELF" then
    return "linux-" .. machineAt(bytes, 19)
  elseif bytes:sub(1, 2) == "MZ" and #bytes > 64 then
    local low, high = bytes:byte(61, 62)
    return "windows-" .. machineAt(bytes, low + 256 * high + 5)
  elseif bytes:find("^\207\250\237\254") or bytes:find("^\202\254\186\190") then
    return "macos"
  end
  return nil
end

-- The system that this runs on, as packages name it; nil where that cannot be known.
local function findSystem()
  if jit then
    return jit.os == "OSX" and "macos" or jit.os:lower() .. "-" .. jit.arch
  elseif onWindows then
    return "windows-x64"
  end
  local program = readFile("/proc/self/exe", 64)
  return program and systemOf(program)
end

local here = findSystem()

-- The folder of this file, with the name by which Lua or LÖVE has loaded it; nil: not known.
local function findFolder()
  local source = debug and debug.getinfo(1, "S").source or ""
  return source:match("^@(.*)[/\\]") or source:match("^@") and "."
end

local folder = findFolder()

-- love.filesystem, if this file was loaded by it.
local function findLove()
  local love = rawget(_G, "love")
  local fs = type(love) == "table" and love.filesystem
  if folder and fs and fs.setCRequirePath and fs.getInfo(folder .. "/loader.lua") then
    return fs
  end
  return nil
end

local fs = findLove()

-- The path of a file of the game, or of the save directory, in the file system of the machine.
local function realPath(path)
  return (fs.getRealDirectory(path) or "") .. "/" .. path
end

-- A file of the game as LÖVE can load it: what is in an archive is copied to the save directory.
-- A copy that is to be replaced is removed first, because another process may be running it.
local function outOfArchive(path, name)
  if not fs.getInfo(path, "file") then
    return nil
  elseif readFile(realPath(path), 0) then
    return path
  end
  local copy = "broadside-libraries/" .. name
  local bytes = fs.read(path)
  if fs.read(copy) ~= bytes then
    fs.createDirectory((copy:match("^(.*)/")))
    fs.remove(copy)
    fs.write(copy, bytes)
  end
  return copy
end

-- Paths of a library below the folder, the better one first.
local function namesOf(half)
  local name = half .. (onWindows and ".dll" or ".so")
  return { abi .. "-" .. (here or "macos") .. "/" .. name, name }
end

-- Has `require` find the library that is there; returns its path, and why it does not load.
local function offer(root, half)
  local found, why
  for _, name in ipairs(namesOf(half)) do
    local path = root .. "/" .. name
    local open, problem = package.loadlib(path, "luaopen_broadside_" .. half)
    if open then
      package.preload["broadside." .. half] = open
      return path
    elseif not found and readFile(path, 0) then
      found, why = path, problem
    end
  end
  return found, why
end

-- What is beside this file, offered to `require`; returns where it is, and why it does not load.
local function offerBeside(half)
  if not folder then
    return nil
  elseif not fs then
    return offer(folder, half)
  end
  local paths = {}
  for _, name in ipairs(namesOf(half)) do
    paths[#paths + 1] = outOfArchive(folder .. "/" .. name, name)
  end
  if #paths == 0 then
    return offer(fs.getSourceBaseDirectory() .. "/" .. folder, half)
  end
  fs.setCRequirePath(table.concat(paths, ";") .. ";" .. fs.getCRequirePath())
  return realPath(paths[1])
end

-- Explanations ------------------------------------------------------------------------------------

-- The folder of this file as it can be typed elsewhere; beside the archive, if it is in one.
local function typedFolder()
  if not folder then
    return "FOLDER"
  elseif fs then
    local real = realPath(folder .. "/loader.lua")
    return readFile(real, 0) and real:match("^(.*)/") or
      fs.getSourceBaseDirectory() .. "/" .. folder
  end
  local isRelative = not folder:find("^/") and not folder:find("^%a:") and os.getenv("PWD")
  return isRelative and os.getenv("PWD") .. "/" .. folder:gsub("^%./", "") or folder
end

-- What to do, and what to type.
local function remedy()
  local name = jit and "luajit" or version:lower():gsub(" ", "")
  local unpack = ""
  if here and PACKAGED[abi] and PACKAGED[here] then
    unpack = "unpack Broadside's package for " .. here .. " there, or "
  end
  return ("; %stype in the folder of Broadside's sources: make LUA=%s lay-out INTO='%s'"):format(
    unpack, name, typedFolder())
end

-- The folders of libraries that are there, for other Luas and other systems.
local function othersThatAreThere(half)
  local found = {}
  for _, system in ipairs({ "linux-x64", "linux-arm64", "windows-x64", "macos" }) do
    for minor = 1, 4 do
      local name = ("lua5%d-%s"):format(minor, system)
      local path = ("%s/%s/%s"):format(folder or "", name, half) ..
        (system:find("windows") and ".dll" or ".so")
      if fs and fs.getInfo(path) or not fs and readFile(path, 0) then
        found[#found + 1] = name
      end
    end
  end
  return #found > 0 and "only " .. table.concat(found, ", ") or "nothing"
end

-- Why `path` does not load, or that there is none, in one sentence.
local function explain(half, path, why)
  local needed = ("%s%s on %s"):format(version, jit and " (LuaJIT)" or "", here or "this system")
  if not path then
    return ("Broadside has no %s library for %s: in '%s' there is %s, and nothing along " ..
      "package.cpath"):format(half == "d2" and "2D" or "3D", needed, typedFolder(),
      othersThatAreThere(half)) .. remedy()
  end
  local bytes = readFile(path) or ""
  local system, lua = systemOf(bytes), bytes:match("Broadside for (Lua 5%.%d)")
  if lua and (lua ~= version or here and system ~= here) or here and system and system ~= here then
    return ("Broadside's library %s is for %s on %s, and what is needed is one for %s"):format(
      path, lua or "an unknown Lua", system, needed) .. remedy()
  end
  return ("Broadside's library %s does not load (%s)"):format(path,
    tostring(why):gsub("%s+", " ")) .. remedy()
end

--- Loads half of Broadside.
-- half: "d2" or "d3".
-- Returns whether that is there, and it or, in one sentence, why it is not.
function loader.load(half)
  local name = "broadside." .. half
  local cpath = fs and fs.getCRequirePath()
  local path, why
  if not package.loaded[name] and not package.preload[name] then
    path, why = offerBeside(half)
  end
  local found, module = pcall(require, name)
  if path then
    package.preload[name] = nil
  end
  if fs then
    fs.setCRequirePath(cpath)
  end
  if found then
    return true, module
  end
  package.loaded[name] = nil -- Lua 5.1 remembers what has failed
  if tostring(module):find("not enough memory", 1, true) then
    error(module, 0)
  end
  if fs and path and not why then -- LÖVE does not say why
    local _, problem = package.loadlib(path, "luaopen_broadside_" .. half)
    why = problem
  end
  path = path or tostring(module):match("from file '(.-)'")
  return false, explain(half, path, why or module)
end

return loader
