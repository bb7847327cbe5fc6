-- Plays an example without LÖVE. It draws nothing, but does everything else in the same way.
--
--     lua spec/love/without.lua NAME

local here = arg[0]:match("^(.*)[/\\]") or "."
local examples = here .. "/../../examples"
package.path = here .. "/?.lua;" .. examples .. "/?.lua;" .. package.path

rawset(_G, "love", require("standin").new())
print((require("player").play(examples, arg[1], function() end)))
