-- Plants small changes (tools/mutations.lua) in the sources, one at a time, and tells which of them
-- no test notices: `make mutants`.
--
--     lua tools/mutants.lua FILE N SEED BUILD TEST... [-- TEST...]...
--
-- FILE is a source in C or Lua, a line of one (FILE:LINE), or a folder. All happens in a copy of
-- the tree, in build/mutants, where the command BUILD builds the modules. N changes count: those
-- that compile to other code. For each one the tests run, those first that cost least and have
-- noticed most, until one fails or takes too long. Tests behind a `--` run if all before it pass.

local mutations = dofile("tools/mutations.lua")

local COPY = "build/mutants/"
-- A test may take so many times as long as without a change, and these seconds; and this memory.
local FACTOR, GRACE, KILOBYTES = 5, 30, 8000000

local function read(name)
  local file <close> = assert(io.open(name, "rb"))
  return file:read("a")
end

local function write(name, text)
  local file <close> = assert(io.open(name, "wb"))
  assert(file:write(text))
end

local function output(command)
  return io.popen(command):read("a")
end

-- Copies the tree. A run that was cut short has left a change in the file that `changed` names, so
-- this one is compiled again.
local function copyTree()
  assert(os.execute(([[mkdir -p %s && tar --exclude=./build --exclude=./.git -cf - . |
    (cd %s && rm -rf src lua spec && tar -xf - && touch changed && touch $(cat changed) .)]])
    :format(COPY, COPY)))
end

-- Runs a command in the copy. Returns the seconds that it takes, or nil if it fails.
local function run(command, limit)
  local start = output("date +%s.%N")
  write(COPY .. "command", command)
  local ok, how, status = os.execute(
    ("cd %s && ulimit -v %d && timeout -k 1 %d sh ./command >log 2>&1")
      :format(COPY, KILOBYTES, limit or 1000))
  if how == "signal" and status == 2 then
    os.exit(130) -- by the keyboard
  end
  return ok and output("date +%s.%N") - start
end

local function expect(command)
  return run(command) or error(command .. " fails without a change: " .. COPY .. "log", 0)
end

local function readTests(from)
  local tests, group = {}, 1
  for i = from, #arg do
    if arg[i] == "--" then
      group = group + 1
    else
      tests[#tests + 1] =
        { command = arg[i], group = group, seconds = expect(arg[i]), noticed = 0 }
    end
  end
  return tests
end

local function firstToFail(tests)
  table.sort(tests, function(a, b)
    return a.group < b.group or a.group == b.group
      and a.seconds / (a.noticed + 1) < b.seconds / (b.noticed + 1)
  end)
  for _, test in ipairs(tests) do
    if not run(test.command, math.ceil(GRACE + FACTOR * test.seconds)) then
      test.noticed = test.noticed + 1
      return test.command
    end
  end
end

-- All changes of the sources, in random order.
local function readMutants(path)
  local name, row = path:match("^(.*):(%d+)$")
  local list = {}
  for file in output(("find %s -name '*.[chl]*' | sort"):format(name or path)):gmatch("%S+") do
    for _, mutant in ipairs(mutations(read(file), file:find("%.lua$") ~= nil)) do
      mutant.file, mutant.line = file, file .. ":" .. mutant.row
      if not row or mutant.row == tonumber(row) then
        table.insert(list, math.random(#list + 1), mutant)
      end
    end
  end
  return list
end

-- What a source compiles to, or nil.
local function compile(file, build)
  if file:find("%.lua$") then
    return loadfile(COPY .. file) and string.dump(loadfile(COPY .. file), true)
  end
  return run(build) and output("cd " .. COPY .. " && cat build/*/broadside/*.so | cksum")
end

local function main(path, most, seed, build)
  io.stdout:setvbuf("line")
  math.randomseed(seed)
  copyTree()
  local mutants = readMutants(path)
  expect(build)
  local tests = readTests(5)
  local compiled, isTaken, planted, survivors = {}, {}, 0, {}
  for _, mutant in ipairs(mutants) do
    local file, line, text = mutant.file, mutant.line, read(mutant.file)
    if planted < most and not isTaken[line] then
      local changed = text:sub(1, mutant.from - 1) .. mutant.new .. text:sub(mutant.to)
      compiled[file] = compiled[file] or compile(file, build)
      write(COPY .. "changed", file)
      write(COPY .. file, changed)
      if (compile(file, build) or compiled[file]) ~= compiled[file] then
        planted, isTaken[line] = planted + 1, not path:find(":")
        local start = #text:sub(1, mutant.from - 1):match("^(.-)[^\n]*$") + 1
        local what = ("%s: %s\n    %s\n    %s"):format(line, mutant.kind,
          text:match("^ *([^\n]*)", start), changed:match("^ *([^\n]*)", start))
        local test = firstToFail(tests)
        print(what .. "\n    " .. (test and "noticed by " .. test or "SURVIVES"))
        survivors[#survivors + 1] = not test and what or nil
      end
      write(COPY .. file, text)
    end
  end
  print(("\n%d planted, %d survive"):format(planted, #survivors))
  print(table.concat(survivors, "\n"))
end

main(arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4])
