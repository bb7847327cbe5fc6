-- tools/changed_specs.sh, which chooses the tests that `make check` runs after a change.

local lfs = require("lfs")

-- The specs that are chosen for these lines of `git status`, as a set and as one string.
local function changed(...)
  local quoted = ("'%s'"):format(table.concat({ ... }, "' '"))
  local pipe = assert(io.popen("printf '%s\\n' " .. quoted .. " | tools/changed_specs.sh"))
  local text = pipe:read("*a")
  pipe:close()
  local set = {}
  for path in text:gmatch("%S+") do
    assert.is_nil(set[path], path .. " is there twice")
    assert.equal(path == "spec/core" and "directory" or "file", lfs.attributes(path, "mode"), path)
    set[path] = true
  end
  return set, text
end

local function names(folder, pattern)
  local found = {}
  for name in lfs.dir(folder) do
    if name:find(pattern) then
      table.insert(found, name)
    end
  end
  assert.is_true(#found > 0)
  return found
end

local function assertHasAll(folder, set)
  for _, name in ipairs(names(folder, "_spec%.lua$")) do
    assert.is_true(set[folder .. "/" .. name], name)
  end
end

describe("specs of what has changed", function()
  it("are those of the folder, for a source in C", function()
    for _, folder in ipairs({ "narrow", "broad", "world", "motion", "pool", "lua" }) do
      local set = changed(" M src/" .. folder .. "/some.c")
      assertHasAll("spec/" .. folder, set)
      assert.is_nil(set["spec/examples/views_spec.lua"])
    end
    assertHasAll("spec/broad", (changed(" M src/broad/tree/build.c")))
  end)

  it("are those of the name, for a source in Lua, or else those of the folder", function()
    local set = changed("M  lua/broadside/bump.lua")
    assert.is_true(set["spec/broadside/bump_spec.lua"])
    assert.is_true(set["spec/broadside/bump_recorded_spec.lua"])
    assert.is_nil(set["spec/broadside/map_spec.lua"])
    assert.is_nil(changed(" M lua/broadside/tiled.lua")["spec/broadside/tiles_spec.lua"])
    assertHasAll("spec/broadside", (changed(" M lua/broadside/init.lua")))
  end)

  it("are the spec itself, also a new one, unless it is gone", function()
    local set = changed("?? spec/pool/write_spec.lua", " D spec/pool/gone_spec.lua")
    assert.is_true(set["spec/pool/write_spec.lua"])
    assert.is_nil(set["spec/pool/pool_spec.lua"])
  end)

  -- `make check` looks for this word at the beginning.
  it("are also the core's tests, and these first, for C of the core or a test of it", function()
    local function hasCore(...)
      local set, text = changed(...)
      assert.equal(set["spec/core"], text:find("^spec/core\n") and true)
      return set["spec/core"] or false
    end
    for _, path in ipairs({
      "src/narrow/round.c", "src/broad/tree/build.c", "src/world/world.c", "src/motion/push.c",
      "src/pool/pool_step.c", "spec/core/casts_test.c", "spec/core/limited_memory.h",
    }) do
      assert.is_true(hasCore(" M README.md", " M " .. path), path)
    end
    assert.is_true(hasCore(" M src/motion/push.c", " M src/motion/way.c"))
    for _, path in ipairs({ "src/lua/module.c", "README.md", "spec/motion/push_spec.lua" }) do
      assert.is_false(hasCore(" M " .. path), path)
    end
  end)

  it("are those that name it, for any other file", function()
    for path, spec in pairs({
      ["doc/callbacks.md"] = "lua/reentrancy",
      ["doc/tutorial.md"] = "examples/tutorial",
      ["examples/rollback/match.lua"] = "examples/rollback",
      ["spec/data/bump_answers.txt"] = "broadside/bump_recorded",
      ["spec/determinism/program.lua"] = "world/rollback",
    }) do
      assert.is_true(changed(" M " .. path)["spec/" .. spec .. "_spec.lua"], path)
    end
  end)

  it("are those of pages and packages, whatever has changed", function()
    assertHasAll("spec/project", (changed(" M LICENSE")))
    assertHasAll("spec/project", (changed(" M README.md", " M src/pool/pool_step.c")))
  end)

  it("are all, of which none is named, after a change of what all of them use", function()
    for _, path in ipairs({
      "Makefile", "spec/specs.mk", "spec/support/scene.lua", "src/base/heap.c", "src/simd/simd.h",
      "include/broadside/world.h", "tools/specs.lua", ".busted",
    }) do
      local _, text = changed(" M src/pool/pool_step.c", " M " .. path)
      assert.equal("", text, path)
    end
  end)

  it("are all where nothing has changed", function()
    local pipe = assert(io.popen("tools/changed_specs.sh </dev/null"))
    assert.equal("", pipe:read("*a"))
    pipe:close()
  end)
end)
