-- Reads the rows of include/broadside/conduct.h: the properties of boxes, for specs and for the
-- annotations. A row is { type =, kind =, field =, usual = (text of C), option =, getter =,
-- setter =, text =, goesAlong = (it has no methods of its own, but those of the row before) }.

local file = assert(io.open("include/broadside/conduct.h"))
local source = file:read("*a"):gsub("%s*\\\n%s*", " ")
file:close()

local ROW = '%f[%w](%u+)%(([%w_]+), (%u+), ([%w_]+), ([%w_{}]+), ("[^)]*")%)'

local function unquote(list)
  local texts = {}
  for text in list:gmatch('"([^"]*)"') do
    table.insert(texts, text)
  end
  return texts
end

local rows = {}
for macro, type, kind, field, usual, list in source:gmatch(ROW) do
  local texts = unquote(list)
  local row = { type = type, kind = kind, field = field, usual = usual, option = texts[1],
    text = texts[#texts], goesAlong = macro == "AND" }
  if not row.goesAlong then
    row.getter, row.setter = texts[2], texts[3]
  end
  table.insert(rows, row)
end
assert(#rows > 0, "include/broadside/conduct.h has no rows")

return rows
