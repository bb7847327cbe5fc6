-- Makes the annotations of worlds that return ids or data from those of worlds that return Boxes:
-- `make types`.
--
--     lua tools/types_results.lua > types/library/broadside/results.lua
--
-- For each such kind of world there is a class that repeats the methods that return results, as
-- fields of one line. Methods of pools that take a world have one variant for each kind. As a
-- module it returns the function that makes the text.

local annotations = require("tools.annotations")

-- What replaces a Box, by the names of the classes.
local KINDS = {
  { suffix = "OfIds", result = "integer", option = "id" },
  { suffix = "OfData", result = "any", option = "data" },
}
local BOXES = { suffix = "" }

-- Types that contain results, and so have another name for each kind of world.
local CONTAINERS = { Filter = true, MoveFilter = true, Collision = true, Pushed = true }

local function convertType(type, kind)
  return (type:gsub("broadside%.(%a+)(3?)", function(name, dim)
    if name == "Result" then
      return kind.result
    elseif CONTAINERS[name] or name == "World" then
      return "broadside." .. name .. kind.suffix .. dim
    end
  end))
end

-- A function type ends where its result does, so optional ones and lists of them need brackets.
local function enclose(type)
  return type:find("^fun") and "(" .. type .. ")" or type
end

local function signature(block, kind)
  local params, returns = { "self: " .. convertType(block.owner, kind) }, {}
  for _, param in ipairs(block.params) do
    table.insert(params, param.name .. (param.isOptional and "?" or "") .. ": "
      .. enclose(convertType(param.type, kind)))
  end
  for _, value in ipairs(block.returns) do
    table.insert(returns, enclose(convertType(value.type, kind)))
  end
  local results = #returns > 0 and ": " .. table.concat(returns, ", ") or ""
  return ("fun(%s)%s"):format(table.concat(params, ", "), results)
end

local function handsOutResults(block)
  for _, list in ipairs({ block.params, block.returns }) do
    for _, value in ipairs(list) do
      if convertType(value.type, KINDS[1]) ~= value.type then
        return true
      end
    end
  end
end

-- Whether a block changes for a kind of world. Insertion returns a Box in worlds of data, too.
local function isOf(block, kind)
  return handsOutResults(block) and not (kind.option == "data" and block.name:find("^insert"))
end

local function addMethods(lines, blocks, owner, kind)
  for _, block in ipairs(blocks) do
    if block.owner == owner and isOf(block, kind) then
      table.insert(lines, ("---@field %s %s"):format(block.name, signature(block, kind)))
    end
  end
end

local function addWorld(lines, blocks, dim, kind)
  local parent = "broadside.World" .. dim
  table.insert(lines, ('---A world with `results = "%s"`.'):format(kind.option))
  table.insert(lines, ("---@class %s: %s"):format(convertType(parent, kind), parent))
  addMethods(lines, blocks, parent, kind)
  table.insert(lines, "")
end

local function addPool(lines, blocks, dim)
  local owner = "broadside.Pool" .. dim
  table.insert(lines, "---@class " .. owner)
  for _, kind in ipairs({ BOXES, KINDS[1], KINDS[2] }) do
    addMethods(lines, blocks, owner, kind)
  end
  table.insert(lines, "")
end

local function isContainer(name)
  return name and CONTAINERS[name:match("^broadside%.(%a+)")]
end

local function addContainer(lines, block, kind)
  local name = block.alias or block.class
  local text = ("---As %s, in worlds with `results = \"%s\"`."):format(name, kind.option)
  table.insert(lines, text)
  local own = convertType(name, kind)
  if block.alias then
    table.insert(lines, ("---@alias %s %s"):format(own, convertType(block.type, kind)))
  else
    table.insert(lines, ("---@class %s: %s"):format(own, name))
    table.insert(lines, "---@field other " .. kind.result)
  end
  table.insert(lines, "")
end

local function addDimension(lines, blocks, dim)
  for _, kind in ipairs(KINDS) do
    for _, block in ipairs(blocks) do
      if isContainer(block.alias or block.class) then
        addContainer(lines, block, kind)
      end
    end
    addWorld(lines, blocks, dim, kind)
  end
  addPool(lines, blocks, dim)
end

local function make()
  local lines = {
    "---@meta _", "",
    "-- Worlds that hand out ids or data: made from 2d.lua and 3d.lua by `make types`.", "",
  }
  addDimension(lines, annotations.read("types/library/broadside/2d.lua", {}), "")
  addDimension(lines, annotations.read("types/library/broadside/3d.lua", {}), "3")
  return table.concat(lines, "\n")
end

if arg and arg[0] and arg[0]:find("types_results%.lua$") then
  io.write(make())
end
return make
