--- Finds the C libraries of Broadside, whatever its folder is called and wherever it is, and says
-- in one sentence what is wrong with a library that does not fit.
--
-- A library is looked for in the folder of Broadside, as `lua54-linux-x64/d2.so` (the layout of
-- the packages, which can hold libraries for several versions of Lua and systems) and as `d2.so`.
-- Then it is looked for as Lua finds any module (`package.cpath`: LuaRocks). In LÖVE the folder
-- may also be in a .love. Then the libraries are at the same place beside that, or in it. From
-- there they are copied to the save directory, because no system loads a library from an archive.

local loader = {}

local jit = rawget(_G, "jit")
local version = _VERSION -- "Lua 5.1" in LuaJIT and LÖVE
local abi = "lua" .. version:gsub("%D", "")
local onWindows = package.config:sub(1, 1) == "\\"

-- The versions of Lua and the systems for which there are packages.
local PACKAGED = {
  lua51 = true, lua54 = true,
  ["linux-x64"] = true, ["linux-arm64"] = true, ["windows-x64"] = true, macos = true,
}

-- Android's names of the processors for which there are packages.
local ANDROID = {
  ["android-arm64"] = "arm64-v8a", ["android-arm"] = "armeabi-v7a", ["android-x64"] = "x86_64",
}

-- The contents of the file, or its first bytes; nil if there is no such file.
local function readFile(path, bytes)
  local io = rawget(_G, "io")
  local file = io and io.open and io.open(path, "rb")
  if not file then return nil end
  local contents = file:read(bytes or "*a")
  file:close()
  return contents or ""
end

-- Numbers of machines in the headers of ELF and of Windows files.
local MACHINES = {
  [3] = "x86", [40] = "arm", [62] = "x64", [183] = "arm64",
  [0x14c] = "x86", [0x8664] = "x64", [0xaa64] = "arm64",
}

local function machineAt(bytes, at)
  local low, high = bytes:byte(at, at + 1)
  return high and MACHINES[low + 256 * high] or "another processor"
end

-- The system that a program or library is for, by its first bytes; nil if they do not tell.
local function systemOf(bytes)
  if bytes:sub(1, 4) == "\127ELF" then
    local isForAndroid = bytes:find("Broadside for Lua 5%.%d on Android")
    return (isForAndroid and "android-" or "linux-") .. machineAt(bytes, 19)
  elseif bytes:sub(1, 2) == "MZ" and #bytes > 64 then
    local low, high = bytes:byte(61, 62)
    return "windows-" .. machineAt(bytes, low + 256 * high + 5)
  elseif bytes:find("^\207\250\237\254") or bytes:find("^\202\254\186\190") then
    return "macos"
  end
  return nil
end

-- The system that this runs on, as packages name it; nil if that cannot be found.
local function findSystem()
  if jit then
    return jit.os == "OSX" and "macos" or jit.os:lower() .. "-" .. jit.arch
  elseif onWindows then
    return "windows-x64"
  end
  local program = readFile("/proc/self/exe", 64)
  return program and systemOf(program) or
    readFile("/System/Library/CoreServices/SystemVersion.plist", 0) and "macos"
end

local here = findSystem()

-- Lua takes Android for Linux, but its libraries are different. On iOS and in a browser none can be
-- loaded. LÖVE knows where it runs.
local love = rawget(_G, "love")
local LOADS_NONE = { iOS = "ios", Web = "web" }
local loadsNone = type(love) == "table" and LOADS_NONE[love._os]
if loadsNone then
  here = loadsNone
elseif here and type(love) == "table" and love._os == "Android" then
  here = here:gsub("^linux", "android")
end

-- The folder of Broadside, which has this file's folder, by the name under which Lua or LÖVE has
-- loaded it; nil if not known.
local getinfo = (rawget(_G, "debug") or {}).getinfo
local source = getinfo and getinfo(1, "S").source or ""
local folder = source:match("^@(.*)[/\\]support[/\\]") or source:match("^@") and "."

-- love.filesystem, if it has loaded this file.
local fs = folder and type(love) == "table" and love.filesystem
fs = fs and fs.setCRequirePath and fs.getInfo(folder .. "/init.lua") and fs

-- The path in the machine's file system of a file of the game or of the save directory.
local function realPath(path)
  return (fs.getRealDirectory(path) or "") .. "/" .. path
end

-- Explanations ------------------------------------------------------------------------------------

local needed = ("%s%s on %s"):format(version, jit and " (LuaJIT)" or "", here or "this system")

-- What is wrong with the library in the file `path`; nil if it names its system and its Lua, and
-- they fit. why: what the system said when it could not load the file, if it was tried.
local function problemOf(path, bytes, why)
  local system, lua = systemOf(bytes), bytes:match("Broadside for (Lua 5%.%d)")
  if lua and lua ~= version or here and system and system ~= here then
    return ("Broadside's library %s is for %s on %s, and what is needed is one for %s"):format(
      path, lua or "an unknown Lua", system or "an unknown system", needed)
  end
  return why and ("Broadside's library %s does not load (%s)"):format(path, (why:gsub("%s+", " ")))
end

-- The folder of Broadside, or the one beside its archive, as a user can type it elsewhere.
local function typedFolder()
  if not folder then
    return "FOLDER"
  elseif fs then
    local real = realPath(folder .. "/init.lua")
    return readFile(real, 0) and real:match("^(.*)/") or
      fs.getSourceBaseDirectory() .. "/" .. folder
  end
  local isRelative = not folder:find("^/") and not folder:find("^%a:") and os.getenv("PWD")
  return isRelative and os.getenv("PWD") .. "/" .. folder:gsub("^%./", "") or folder
end

-- The folders of libraries for other versions of Lua and other systems that exist.
local function othersThatAreThere(half)
  local found = {}
  for _, system in ipairs({ "linux-x64", "linux-arm64", "windows-x64", "macos" }) do
    for minor = 1, 5 do
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

-- What the user can do, and type.
local function remedy()
  if ANDROID[here] then
    return ("; put what Broadside's package for Android has for %s into the APK, as its " ..
      "README.txt says"):format(ANDROID[here])
  elseif loadsNone then
    return "; link Broadside into the program, as its doc/ship.md says"
  end
  local name = jit and "luajit" or version:lower():gsub(" ", "")
  local unpack = ""
  if here and PACKAGED[abi] and PACKAGED[here] then
    unpack = "unpack Broadside's package for " .. here .. " there, or "
  end
  return ("; %stype in the folder of Broadside's sources: make LUA=%s lay-out INTO='%s'"):format(
    unpack, name, typedFolder())
end

-- Places ------------------------------------------------------------------------------------------

-- Makes `require` find the library in this file, if it loads. Otherwise returns what is wrong with
-- it. On Windows the file is examined first: a library for another Lua would end the process, if
-- that Lua is installed, too. Other systems refuse to load such a library.
local function offer(half, path)
  local bytes = onWindows and readFile(path)
  local problem = bytes and problemOf(path, bytes)
  if problem then return problem end
  local open, why = package.loadlib(path, "luaopen_broadside_" .. half)
  if open then
    package.preload["broadside." .. half] = open
    return nil
  end
  bytes = bytes or readFile(path)
  return bytes and problemOf(path, bytes, why)
end

-- The path from which LÖVE can load a file of the game. A file in an archive is copied to the save
-- directory. An old copy is removed before it is replaced, as another process may be running it.
local function outOfArchive(path, name, bytes)
  if readFile(realPath(path), 0) then return path end
  local copy = "broadside-libraries/" .. name
  if fs.read(copy) ~= bytes then
    fs.createDirectory((copy:match("^(.*)/")))
    fs.remove(copy)
    fs.write(copy, bytes)
  end
  return copy
end

-- `offer` for a file of a game in LÖVE. LÖVE's own loader gets the path, too: on Windows it opens
-- files in folders with names in any language, which package.loadlib does not.
local function offerInLove(half, path, name)
  local bytes = fs.read(path)
  local problem = bytes and problemOf(realPath(path), bytes)
  if not bytes or problem then return problem end
  local place = outOfArchive(path, name, bytes)
  fs.setCRequirePath(place .. ";" .. fs.getCRequirePath())
  return offer(half, realPath(place))
end

-- Goes through the places, the best first, until `require` can find the library. Returns what is
-- wrong with the first file that exists but does not load.
local function offerAny(half)
  local module, file = "broadside." .. half, half .. (onWindows and ".dll" or ".so")
  local first
  local function try(how, ...)
    if not package.preload[module] then
      local problem = how(half, ...)
      first = first or problem
    end
  end
  for _, name in ipairs({ abi .. "-" .. (here or "macos") .. "/" .. file, file }) do
    if fs then
      try(offerInLove, folder .. "/" .. name, name)
      try(offer, fs.getSourceBaseDirectory() .. "/" .. folder .. "/" .. name)
    elseif folder then
      try(offer, folder .. "/" .. name)
    end
  end
  for template in package.cpath:gmatch("[^;]+") do
    try(offer, (template:gsub("%?", "broadside/" .. half)))
  end
  if first and not fs and not package.preload[module] then
    package.preload[module] = error -- otherwise `require` would load this one
  end
  return first
end

--- Loads half of Broadside.
-- half: "d2" or "d3".
-- Returns whether it was found, and the half; or, in one sentence, why it was not.
function loader.load(half)
  local name = "broadside." .. half
  local preloaded, cpath = package.preload[name], fs and fs.getCRequirePath()
  local problem = not package.loaded[name] and offerAny(half)
  local found, module = pcall(require, name)
  package.preload[name] = preloaded
  if fs then fs.setCRequirePath(cpath) end
  if found then return true, module end
  package.loaded[name] = nil -- Lua 5.1 remembers a load that failed
  local message = tostring(module)
  if message:find("not enough memory", 1, true) then error(module, 0) end
  problem = problem or message:find("not found", 1, true)
    and ("Broadside has no %s library for %s: in '%s' there is %s, and nothing along package.cpath")
      :format(half == "d2" and "2D" or "3D", needed, typedFolder(), othersThatAreThere(half))
  return false, problem and problem .. remedy() or message
end

return loader
