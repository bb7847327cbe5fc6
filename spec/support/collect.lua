-- The results of iterators as lists.

local collect = {}

function collect.boxes(world)
  local list = {}
  for box in world:boxes() do
    list[#list + 1] = box
  end
  return list
end

-- { {a, b}, ... }
function collect.pairs(world)
  local list = {}
  for a, b in world:pairs() do
    list[#list + 1] = { a, b }
  end
  return list
end

-- { {phase, a, b}, ... }
function collect.contacts(world)
  local list = {}
  for phase, a, b in world:contacts() do
    list[#list + 1] = { phase, a, b }
  end
  return list
end

-- A flat list of n groups of `size`, as rows.
function collect.rows(list, n, size)
  assert(#list == n * size)
  local rows = {}
  for i = 1, n do
    rows[i] = {}
    for k = 1, size do
      rows[i][k] = list[(i - 1) * size + k]
    end
  end
  return rows
end

-- Names instead of boxes, sorted where the library specifies no order: "a-b c-d".
function collect.pairNames(world, names)
  local list = {}
  for a, b in world:pairs() do
    list[#list + 1] = names[a] .. "-" .. names[b]
  end
  table.sort(list)
  return table.concat(list, " ")
end

return collect
