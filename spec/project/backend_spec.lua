-- The back end of spec/core/list_backend.c, to which CONTRIBUTING.md points, is complete: the test
-- of back ends compiles and runs with it.

local EXAMPLE = "spec/core/list_backend.c"
local SOURCES = "spec/core/backend_test.c spec/core/checkers/backends.c spec/core/checkers/grid.c "
  .. "spec/core/checkers/sweep.c spec/core/checkers/tree.c src/base/*.c src/narrow/*.c "
  .. "src/broad/*.c"

describe("the back end of CONTRIBUTING.md", function()
  it("has at most 120 lines", function()
    local lines = 0
    for _ in io.lines(EXAMPLE) do
      lines = lines + 1
    end
    assert.is_true(lines <= 120, lines .. " lines")
  end)

  it("answers as plain loops do", function()
    local name = os.tmpname()
    -- The compiler must not run with the sanitizer of this process.
    local command = ("LD_PRELOAD= ${CC:-cc} -std=c11 -Wall -Wextra -Werror -DDIM=2 "
      .. "-DBS_EXAMPLE=bs_list_type -Iinclude -Isrc -Ispec/core -o %s %s %s -lm")
      :format(name, EXAMPLE, SOURCES)
    local isBuilt = os.execute(command)
    local tested = io.popen(name .. " 20 1 list 2>&1")
    local said = tested:read("*a")
    tested:close()
    os.remove(name)
    assert(isBuilt == true or isBuilt == 0, command)
    assert.equal("list, DIM 2: 20 rounds\n", said)
  end)
end)
