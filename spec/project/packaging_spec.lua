-- The rockspec must name every source, and the project's address as soon as there is one. This spec
-- compares its lists with the folders, and all addresses in other files with that one.

local lfs = require("lfs")

local function load_rockspec(path)
  local env = {}
  if setfenv then
    setfenv(assert(loadfile(path)), env)()
  else
    assert(loadfile(path, "t", env))()
  end
  return env
end

local function files(folder, ending)
  local found = {}
  for name in lfs.dir(folder) do
    if name:sub(-#ending) == ending then
      found[#found + 1] = folder .. "/" .. name
    end
  end
  table.sort(found)
  return found
end

local function sorted(list)
  local copy = {}
  for i, value in ipairs(list) do
    copy[i] = value
  end
  table.sort(copy)
  return copy
end

describe("broadside-scm-1.rockspec", function()
  local rockspec = load_rockspec("broadside-scm-1.rockspec")
  local modules = rockspec.build.modules

  it("builds both modules from every C source, with their DIM", function()
    local sources = {}
    for folder in lfs.dir("src") do
      for _, path in ipairs(folder:match("^%.") and {} or files("src/" .. folder, ".c")) do
        sources[#sources + 1] = path
      end
    end
    table.sort(sources)
    for dim = 2, 3 do
      local module = modules["broadside.d" .. dim]
      assert.same(sources, sorted(module.sources))
      assert.same({ "DIM=" .. dim, "NDEBUG" }, module.defines)
      assert.same({ "include", "src" }, module.incdirs)
    end
  end)

  it("installs every Lua file under the name it is required by", function()
    local expected = {}
    for _, folder in ipairs({ "", "/maps", "/support", "/walker" }) do
      for _, path in ipairs(files("lua/broadside" .. folder, ".lua")) do
        local name = path:match("^lua/(.*)%.lua$"):gsub("/init$", ""):gsub("/", ".")
        expected[name] = path
      end
    end
    local listed = {}
    for name, module in pairs(modules) do
      if type(module) == "string" then
        listed[name] = module
      end
    end
    assert.same(expected, listed)
  end)
end)

describe("the project's address", function()
  local function read(path)
    local file = assert(io.open(path))
    local text = file:read("*a")
    file:close()
    return text
  end

  it("is the rockspec's homepage, wherever one is named", function()
    local home = load_rockspec("broadside-scm-1.rockspec").description.homepage
    for _, path in ipairs({ "README.md", "lua/broadside/bump.lua", "dist.mk", "doc/install.md",
      "doc/ship.md", "broadside-scm-1.rockspec" }) do
      for address in read(path):gmatch("https?://[%w%-./_]*[Bb]roadside[%w%-./_]*") do
        assert.is_true(home ~= nil and address:sub(1, #home) == home, path .. " names " .. address)
      end
    end
  end)
end)

describe("the core", function()
  local function succeeds(command)
    local status = os.execute(command)
    return status == true or status == 0
  end

  -- Returns whether a file that includes geometry.h compiles with these flags.
  local function compiles(flags)
    local source = os.tmpname()
    local file = assert(io.open(source, "w"))
    file:write('#include <broadside/geometry.h>\nint unused;\n')
    file:close()
    -- The compiler must not run with the sanitizer of this process.
    local compiler = "LD_PRELOAD= ${CC:-cc} -std=c11 -DDIM=2 -Iinclude -fsyntax-only "
    local fine = succeeds(compiler .. flags .. " -x c " .. source .. " 2>/dev/null")
    os.remove(source)
    return fine
  end

  it("refuses compilers that are told to relax arithmetic", function()
    assert.is_true(compiles("-O2"))
    for _, flags in ipairs({ "-ffast-math", "-ffinite-math-only" }) do
      assert.is_false(compiles(flags), flags)
    end
    if succeeds("${CC:-cc} --version | grep -q clang") then
      return -- it has no macro for the flags below; a pragma turns them off
    end
    for _, flags in ipairs({
      "-freciprocal-math", "-fno-signed-zeros", "-funsafe-math-optimizations",
      "-fassociative-math -fno-signed-zeros -fno-trapping-math",
    }) do
      assert.is_false(compiles(flags), flags)
    end
  end)
end)
