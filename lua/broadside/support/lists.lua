-- Lists without metamethods: those of a list from elsewhere may add items without an end.

local lists = {}

local function following(list, i)
  local value = rawget(list, i + 1)
  if value ~= nil then return i + 1, value end
  return nil
end

--- As ipairs: for i, item in lists.items(list) do ... end.
function lists.items(list)
  return following, list, 0
end

function lists.length(list)
  local n = 0
  while rawget(list, n + 1) ~= nil do
    n = n + 1
  end
  return n
end

--- Takes out of a list what is behind its first n items.
function lists.cut(list, n)
  local i = n + 1
  while rawget(list, i) ~= nil do
    list[i], i = nil, i + 1
  end
end

return lists
