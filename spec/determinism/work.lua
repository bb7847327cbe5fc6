-- Mixed work on every back end, in 2D and 3D, and a hash of all answers in their order. The hash is
-- the same for every Lua, compiler, optimisation level and processor. It is in expected.txt.
--
--     lua5.4 spec/determinism/work.lua [rounds [straight | rollback]]
--
-- With `rollback` the world goes back before each turn: it takes a snapshot, plays up to 8 turns of
-- another future, and restores. Then pairs may come in another order, so they are sorted.
-- `straight` only sorts them, and gives the same hash.

local hash = require("spec.determinism.hash")
local program = require("spec.determinism.program")
local random = require("spec.support.random")

local given = { ... }
local rounds = tonumber(given[1] or 60)
local mode = given[2]

-- Plays another future in the same world, without reporting its answers.
local function goAstray(job, rng)
  local other = program.new(job.dim, "brute", rng:int(1, 1e6), function() end, false)
  other.world, other.ids = job.world, {}
  for i, id in ipairs(job.ids) do
    other.ids[i] = id
  end
  for _ = 1, rng:int(1, 8) do
    program.turn(other)
  end
end

local function work(dim, backend, seed)
  local job = program.new(dim, backend, seed, hash.values, true)
  local rng, snapshot = random.new(seed + 1), nil
  job.sortsPairs = mode ~= nil
  for _ = 1, 40 do
    if mode == "rollback" then
      snapshot = job.world:snapshot(snapshot)
      goAstray(job, rng)
      job.world:restore(rng:chance(0.2) and snapshot:getString() or snapshot)
    end
    program.turn(job)
  end
  if mode then
    hash.values(job.world:snapshot():getHash())
  end
end

for seed = 1, rounds do
  for dim = 2, 3 do
    for _, backend in ipairs(program.backends) do
      work(dim, backend, seed * 10 + dim)
    end
  end
end
print((mode and "Lua, pairs sorted: " or "Lua: ") .. hash.result())
