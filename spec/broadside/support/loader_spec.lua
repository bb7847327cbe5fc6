-- Where the module may lie, by which names it may be required, and what the messages say if
-- something is missing or does not fit. Each case has its own folder and its own process.

local child = require("spec.support.child")

local versions = { "Lua 5.1", "Lua 5.2", "Lua 5.3", "Lua 5.4", "Lua 5.5" }
local isLuaJIT = rawget(_G, "jit") ~= nil
local otherLua = _VERSION == "Lua 5.3" and "Lua 5.2" or "Lua 5.3"
local lua = isLuaJIT and "luajit" or _VERSION:lower():gsub(" ", "")

local function run(command)
  local pipe = assert(io.popen(command))
  local output = pipe:read("*a")
  pipe:close()
  return (output:gsub("%s+$", ""))
end

local function read(path)
  local file = io.open(path, "rb")
  local contents = file and file:read("*a")
  if file then
    file:close()
  end
  return contents
end

local function write(path, contents)
  os.execute("mkdir -p '" .. path:match("^(.*)/") .. "'")
  local file = assert(io.open(path, "wb"))
  file:write(contents)
  file:close()
end

-- The library that this process has loaded; `half` is "d2" or "d3".
local function libraryOf(half)
  for template in package.cpath:gmatch("[^;]+") do
    local contents = read((template:gsub("?", "broadside/" .. half)))
    if contents then
      return contents
    end
  end
end

local machine = child.available and run("uname -m") or ""
local system = ({ x86_64 = "linux-x64", aarch64 = "linux-arm64" })[machine]
local packaged = "lua" .. _VERSION:gsub("%D", "") .. "-" .. tostring(system)

-- The same library, changed to look like one for another Lua: it needs a function that does not
-- exist.
local function forOtherLua(library)
  return (library:gsub("lua_createtable", "lua_createtaple")
    :gsub("Broadside for Lua 5%.%d", "Broadside for " .. otherLua))
end

local function forMachine(library, number)
  return library:sub(1, 18) .. string.char(number % 256, 0) .. library:sub(21)
end

local other = system == "linux-x64" and { number = 183, name = "linux-arm64" } or
  { number = 62, name = "linux-x64" }

-- The headers of a Windows library, and nothing else.
local windowsLibrary = "MZ" .. ("\0"):rep(58) .. "\128\0\0\0" .. ("\0"):rep(64) ..
  "PE\0\0\100\134" .. ("\0"):rep(400)

local describeOnLinux = child.available and system and not child.sanitized and describe or pending

describeOnLinux("the loader", function()
  local root

  before_each(function()
    root = os.tmpname()
    os.remove(root)
    os.execute("mkdir " .. root)
  end)

  after_each(function()
    os.execute("rm -rf " .. root)
  end)

  -- Writes the Lua files into a folder of the game, and libraries, given as contents by name.
  local function lay(folder, libraries)
    local path = root .. "/" .. folder
    os.execute(("mkdir -p %s && cp -R lua/broadside/* %s"):format(path, path))
    for name, contents in pairs(libraries) do
      write(path .. "/" .. name, contents)
    end
  end

  local function inLayout(folder)
    return { [folder .. "d2.so"] = libraryOf("d2"), [folder .. "d3.so"] = libraryOf("d3") }
  end

  -- Runs the source as a game in the root folder would run. No other folder has the module.
  local function play(source, cpath)
    local code, output = child.run(([[
      package.path = "%s/?.lua;%s/?/init.lua"
      package.cpath = "%s"
    ]]):format(root, root, cpath or "/nowhere/?.so") .. source)
    return code, output
  end

  local function works(source, cpath)
    local code, output = play(source .. [[
      local world, space = broadside.newWorld(), broadside.newWorld({ dim = 3 })
      world:insert(0, 0, 2, 2)
      world:insert(1, 1, 2, 2)
      space:insert(0, 0, 0, 2, 2, 2)
      space:insert(1, 1, 1, 2, 2, 2)
      io.write(world:countPairs(), " ", space:countPairs())
    ]], cpath)
    assert.equal("1 1", output)
    assert.equal(0, code)
  end

  -- Asserts that the message of a failed `require` is one sentence that contains all of `parts`.
  local function says(source, parts, cpath)
    local code, output = play("io.write(select(2, pcall(function()" .. source .. " end)))", cpath)
    assert.equal(0, code)
    assert.is_nil(output:find("\n"), output)
    assert.is_nil(output:find("traceback"), output)
    for _, part in ipairs(parts) do
      assert.is_truthy(output:find(part, 1, true), output .. "\nlacks\n" .. part)
    end
  end

  it("takes any name of the folder, in the layout of the packages", function()
    for _, folder in ipairs({ "broadside", "lib/broadside", "libs/physics/broadside", "a/b" }) do
      lay(folder, inLayout(packaged .. "/"))
      works(("local broadside = require(%q)"):format((folder:gsub("/", "."))))
      works(("local broadside = require(%q)"):format(folder))
      works(("local broadside = require(%q)"):format(folder:gsub("/", ".") .. ".init"))
      works(("local bump = require(%q) local broadside = require(%q)"):format(
        folder:gsub("/", ".") .. ".bump", (folder:gsub("/", "."))))
    end
  end)

  it("takes libraries that lie beside the Lua files", function()
    lay("lib/broadside", inLayout(""))
    works([[local broadside = require("lib.broadside")]])
  end)

  it("takes libraries that are installed along package.cpath", function()
    lay("lib/broadside", {})
    works([[local broadside = require("lib.broadside")]], package.cpath)
  end)

  it("prefers the package's library, then the one beside, to an installed one", function()
    lay("broadside", inLayout(packaged .. "/"))
    write(root .. "/broadside/d2.so", "no library")
    write(root .. "/installed/broadside/d2.so", "no library")
    works([[local broadside = require("broadside")]], root .. "/installed/?.so")
    os.execute(("mv %s/broadside/%s/d2.so %s/broadside"):format(root, packaged, root))
    works([[local broadside = require("broadside")]], root .. "/installed/?.so")
  end)

  it("takes the next one that fits, where others do not", function()
    lay("lib/broadside", {
      [packaged .. "/d2.so"] = forOtherLua(libraryOf("d2")), [packaged .. "/d3.so"] = "no library",
      ["d3.so"] = libraryOf("d3"),
    })
    write(root .. "/installed/broadside/d2.so", forMachine(libraryOf("d2"), other.number))
    local cpath = ("%s/installed/?.so;%s"):format(root, package.cpath)
    works([[local broadside = require("lib.broadside")]], cpath)
  end)

  it("works without the libraries debug and io", function()
    lay("lib/broadside", {})
    works([[
      debug, package.loaded.debug = nil, nil
      local write = io.write
      io = nil
      local broadside = require("lib.broadside")
      io = { write = write }
    ]], package.cpath)
  end)

  it("works where globals that are not there raise an error, with all of its modules", function()
    lay("lib/broadside", {})
    works([[
      local write = io.write
      debug, package.loaded.debug, io = nil, nil, nil
      setmetatable(_G, { __index = function(_, name)
        error("no global " .. name)
      end })
      local broadside, loaded = require("lib.broadside"), {}
      for name in ("bump debug draw ldtk play tiled tiles walker"):gmatch("%a+") do
        loaded[name] = require("lib.broadside." .. name)
      end
      local callable = setmetatable({}, { __call = function() return "slide" end })
      local world = loaded.bump.newWorld()
      world:add("box", 0, 0, 1, 1)
      assert(world:move("box", 5, 0, callable) == 5)
      local refused, message = pcall(loaded.walker.new, 7)
      assert(not refused and message:find("2D World expected, got 7", 1, true), message)
      rawset(_G, "io", { write = write })
    ]], package.cpath)
  end)

  it("gives one module under different names, and from copies", function()
    lay("lib/broadside", inLayout(packaged .. "/"))
    lay("vendor/other/aabb", inLayout(packaged .. "/"))
    local code, output = play([[
      local first = require("lib.broadside")
      local second = require("vendor.other.aabb")
      assert(rawequal(first, second) and rawequal(first, require("lib/broadside")))
      local backend = second.newGrid({ cellSize = 8 })
      local world = first.newWorld({ backend = backend })
      local bump = require("vendor.other.aabb.bump").newWorld()
      bump:add("item", 0, 0, 1, 1)
      world:insert(0, 0, 1, 1)
      assert(world:getBackend() == backend and world:count() == 1 and bump:countItems() == 1)
      local pool = second.newPool({ capacity = 1 })
      pool:spawn(-5, 0.5, 10, 0)
      pool:step(1)
      for _, box in pool:hits(world) do
        io.write(tostring(box:getRect()))
      end
    ]])
    assert.equal(0, tonumber((output:gsub("%.0$", ""))), output)
    assert.equal(0, code)
  end)

  it("refuses another version beside the one in use", function()
    lay("lib/broadside", inLayout(packaged .. "/"))
    lay("vendor/broadside", inLayout(packaged .. "/"))
    local init = root .. "/vendor/broadside/init.lua"
    write(init, (read(init):gsub('"Broadside %d+%.%d+%.%d+"', '"Broadside 9.8.7"')))
    local version = require("broadside")._VERSION
    says([[require("lib.broadside") require("vendor.broadside")]],
      { version .. " is in use", "Broadside 9.8.7, required as 'vendor.broadside'", "keep one" })
  end)

  it("stays loaded for finalisers that run when the state is closed", function()
    lay("a/b", inLayout(packaged .. "/"))
    local code, output = play([[
      local world
      local function last()
        io.write(world:count())
      end
      if newproxy then
        kept = newproxy(true)
        getmetatable(kept).__gc = last
      else
        kept = setmetatable({}, { __gc = last })
      end
      world = require("a.b").newWorld()
      world:insert(0, 0, 1, 1)
    ]])
    assert.equal(0, code)
    -- A world that was finalised earlier says that it is closed. That is an error in a finaliser,
    -- but not a crash.
    assert.is_truthy(output == "1" or output == "" or output:find("closed", 1, true), output)
  end)

  -- The command to type, for a folder of the game.
  local function command(folder)
    return ("make LUA=%s lay-out INTO='%s/%s'"):format(lua, root, folder)
  end

  it("says what it has looked for where there is no library", function()
    lay("lib/broadside", {})
    says([[require("lib.broadside")]], {
      "no 2D library for " .. _VERSION, "on " .. system, root .. "/lib/broadside' there is nothing",
      "package.cpath", command("lib/broadside"),
    })
  end)

  it("says what is there for other Luas and systems", function()
    local others, libraries = {}, { ["lua54-windows-x64/d2.dll"] = "MZ" }
    for _, version in ipairs(versions) do
      if version ~= _VERSION then
        local name = "lua" .. version:gsub("%D", "") .. "-" .. system
        libraries[name .. "/d2.so"] = ""
        others[#others + 1] = name
      end
    end
    lay("lib/broadside", libraries)
    others[#others + 1] = "lua54-windows-x64"
    says([[require("lib.broadside")]], {
      "no 2D library for " .. _VERSION, "there is only " .. table.concat(others, ", ") .. ", and",
      command("lib/broadside"),
    })
  end)

  it("names the package where there is one", function()
    lay("broadside", {})
    local code, output = play([[io.write(select(2, pcall(require, "broadside")))]])
    local isPackaged = _VERSION == "Lua 5.1" or _VERSION == "Lua 5.4"
    assert.equal(0, code)
    assert.equal(isPackaged, output:find("Broadside's package for " .. system, 1, true) ~= nil)
  end)

  it("says for which Lua a library is", function()
    local wrong = forOtherLua(libraryOf("d2"))
    for _, name in ipairs({ "d2.so", packaged .. "/d2.so" }) do
      lay("lib/broadside", { [name] = wrong })
      says([[require("lib.broadside")]], {
        root .. "/lib/broadside/" .. name .. " is for " .. otherLua .. " on " .. system,
        "needed is one for " .. _VERSION, command("lib/broadside"),
      })
      os.remove(root .. "/lib/broadside/" .. name)
    end
    write(root .. "/installed/broadside/d2.so", wrong)
    says([[require("lib.broadside")]], {
      root .. "/installed/broadside/d2.so is for " .. otherLua, command("lib/broadside"),
    }, root .. "/installed/?.so")
  end)

  it("says for which system a library is", function()
    lay("lib/broadside", { ["d2.so"] = forMachine(libraryOf("d2"), other.number) })
    says([[require("lib.broadside")]], {
      "d2.so is for " .. _VERSION .. " on " .. other.name, "needed is one for " .. _VERSION,
      "on " .. system, command("lib/broadside"),
    })
    write(root .. "/lib/broadside/d2.so", windowsLibrary)
    says([[require("lib.broadside")]], { "d2.so is for", "windows-x64", command("lib/broadside") })
    write(root .. "/lib/broadside/d2.so", "\207\250\237\254" .. ("\0"):rep(400))
    says([[require("lib.broadside")]], { "d2.so is for", "macos", command("lib/broadside") })
  end)

  it("knows libraries for Android", function()
    local contents = libraryOf("d2"):gsub("(Broadside for Lua 5%.%d)...........", "%1 on Android")
    lay("lib/broadside", { ["d2.so"] = contents:gsub("lua_createtable", "lua_createtaple") })
    says([[require("lib.broadside")]], {
      "d2.so is for " .. _VERSION .. " on " .. system:gsub("linux", "android"),
      "needed is one for " .. _VERSION, "on " .. system, command("lib/broadside"),
    })
  end)

  it("says what to do on Android, as LÖVE tells it", function()
    local abi = ({ ["linux-x64"] = "x86_64", ["linux-arm64"] = "arm64-v8a" })[system]
    local onAndroid = [[love = { _os = "Android" } require("lib.broadside")]]
    lay("lib/broadside", { ["d2.so"] = "no library" })
    says(onAndroid, { "d2.so", "does not load", "package for Android", abi, "APK" })
    lay("lib/broadside", { ["d2.so"] = forOtherLua(libraryOf("d2")) })
    says(onAndroid, { "on " .. system, "on " .. system:gsub("linux", "android"), abi })
    os.remove(root .. "/lib/broadside/d2.so")
    says(onAndroid, { "no 2D library", "on " .. system:gsub("linux", "android"), abi })
  end)

  it("says what to do where LÖVE tells that no library can be loaded", function()
    for os, name in pairs({ iOS = "ios", Web = "web" }) do
      local source = ([[love = { _os = %q } require("lib.broadside")]]):format(os)
      local parts = { "on " .. name .. ":", "link Broadside into the program", "doc/ship.md" }
      lay("lib/broadside", {})
      says(source, parts)
      lay("lib/broadside", inLayout(packaged .. "/"))
      parts[#parts + 1] = "only " .. packaged
      says(source, parts)
    end
  end)

  it("takes what is linked into the program before any library", function()
    lay("lib/broadside", { ["d2.so"] = "no library", ["d3.so"] = "no library" })
    write(root .. "/linked/d2.so", libraryOf("d2"))
    write(root .. "/linked/d3.so", libraryOf("d3"))
    works(([[
      for _, half in ipairs({ "d2", "d3" }) do
        package.preload["broadside." .. half] =
          package.loadlib("%s/linked/" .. half .. ".so", "luaopen_broadside_" .. half)
      end
      local broadside = require("lib.broadside")
    ]]):format(root))
  end)

  it("passes on why else a library does not load", function()
    for _, contents in ipairs({ "", "MZ", "\127ELF", "version https://git-lfs", ("x"):rep(999) }) do
      lay("lib/broadside", { ["d2.so"] = contents .. " " })
      says([[require("lib.broadside")]], { "lib/broadside/d2.so", command("lib/broadside") })
    end
    lay("lib/broadside", {
      ["d2.so"] = (libraryOf("d2"):gsub("lua_createtable", "lua_createtaple")),
    })
    says([[require("lib.broadside")]], { "does not load (", "lua_createtaple" })
  end)

  it("goes without 3D, and says what is missing where it is asked for", function()
    lay("lib/broadside", { ["d2.so"] = libraryOf("d2") })
    says([[
      local broadside = require("lib.broadside")
      assert(broadside.newWorld():count() == 0)
      broadside.newWorld({ dim = 3 })
    ]], { "3D is not available", "no 3D library", command("lib/broadside") })
  end)

  it("works when what was wrong has been mended, in the same process", function()
    lay("lib/broadside", { ["d2.so"] = "no library" })
    write(root .. "/good.so", libraryOf("d2"))
    write(root .. "/good3.so", libraryOf("d3"))
    works(([[
      local ok = pcall(require, "lib.broadside")
      assert(not ok)
      os.execute("mv %s/good.so %s/lib/broadside/d2.so; mv %s/good3.so %s/lib/broadside/d3.so")
      package.loaded["lib.broadside"] = nil
      local broadside = require("lib.broadside")
    ]]):format(root, root, root, root))
  end)

  it("knows for which Lua this library was built", function()
    local found = {}
    for name in libraryOf("d2"):gmatch("Broadside for (Lua 5%.%d)") do
      found[#found + 1] = name
    end
    assert.same({ _VERSION }, found)
    assert.is_truthy(table.concat(versions, " "):find(_VERSION, 1, true))
  end)
end)
