-- Follows a tutorial as its reader does. A block of Lua that begins with a line `-- FILE` is that
-- file. A block that begins with `-- FILE changes` changes it: a definition replaces the one with
-- the same name; other locals are added to the locals at the top, other functions at the end.

local page = require("spec.support.page")

local tutorial = {}

-- Splits code at lines that begin a statement, or a comment before one: rows of `name` and `text`.
local function split(code)
  local parts, isComment = {}, false
  for line in code:gmatch("([^\n]*)\n") do
    local begins = line:find("^%-%-") or line:find("^local ") or line:find("^function ")
      or line:find("^return ") or line:find("^describe")
    if begins and not isComment or #parts == 0 then
      table.insert(parts, { text = "" })
    end
    local part = parts[#parts]
    isComment = line:find("^%-%-") ~= nil
    part.text = part.text .. line .. "\n"
    part.name = part.name or line:match("^function [%w.]+") or line:match("^local function %w+")
      or line:match("^local [%w, ]+") or line:match("^return ")
  end
  return parts
end

local function indexOf(parts, matches)
  for i, part in ipairs(parts) do
    if part.name and matches(part.name) then
      return i
    end
  end
end

local function change(parts, new)
  local same = indexOf(parts, function(name) return name == new.name end)
  if same then
    parts[same] = new
    return
  end
  local isLocal = new.name:find("^local ")
  table.insert(parts, indexOf(parts, function(name)
    return name:find(isLocal and "^function " or "^return ") ~= nil
  end), new)
end

local function textOf(parts)
  local texts = {}
  for i, part in ipairs(parts) do
    texts[i] = part.text:gsub("\n+$", "\n")
  end
  return table.concat(texts, "\n")
end

-- The files after each step, as texts by name: steps[n] is for the section `## n.`
function tutorial.follow(path)
  local steps, starts, number = {}, {}, 0
  for line in io.lines(path) do
    number = number + 1
    if line:find("^## %d+%.") then
      table.insert(starts, number)
    end
  end
  local files = {}
  for n, start in ipairs(starts) do
    for _, block in ipairs(page.blocks(path)) do
      local name, changes = block.code:match("^%-%- (%S+)( ?%l*)\n")
      if block.line > start and block.line < (starts[n + 1] or math.huge) then
        assert(name, path .. ":" .. block.line .. ": the block does not name its file")
        local code = split(block.code:match("\n(.*)$"))
        if changes == "" then
          files[name] = code
        else
          for _, part in ipairs(code) do
            change(files[name], part)
          end
        end
      end
    end
    steps[n] = {}
    for name, parts in pairs(files) do
      steps[n][name] = textOf(parts)
    end
  end
  return steps
end

return tutorial
