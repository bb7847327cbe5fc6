-- Runs the Lua of a page in doc/, and tells what it prints and what the page says that it prints.

local page = {}

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- The block of Lua number `number`, and the indented lines after "prints", if these follow.
local function find(text, number)
  local at = 1
  for i = 1, number do
    local _, last = text:find("\n```lua\n.-\n```\n", at)
    assert(last, "there is no block " .. i)
    if i == number then
      local code, rest = text:sub(at, last):match("\n```lua\n(.-\n)```\n$"), text:sub(last + 1)
      local lines = rest:match("^\nprints\n\n(.-)\n\n[^ ]") or ""
      return code, (("\n" .. lines):gsub("\n    ", "\n"):sub(2))
    end
    at = last - 1
  end
end

-- Versions of Lua print whole numbers with and without ".0".
local function plain(text)
  return (text:gsub("(%d)%.0%f[^%w.]", "%1"))
end

-- Returns what is printed and what should be. env: what the block finds beside the globals.
function page.run(path, number, env)
  local code, expected = find(read(path), number or 1)
  local printed = {}
  local globals = setmetatable(env or {}, { __index = _G })
  function globals.print(...)
    local line = {}
    for i = 1, select("#", ...) do
      line[i] = tostring((select(i, ...)))
    end
    table.insert(printed, table.concat(line, "\t"))
  end
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadstring(code)), globals)
  else
    chunk = assert(load(code, path, "t", globals))
  end
  chunk()
  return plain(table.concat(printed, "\n")), plain(expected)
end

return page
