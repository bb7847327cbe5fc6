-- How the work of calls grows with the size of the scene, in instructions, of C and of Lua.
-- callgrind counts them, so the figures are the same on any machine, however busy it is. A spec of
-- growth is a list of cases alone:
--
--     growth.spec("spec.motion.growth_spec", {
--       { "move along a row", 250, function(n) ... return function() world:move(...) end end },
--     })
--
-- The function prepares a scene of size n, and returns what is counted. It is counted for n and for
-- 4 n in a process of its own, which loads the same file once more. In place of n there may be a
-- list of two sizes, and `most`: how many times as much the second one may take. Where there is no
-- valgrind, or no C compiler, the specs are pending.

local child = require("spec.support.child")

local growth = {}

-- How many times the work may be for 4 n: 4, and a logarithm. Two nested loops are at 16.
growth.MOST = 6.5

local function sizesOf(case)
  local n = case[2]
  return type(n) == "table" and n or { n, 4 * n }
end

-- Runs a command. Returns whether it succeeded.
local function succeeds(command)
  local status = os.execute(command)
  return status == true or status == 0
end

-- A folder with the library that tells callgrind when to count, or nil.
local function makeFolder()
  if not child.available or child.sanitized then
    return nil
  end
  local folder = os.tmpname()
  os.remove(folder)
  local build = "command -v valgrind >/dev/null && mkdir '%s' && "
    .. "${CC:-cc} -shared -fPIC -o '%s/count.so' spec/support/instructions.c 2>/dev/null"
  return succeeds(build:format(folder, folder)) and folder or nil
end

-- The number of instructions in a file of callgrind.
local function readCount(name)
  local file = assert(io.open(name))
  local text = file:read("*a")
  file:close()
  return tonumber(text:match("\ntotals: (%d+)") or text:match("\nsummary: (%d+)"))
end

-- The counts of all cases of a module, for n and for 4 n; nil where they cannot be counted.
local function countAll(module, cases)
  local folder = makeFolder()
  if not folder then
    return nil
  end
  local library = folder .. "/count.so"
  local source = ("require('spec.support.growth').count(%q, %q)"):format(module, library)
  local valgrind = "valgrind --quiet --tool=callgrind --instr-atstart=no "
    .. ("--callgrind-out-file='%s/out'"):format(folder)
  local code, output = child.run(source, nil, valgrind)
  local counts = {}
  for i = 1, code == 0 and #cases or 0 do
    counts[i] = { readCount(("%s/out.%d"):format(folder, 2 * i - 1)),
      readCount(("%s/out.%d"):format(folder, 2 * i)) }
  end
  os.execute(("rm -r '%s'"):format(folder))
  assert(code == 0, output)
  return counts
end

-- In the process of its own: runs the cases of a module.
function growth.count(module, library)
  local start = assert(package.loadlib(library, "instructions_start"))
  local stop = assert(package.loadlib(library, "instructions_stop"))
  if rawget(_G, "jit") then
    jit.off()
  end
  function growth.spec(_, cases)
    for _, case in ipairs(cases) do
      for _, n in ipairs(sizesOf(case)) do
        local run = case[3](n)
        collectgarbage()
        collectgarbage("stop")
        start()
        run()
        stop()
        collectgarbage("restart")
      end
    end
  end
  require(module)
end

-- A spec for each case of the module, in which this is called.
function growth.spec(module, cases)
  local busted, luassert = require("busted"), require("luassert")
  busted.describe("growth", function()
    local counts
    busted.setup(function() counts = countAll(module, cases) end)
    for i, case in ipairs(cases) do
      busted.it(case[1], function()
        if not counts then
          return busted.pending("instructions cannot be counted here")
        end
        local sizes, few, many = sizesOf(case), counts[i][1], counts[i][2]
        luassert.is_true(many < (case.most or growth.MOST) * few,
          ("%d instructions for n = %g, %.2f times as many for n = %g"):format(few, sizes[1],
            many / few, sizes[2]))
      end)
    end
  end)
end

return growth
