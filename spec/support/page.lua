-- Reads pages, as those in doc/: their texts, their blocks of Lua, and what they say that a block
-- prints.

local compat = require("spec.support.compat")

local page = {}

-- The whole text of a file.
function page.read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- The sorted paths of the pages in these folders; "." is that of the project.
function page.list(folders)
  local lfs = require("lfs") -- Programs that read one page have no need of it.
  local paths = {}
  for _, folder in ipairs(folders) do
    for name in lfs.dir(folder) do
      if name:find("%.md$") then
        paths[#paths + 1] = folder == "." and name or folder .. "/" .. name
      end
    end
  end
  table.sort(paths)
  return paths
end

-- The blocks of Lua in order. A block has `code`, its first `line`, and `printed`: the texts behind
-- `-->` in it, or the indented lines behind the word "prints", if there are any; `comment` is the
-- HTML comment before it.
function page.blocks(path)
  local blocks, code, printed, comment, number = {}, nil, nil, nil, 0
  for line in io.lines(path) do
    number = number + 1
    if line == "```lua" then
      code = {}
      table.insert(blocks, { line = number + 1, printed = {}, comment = comment })
    elseif line == "```" and code then
      blocks[#blocks].code = table.concat(code, "\n") .. "\n"
      code = nil
    elseif code then
      table.insert(code, line)
      for text in line:gmatch("%-%->%s*(.*)") do
        table.insert(blocks[#blocks].printed, text)
      end
    elseif line == "prints" and #blocks > 0 then
      printed = blocks[#blocks].printed
    elseif printed and line:find("^    ") then
      table.insert(printed, line:sub(5))
    elseif line ~= "" then
      printed, comment = nil, line:match("^<!%-%- (.-) %-%->$")
    end
  end
  return blocks
end

-- Whether a page has that line.
function page.hasLine(path, wanted)
  for line in io.lines(path) do
    if line == wanted then
      return true
    end
  end
  return false
end

-- Versions of Lua print whole numbers with or without ".0"; pages have spaces instead of tabs, and
-- none at the ends of lines.
local function comparable(line)
  return (line:gsub("(%d)%.0%f[%D]", "%1"):gsub("%s+", " "):gsub(" $", ""))
end

-- What each example of doc/api.md begins with.
function page.newSetting()
  local broadside = require("broadside") -- Most programs that read pages have no build.
  return { broadside = broadside, world = broadside.newWorld(),
    pool = broadside.newPool({ capacity = 100, w = 2, h = 2 }) }
end

-- Returns what a block prints and what its page says, as texts. env: its globals besides Lua's.
function page.runBlock(block, env)
  local lines, said = {}, {}
  local globals = setmetatable(env or {}, { __index = _G })
  function globals.print(...)
    local words = {}
    for i = 1, select("#", ...) do
      words[i] = tostring((select(i, ...)))
    end
    for line in (table.concat(words, "\t") .. "\n"):gmatch("([^\n]*)\n") do
      table.insert(lines, comparable(line))
    end
  end
  compat.loadIn(block.code, globals)()
  for i, line in ipairs(block.printed) do
    said[i] = comparable(line)
  end
  return table.concat(lines, "\n"), table.concat(said, "\n")
end

-- The same for the block with that number (1) of a page.
function page.run(path, number, env)
  return page.runBlock(page.blocks(path)[number or 1], env)
end

return page
