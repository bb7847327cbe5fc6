-- The command lines in the pages: each target of make and each file must be there. Those that need
-- nothing from outside, and that no other test runs, are run.

local child = require("spec.support.child")
local lfs = require("lfs")
local page = require("spec.support.page")

local PAGES = { ".", "doc", "bench", "examples", "examples/area", "examples/area/skynet" }
local MAKEFILES = { "Makefile", "dist.mk", "love.mk", "web.mk", "spec/specs.mk", "spec/trust.mk",
  "bench/bench.mk" }

local read = page.read

-- Calls f(words, where) for each command line that begins with `name`: an indented line without its
-- comment, or text between backticks.
local function eachCommand(name, f)
  for _, folder in ipairs(PAGES) do
    for file in lfs.dir(folder) do
      local path = folder == "." and file or folder .. "/" .. file
      if file:find("%.md$") then
        local text = "\n" .. read(path)
        for line in text:gmatch("\n +(" .. name .. " [^\n]*)") do
          f(line:gsub("%s%s+#.*$", ""):gsub("\\$", ""), path)
        end
        for line in text:gmatch("`(" .. name .. " [^`]*)`") do
          f(line:gsub("\n", " "), path)
        end
      end
    end
  end
end

local function targets()
  local found = {}
  for _, path in ipairs(MAKEFILES) do
    for line in read(path):gmatch("[^\n]+") do
      local names = line:match("^([%w_.%- ]+):[^=]") or line:match("^([%w_.%- ]+):$")
      for name in (names or ""):gmatch("%S+") do
        found[name] = true
      end
    end
  end
  return found
end

describe("a command of a page", function()
  it("calls targets that are there", function()
    local there, count = targets(), 0
    eachCommand("make", function(line, where)
      line = line:gsub("[%w_]+='[^']*'", ""):gsub('[%w_]+="[^"]*"', ""):gsub("&&.*", "")
      for word in line:gsub("^make", ""):gmatch("%S+") do
        if not word:find("=") and not word:find("^[-(./]") then
          count = count + 1
          assert.is_true(there[word] or false, where .. ": make has no target " .. word)
        end
      end
    end)
    assert.is_true(count > 100)
  end)

  it("names files that are there", function()
    for _, program in ipairs({ "lua5%.4", "love", "node" }) do
      eachCommand(program, function(line, where)
        local path = line:match("%s(%l[%w_/.-]*/[%w_./-]+)")
        if path and not path:find("^build/") and not path:find("^path/") then
          assert.is_truthy(lfs.attributes(path), where .. " names " .. path)
        end
      end)
    end
  end)
end)

-- Not with sanitizers: they need a program that loads them, and take minutes.
local describeFast = child.sanitized and pending or describe

describeFast("a command that needs nothing", function()
  local function run(path, ...)
    local words = {}
    for i, word in ipairs({ ... }) do
      words[i] = ("%q"):format(word)
    end
    return child.run(("arg = { [0] = %q, %s } dofile(%q)"):format(path, table.concat(words, ", "),
      path))
  end

  -- spec/examples runs the others of examples/ without arguments.
  for _, name in ipairs({ "barrage/demo", "marbles/run" }) do
    it("runs: examples/" .. name .. ".lua", function()
      local path = "examples/" .. name .. ".lua"
      assert.is_true(read("examples/README.md"):find("lua5.4 " .. path, 1, true) ~= nil)
      local status, output = run(path)
      assert.equal(0, status, output)
    end)
  end

  it("runs: examples/cannon/demo.lua --quick", function()
    local picture = os.tmpname()
    local status, output = run("examples/cannon/demo.lua", "--quick", picture)
    assert.equal(0, status, output)
    assert.is_true(#read(picture) > 1000)
    os.remove(picture)
  end)

  -- What somebody does first: builds into a folder, and runs a game there, without any path set.
  it("lays out Broadside beside a game", function()
    local lua = package.cpath:match("build/([%w.]+)/%?%.so")
    if not lua then
      pending("no build of the project's own")
      return
    end
    local folder = os.tmpname()
    os.remove(folder)
    local game = [[local world = require("broadside").newWorld()
      world:insert(0, 0, 1, 1) print("boxes", world:count(), require("broadside.walker").new)]]
    local command = ("mkdir -p '%s/game' && env -u MAKEFLAGS -u MAKELEVEL " ..
      "make -s LUA=%s lay-out INTO='%s/game/broadside' >/dev/null && cd '%s/game' && " ..
      "printf '%%s' '%s' > game.lua && env -u LUA_PATH -u LUA_CPATH %s game.lua 2>&1; " ..
      "cd / && rm -rf '%s'")
    local pipe = io.popen(command:format(folder, lua, folder, folder, game, lua, folder))
    local output = pipe:read("*a")
    pipe:close()
    assert.is_truthy(output:find("^boxes%s1%sfunction"), output)
  end)

  it("lays out Broadside over no files of a game", function()
    local folder = os.tmpname()
    os.remove(folder)
    local command = ("mkdir -p '%s/game' && cd '%s' && echo mine | tee game/map.lua > lib.lua; " ..
      "cd - > /dev/null; for into in game lib; do env -u MAKEFLAGS -u MAKELEVEL " ..
      "make -s lay-lua INTO='%s/'$into 2>&1; done; cat '%s/game/map.lua' '%s/lib.lua'; " ..
      "rm -rf '%s'"):gsub("%%s", folder)
    local pipe = io.popen(command)
    local output = pipe:read("*a")
    pipe:close()
    assert.is_truthy(output:find("other files are in .*/game: say INTO="), output)
    assert.is_truthy(output:find("lib.lua is another file"), output)
    assert.is_truthy(output:find("mine\nmine\n$"), output)
  end)
end)
