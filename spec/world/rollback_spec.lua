-- Random programs (spec/determinism/program.lua) run once straight, and once with a rollback of 1
-- to 8 turns after every turn: restore, play another future, restore, and repeat the turns. All
-- answers and all hashes must be the same.

local compat = require("spec.support.compat")
local program = require("spec.determinism.program")
local random = require("spec.support.random")

local TURNS, FAR = 40, 8

local function words(...)
  local list = {}
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    if type(value) == "table" then
      list[i] = "{" .. words(compat.unpack(value)) .. "}"
    else
      list[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
    end
  end
  return table.concat(list, " ")
end

-- A program whose answers are ignored, in the same world, with other random boxes.
local function another(job, rng)
  local other = program.new(job.dim, "brute", rng:int(1, 1e6), function() end, false)
  other.world, other.ids = job.world, compat.copy(job.ids)
  return other
end

-- A program that keeps its answers, and that can go back any number of times: `past[i]` is its
-- state after turn number i.
local function newRun(dim, backend, seed)
  local run = { lines = {}, past = {}, turn = 0 }
  local current
  run.job = program.new(dim, backend, seed, function(...)
    current[#current + 1] = words(...)
  end, false)
  run.job.sortsPairs = true

  function run:keep()
    local job = self.job
    local old = self.past[self.turn - FAR - 1]
    self.past[self.turn] = {
      ids = compat.copy(job.ids), a = job.rng.a, b = job.rng.b,
      snapshot = job.world:snapshot(old and old.snapshot),
    }
    self.past[self.turn - FAR - 1] = nil
  end

  function run:go()
    self.turn, current = self.turn + 1, {}
    program.turn(self.job)
    self:keep()
    current[#current + 1] = self.past[self.turn].snapshot:getHash()
    return table.concat(current, "\n")
  end

  function run:back(turn, asString)
    local job, then_ = self.job, self.past[turn]
    job.world:restore(asString and then_.snapshot:getString() or then_.snapshot)
    job.ids, job.rng.a, job.rng.b = compat.copy(then_.ids), then_.a, then_.b
    self.turn = turn
  end

  run:keep()
  return run
end

local function straight(dim, backend, seed)
  local run, lines = newRun(dim, backend, seed), {}
  for i = 1, TURNS do
    lines[i] = run:go()
  end
  return lines
end

local function expectLine(expected, run, what)
  local got = run:go()
  if expected ~= got then
    error(("%s, turn %d: expected\n%s\ngot\n%s"):format(what, run.turn, expected, got), 0)
  end
end

local function withRollback(dim, backend, seed, lines)
  local run, rng = newRun(dim, backend, seed), random.new(seed + 7)
  for turn = 1, TURNS do
    expectLine(lines[turn], run, "at first")
    local back = math.max(0, turn - rng:int(1, FAR))
    run:back(back, rng:chance(0.2))
    local other = another(run.job, rng)
    for _ = 1, rng:int(1, FAR) do
      program.turn(other)
    end
    run:back(back, rng:chance(0.2))
    while run.turn < turn do
      expectLine(lines[run.turn + 1], run, "once more")
    end
  end
end

for dim = 2, 3 do
  for _, backend in ipairs(program.backends) do
    it(("a program with %s in %dD does the same with rollbacks"):format(backend, dim), function()
      for _, seed in ipairs(random.seeds(4)) do
        local lines = straight(dim, "brute", seed)
        local ok, message = pcall(withRollback, dim, backend, seed, lines)
        if not ok then
          error(("seed %d: %s"):format(seed, message), 0)
        end
      end
    end)
  end
end
