-- What steps cost in scenes of n bodies and of 4 n, and in a long step against a short one, in
-- instructions.

local bodies = require("spec.support.bodies")
local crowds = require("spec.support.crowds")
local growth = require("spec.support.growth")

local DT = bodies.DT

-- A crowd in which all press may cost n^1.25 (and some): 4^1.25 is 5.7.
local PRESSED = 6.5

-- A long step may cost some times as much as the 60 short ones in its place.
local LONG = 3

local function oneStep(make, dt)
  return function(n)
    local world = make(n)
    world:countPairs()
    return function() world:step(dt or DT) end
  end
end

-- The same time in 60 steps, and in one.
local function long(make, n, time)
  return function(steps)
    local world = make(n)
    world:countPairs()
    return function()
      for _ = 1, steps do
        world:step(time / steps)
      end
    end
  end
end

growth.spec("spec.step.growth_spec", {
  { "a gas of bodies", 100, oneStep(function(n) return crowds.gas(n, 100) end), most = 6 },
  { "a gas in a long step", { 60, 1 }, long(function(n) return crowds.gas(n, 100) end, 60, 1),
    most = LONG },
  { "a fast gas", { 60, 1 }, long(function(n) return crowds.gas(n, 6000) end, 60, 1 / 60),
    most = LONG },
  { "a heap in a long step", { 60, 1 }, long(crowds.heap, 60, 0.5), most = LONG },
  { "a heap in a very long step", { 60, 1 }, long(crowds.heap, 40, 20), most = LONG },
  { "a crowd that presses", 100, crowds.packed, most = PRESSED },
  { "a crowd of which half overlap", { 0, 1 }, crowds.overlapping(200), most = LONG },
  { "bodies in one place: cross", 60, oneStep(crowds.crowdOf("cross")), most = 18 },
  { "bodies in one place: bounce", 60, oneStep(crowds.crowdOf("bounce")), most = 24 },
  { "bodies in one place: slide", 60, oneStep(crowds.crowdOf("slide")), most = 18 },
  { "a row that is squeezed", 50, oneStep(crowds.squeezed("slide")), most = 18 },
  -- Here all meet all, one after the other.
  { "a row that is squeezed and bounces", 30, oneStep(crowds.squeezed("bounce")), most = 90 },
  { "a row that is swept up", 30, oneStep(crowds.swept), most = 40 },
  { "a cradle", 50, oneStep(crowds.cradle), most = 18 },
  { "a hammer", 36, oneStep(crowds.hammer), most = 18 },
})
