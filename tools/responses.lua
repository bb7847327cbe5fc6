-- Reads the rows of include/broadside/conduct.h about responses, for specs and for the annotations.
-- A row is { name =, number = (in snapshots), order = (in which masks count), turn = ("GOES_ON",
-- "ENDS", "SLIDES" or "REFLECTS"), ofBodies =, text = }.

local file = assert(io.open("include/broadside/conduct.h"))
local source = file:read("*a"):gsub("%s*\\\n%s*", " ")
file:close()

local ROW = 'ROW%(%u+, (%d), (%d), "(%l+)", ([%u_]+), (%l+), "([^"]*)"%)'

local rows = {}
for number, order, name, turn, ofBodies, text in source:gmatch(ROW) do
  table.insert(rows, { name = name, number = tonumber(number), order = tonumber(order), turn = turn,
    ofBodies = ofBodies == "true", text = text })
end
assert(#rows > 0, "include/broadside/conduct.h has no responses")

return rows
