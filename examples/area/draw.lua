-- Draws both areas, while their processes run, as an SVG picture. From the project's folder:
--
--   lua5.4 examples/area/draw.lua [file] [port]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local eyes = require("area.eyes")
local picture = require("area.picture")

local PATIENCE = 5 -- seconds

local own = assert(eyes.new(tonumber(arg[2])))
local stop = own.time() + PATIENCE
while not (own.pictures[1] and own.pictures[2]) do
  if own.time() > stop then
    io.stderr:write("nothing is heard of both areas\n")
    os.exit(1)
  end
  own:update()
  own.sleep(0.02)
end

local path = arg[1] or "broadside-area.svg"
local file = assert(io.open(path, "w"))
file:write(picture.svg(own.pictures))
file:close()
print(("%s: area 1 after tick %d, area 2 after tick %d"):format(path, own.pictures[1].tick,
  own.pictures[2].tick))
