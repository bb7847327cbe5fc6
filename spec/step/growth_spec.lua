-- What steps cost in scenes of n bodies and of 4 n, and in a long step against a short one, in
-- instructions.

-- So that these files are found, whichever build is tested.
package.path = (debug.getinfo(1, "S").source:match("^@(.*)spec/step/") or "") .. "?.lua;"
  .. package.path
local bodies = require("spec.support.bodies")
local crowds = require("spec.support.crowds")
local growth = require("spec.support.growth")

local DT = bodies.DT

-- A crowd in which all press may cost n^1.25 (and some): 4^1.25 is 5.7.
local PRESSED = 6.5

-- In a step of a second a body goes as far as in 60 steps, and meets as many others. That may cost
-- as much.
local LONG = 60

local function oneStep(make, dt)
  return function(n)
    local world = make(n)
    world:countPairs()
    return function() world:step(dt or DT) end
  end
end

-- The same scene of n bodies in a step of DT, and in one of `long`.
local function long(make, n)
  return function(dt)
    local world = make(n)
    world:countPairs()
    return function() world:step(dt) end
  end
end

growth.spec("spec.step.growth_spec", {
  { "a gas of bodies", 100, oneStep(function(n) return crowds.gas(n, 100) end), most = 6 },
  { "a gas in a long step", { DT, 1 }, long(function(n) return crowds.gas(n, 100) end, 60),
    most = LONG },
  { "a fast gas, against a slow one", { 100, 6000 },
    function(speed) return oneStep(function() return crowds.gas(60, speed) end)() end,
    most = LONG },
  { "a heap in a long step", { DT, 0.5 }, long(crowds.heap, 60), most = LONG },
  { "a heap in an endless step", { 1, 100 }, long(crowds.heap, 40), most = LONG },
  { "a crowd that presses", 100, crowds.packed, most = PRESSED },
  { "bodies in one place: cross", 60, oneStep(crowds.crowdOf("cross")), most = 18 },
  { "bodies in one place: bounce", 60, oneStep(crowds.crowdOf("bounce")), most = 18 },
  { "bodies in one place: slide", 60, oneStep(crowds.crowdOf("slide")), most = 18 },
  { "a row that is squeezed", 50, oneStep(crowds.squeezed("slide")), most = 18 },
  { "a row that is squeezed and bounces", 30, oneStep(crowds.squeezed("bounce")), most = 18 },
  { "a row that is swept up", 50, oneStep(crowds.swept), most = 18 },
  { "a cradle", 50, oneStep(crowds.cradle), most = 18 },
  { "a hammer", 36, oneStep(crowds.hammer), most = 18 },
})
