-- What pools cost with n movers or models, and with 4 n.

local broadside = require("broadside")
local growth = require("spec.support.growth")

-- A pool of n movers. optsOf(i) are the options of each.
local function newPool(n, optsOf)
  local pool = broadside.newPool({ capacity = n, w = 2, h = 2 })
  for i = 1, n do
    pool:spawn(i * 10, 0, 1, 1, optsOf and optsOf(i))
  end
  return pool
end

local function newModel(i, fires)
  return broadside.newModel({ speed = i, emitters = { { delay = i, cycle = 10, model = fires } } })
end

-- Shots that pierce a box each, in a row of boxes, after two steps.
local function pierce(n)
  local world, pool = broadside.newWorld(), newPool(n)
  for i = 1, n do
    world:insert(i * 10 - 2, 0, 8, 8)
  end
  local function step()
    pool:step(1)
    local told = 0
    for _ in pool:hits(world, nil, true) do
      told = told + 1
    end
    return told
  end
  assert(step() == n)
  return function() assert(step() == 0) end
end

growth.spec("spec.pool.growth_spec", {
  { "shots that pierce", 250, pierce },
  { "getString of a pool of many models", 250, function(n)
    local snapshot = newPool(n, function(i)
      return { model = newModel(i) }
    end):snapshot()
    return function() snapshot:getString() end
  end },
  { "getString of models that fire each other", 250, function(n)
    local model
    for i = 1, n do
      model = newModel(i, model)
    end
    local snapshot = newPool(1, function()
      return { model = model }
    end):snapshot()
    return function() snapshot:getString() end
  end },
})
