-- doc/embed.md: its command compiles the example, which prints what the page says; and the headers
-- that it names are installed.

local child = require("spec.support.child")
local compat = require("spec.support.compat")
local page = require("spec.support.page")

local PAGE = "doc/embed.md"

local read = page.read

local function run(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
  local output = pipe:read("*a")
  pipe:close()
  return output
end

-- One Lua is enough, as no Lua takes part.
local describeOnce = (compat.isLuaJIT or child.sanitized) and pending or describe

describeOnce(PAGE, function()
  it("has a command that compiles the example, and says what that prints", function()
    local text = read(PAGE)
    local command = assert(text:match("\n    (cc %-std=c11 .-)\n\n")):gsub("\\\n", " ")
    local said = assert(text:match("\nprints\n\n(.-)\n\n")):gsub("    ", "")
    assert.is_truthy(command:find("-O2 -DNDEBUG -DDIM=2", 1, true))
    local program = os.tmpname()
    command = command:gsub("^cc", "${CC:-cc}"):gsub("%-O2", "-O0")
      :gsub("%-o hello", "-o '" .. program .. "'")
    local output = run(command .. " && '" .. program .. "'")
    os.remove(program)
    assert.equal(said .. "\n", output)
  end)

  it("finds its headers where `make install` puts them", function()
    local folder = os.tmpname()
    os.remove(folder)
    local lua = package.cpath:match("build/([%w.]+)/%?%.so")
    if not lua then
      pending("no build of the project's own")
      return
    end
    run(("env -u MAKEFLAGS -u MAKELEVEL make -s install LUA=%s DESTDIR='%s' PREFIX=/usr"):format(
      lua, folder))
    local output = run(("echo '#include <broadside/pool.h>' | ${CC:-cc} -std=c11 -DDIM=3 " ..
      "-I'%s/usr/include' -fsyntax-only -x c - && ls '%s/usr/include/broadside'"):format(folder,
      folder))
    run("rm -rf '" .. folder .. "'")
    assert.equal("conduct.h\ngeometry.h\nnames.h\npool.h\ntypes.h\nworld.h\n", output)
  end)
end)
