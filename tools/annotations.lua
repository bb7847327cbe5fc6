-- Reads the language server's annotations in types/library. The spec compares them with the module,
-- and `make docs` makes pages from them.

local annotations = {}

annotations.files = {
  "types/library/broadside.lua", "types/library/broadside/2d.lua",
  "types/library/broadside/3d.lua", "types/library/broadside/bump.lua",
  "types/library/broadside/debug.lua", "types/library/broadside/tiles.lua",
  "types/library/broadside/tiled.lua", "types/library/broadside/ldtk.lua",
  "types/library/broadside/draw.lua", "types/library/broadside/walker.lua",
  "types/library/broadside/play.lua", "types/library/broadside/save.lua",
}

-- A type ends at a space that is not within brackets, and not behind a comma, colon or bar.
local function splitType(text)
  local depth = 0
  for i = 1, #text do
    local c = text:sub(i, i)
    if c:find("[%(%[{<]") then
      depth = depth + 1
    elseif c:find("[%)%]}>]") then
      depth = depth - 1
    elseif c == " " and depth == 0 and not text:sub(i - 1, i - 1):find("[,:|]") then
      return text:sub(1, i - 1), text:sub(i + 1)
    end
  end
  return text, ""
end

-- "name? type text"
local function readNamed(rest)
  local name, optional, after = rest:match("^([%w_%[%]]+)(%??) (.*)$")
  local type, text = splitType(after)
  return { name = name, isOptional = optional == "?", type = type, text = text }
end

local TAGS = {}

function TAGS.param(block, rest)
  table.insert(block.params, readNamed(rest))
end

function TAGS.field(block, rest)
  table.insert(block.fields, readNamed(rest))
end

-- "type name text"
TAGS["return"] = function(block, rest)
  local type, after = splitType(rest)
  local name, text = after:match("^(%S*) ?(.*)$")
  table.insert(block.returns, { name = name, type = type, text = text })
end

function TAGS.class(block, rest)
  block.class, block.parent = rest:match("^([%w%.]+):? ?(.*)$")
end

function TAGS.alias(block, rest)
  block.alias, block.type = rest:match("^([%w%.]+) (.*)$")
end

function TAGS.meta() end

function TAGS.operator() end

local function newBlock()
  return { text = {}, params = {}, fields = {}, returns = {} }
end

local function addComment(block, line)
  local tag, rest = line:match("^@(%l+) ?(.*)$")
  if tag then
    assert(TAGS[tag], "unknown tag @" .. tag)(block, rest)
  else
    table.insert(block.text, line)
  end
end

local function addFunction(block, line, classes, found)
  local variable, name, list = line:match("^function (%w+)[%.:](%w+)%((.-)%) end$")
  block.owner, block.name, block.args = assert(classes[variable], line), name, {}
  block.isMethod = line:find(":", 1, true) ~= nil
  for arg in list:gmatch("[%w_]+") do
    table.insert(block.args, arg)
  end
  table.insert(found, block)
end

-- Adds the contents of a file to the list `found`: blocks with `class`, `alias`, or `name` and
-- `owner` of a function. All have a text (a list of lines).
function annotations.read(path, found)
  local block, class, classes = newBlock(), nil, {}
  for line in io.lines(path) do
    local comment = line:match("^%-%-%-(.*)$")
    if comment then
      addComment(block, comment)
    else
      if block.class then
        class = block.class
      end
      local variable = line:match("^local (%w+) = {}$")
      if variable then
        classes[variable] = class
      elseif line:find("^function ") then
        addFunction(block, line, classes, found)
      end
      if block.class or block.alias then
        table.insert(found, block)
      end
      block = newBlock()
    end
  end
  return found
end

function annotations.readAll()
  local found = {}
  for _, path in ipairs(annotations.files) do
    annotations.read(path, found)
  end
  return found
end

return annotations
