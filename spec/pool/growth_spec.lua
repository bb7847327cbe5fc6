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

growth.spec("spec.pool.growth_spec", {
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
