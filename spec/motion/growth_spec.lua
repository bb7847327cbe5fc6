-- What moves and pushes cost in scenes of n boxes and of 4 n.

local broadside = require("broadside")
local growth = require("spec.support.growth")

growth.spec("spec.motion.growth_spec", {
  { "pushMany of many boxes with riders", 100, function(n)
    local world, platform = broadside.newWorld({ gravity = { 0, 1 } }), {}
    for i = 1, n do
      platform[i] = world:insert(i * 10, 0, 10, 10)
      world:insert(i * 10, -10, 10, 10)
    end
    return function()
      world:pushMany(platform, 0, -1)
    end
  end },
})
