-- Plays an example without LÖVE. Nothing is drawn; the rest is the same.
--
--     lua spec/love/without.lua NAME

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/?.lua;" .. here .. "/../../examples/?.lua;" .. package.path

rawset(_G, "love", require("standin").new())
print(require("player").play(arg[1], function() end))
