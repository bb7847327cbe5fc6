-- Makes what LDoc reads from the annotations in types/library, so that nothing is said twice:
--
--     lua tools/ldoc_source.lua FOLDER
--
-- One file for each class, and one for each module. Tables of options and aliases go to the page of
-- the class that uses them.

local annotations = require("tools.annotations")

-- The pages; in 3D some have a 3 behind their name.
local PAGES = {
  "broadside", "broadside.bump", "broadside.debug", "broadside.tiles", "broadside.tiled",
  "World", "Box", "Backend", "Pool", "Emitter", "Model", "BumpRect", "BumpWorld",
}

-- Where options, figures and aliases are explained.
local HOME = {
  WorldOptions = "broadside", PoolOptions = "broadside", ModelOptions = "broadside",
  SweepOptions = "broadside", GridOptions = "broadside", TreeOptions = "broadside",
  BackendName = "broadside", InsertOptions = "World", Filter = "World", Result = "World",
  MoveFilter = "World", Response = "World", ResponseMasks = "World", Collision = "World",
  Pushed = "World",
  BoxRef = "World", Stats = "Backend", SpawnOptions = "Pool", PoolStats = "Pool",
  EmitterSpec = "Emitter", CarriedSpec = "Emitter", BumpCollision = "BumpWorld",
  BumpCrossing = "BumpWorld", BumpFilter = "BumpWorld", BumpPoint = "BumpWorld",
  BumpRectangle = "BumpWorld", BumpResponse = "BumpWorld", TileKind = "broadside.tiles",
  TileLayout = "broadside.tiles", TileMap = "broadside.tiles", TileBox = "broadside.tiles",
  TiledRule = "broadside.tiled", TiledBox = "broadside.tiled", TiledLayout = "broadside.tiled",
}

local function shorten(type)
  return (type:gsub("broadside%.(%u)", "%1"))
end

-- One word for each alternative that a type has: LDoc knows no functions with signatures, no texts.
local function typeWord(type)
  local words, seen = {}, {}
  type = shorten(type):gsub("%?$", "|nil")
  type = type:gsub("^fun%(.*$", "function"):gsub("|fun%(.*$", "|function")
  for part in type:gsub("%b{}", "table"):gsub("%b<>", ""):gmatch("[^|]+") do
    local word = part:find('^"') and "string" or tonumber(part) and "integer" or part
    if not seen[word] then
      seen[word] = true
      table.insert(words, word)
    end
  end
  return table.concat(words, "|")
end

-- What the word does not tell goes into the text.
local function textOf(value)
  local isTold = shorten(value.type):gsub("%?$", "|nil") == typeWord(value.type)
  local text = value.text
  if not isTold then
    text = (text == "" and "" or text .. ": ") .. "`" .. shorten(value.type) .. "`"
  end
  return text
end

local function pageOf(name)
  local short = name:match("^broadside%.(%u.*)$")
  if not short then
    return name
  end
  local plain, dim = short:match("^(.-)(3?)$")
  local home = HOME[plain]
  return home and (home == "broadside" and home or home .. dim) or short
end

local function addText(lines, text)
  for i, line in ipairs(text) do
    table.insert(lines, (i == 1 and "--- " or "-- ") .. line)
  end
end

local function addFields(lines, block)
  for _, field in ipairs(block.fields) do
    local tag = field.isOptional and "-- @tfield[opt] " or "-- @tfield "
    table.insert(lines, tag .. typeWord(field.type) .. " " .. field.name .. " " .. textOf(field))
  end
end

local function addFunction(lines, block, page)
  addText(lines, block.text)
  for _, overload in ipairs(block.overloads) do
    local options, result = overload:match("^fun%(opts: (.*)%): (.*)$")
    table.insert(lines, ("-- With `%s` it gives a `%s`."):format(shorten(options), shorten(result)))
  end
  for _, param in ipairs(block.params) do
    local tag = param.isOptional and "-- @tparam[opt] " or "-- @tparam "
    table.insert(lines, tag .. typeWord(param.type) .. " " .. param.name .. " " .. textOf(param))
  end
  for _, value in ipairs(block.returns) do
    table.insert(lines, ("-- @treturn %s %s %s"):format(typeWord(value.type), value.name,
      textOf(value)))
  end
  table.insert(lines, ("function %s%s%s(%s) end\n"):format(page, block.isMethod and ":" or ".",
    block.name, table.concat(block.args, ", ")))
end

local function addTable(lines, block)
  addText(lines, block.text)
  if block.alias then
    table.insert(lines, "-- It is `" .. shorten(block.type) .. "`.")
  end
  if block.parent and block.parent ~= "" then
    table.insert(lines, "-- It has the fields of `" .. shorten(block.parent) .. "`, too.")
  end
  addFields(lines, block)
  table.insert(lines, "-- @table " .. shorten(block.class or block.alias))
  table.insert(lines, "")
end

local function isHead(block, page)
  return block.class and (block.class == page or block.class == "broadside." .. page)
    and #block.text > 0
end

local function makePage(page, blocks)
  local lines = {}
  for _, block in ipairs(blocks) do
    if isHead(block, page) then
      addText(lines, block.text)
      table.insert(lines, (page:find("^%u") and "-- @classmod " or "-- @module ") .. page)
      table.insert(lines, "")
    end
  end
  for _, block in ipairs(blocks) do
    local owner = pageOf(block.owner or block.class or block.alias)
    if block.name and owner == page then
      addFunction(lines, block, page)
    elseif not block.name and owner == page and not isHead(block, page) and #block.text > 0 then
      addTable(lines, block)
    end
  end
  return table.concat(lines, "\n")
end

local function write(folder)
  local blocks = annotations.readAll()
  for _, name in ipairs(PAGES) do
    for _, page in ipairs({ name, name .. "3" }) do
      local text = makePage(page, blocks)
      if text ~= "" then
        local file = assert(io.open(folder .. "/" .. page .. ".lua", "w"))
        file:write(text, "\n")
        file:close()
      end
    end
  end
end

write((...))
