-- Makes what LDoc reads from the annotations in types/library, so that nothing is written twice:
--
--     lua tools/ldoc_source.lua FOLDER
--
-- It makes one file for each class, and one for each module. Tables of options and aliases go to
-- the page of the class that uses them. Each function gets its rules and its example from
-- doc/api.md. Pages in 3D only have what differs from 2D. Guides only get their titles here: see
-- docs/fill.lua.

local annotations = require("tools.annotations")
local pages = require("tools.docs.pages")

-- The pages. In 3D some have a 3 behind their name.
local PAGES = {
  "broadside", "broadside.bump", "broadside.debug", "broadside.tiles", "broadside.tiled",
  "broadside.ldtk", "broadside.draw", "broadside.walker", "broadside.play", "broadside.save",
  "World", "Box", "Snapshot", "Backend", "Pool", "Emitter", "Model", "Walker", "TopDown", "Play",
  "Saver", "BumpRect", "BumpWorld", "Map",
}

-- The page that explains options, figures and aliases.
local HOME = {
  WorldOptions = "broadside", PoolOptions = "broadside", ModelOptions = "broadside",
  SweepOptions = "broadside", GridOptions = "broadside", TreeOptions = "broadside",
  BackendName = "broadside", InsertOptions = "World", Properties = "World",
  Filter = "World", Result = "World",
  MoveFilter = "World", Response = "World", ResponseMasks = "World", Collision = "World",
  Pushed = "World",
  BoxRef = "World", Stats = "Backend", SpawnOptions = "Pool", PoolStats = "Pool",
  EmitterSpec = "Emitter", CarriedSpec = "Emitter", BumpCollision = "BumpWorld",
  BumpCrossing = "BumpWorld", BumpFilter = "BumpWorld", BumpPoint = "BumpWorld",
  BumpRectangle = "BumpWorld", BumpResponse = "BumpWorld", TileKind = "broadside.tiles",
  TileLayout = "broadside.tiles", TileMap = "broadside.tiles", TileBox = "broadside.tiles",
  MapState = "Map",
  TiledRule = "broadside.tiled", TiledBox = "broadside.tiled", TiledLayout = "broadside.tiled",
  LdtkRule = "broadside.ldtk", LdtkLayout = "broadside.ldtk", WalkerOptions = "broadside.walker",
  PlayedGame = "broadside.play", PlaySetup = "broadside.play", PictureLook = "broadside.play",
  GameParts = "broadside.save",
  DrawShape = "broadside.draw", DrawLook = "broadside.draw", DrawStyle = "broadside.draw",
}

local function shorten(type)
  return (type:gsub("broadside%.(%u)", "%1"))
end

-- One word for each alternative of a type: LDoc has no functions with signatures, and no strings as
-- types.
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

-- What the word does not say is put into the text.
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

-- The name of a function in doc/api.md: world:insert, broadside.newPool.
local function callOf(block, page)
  local name = block.name:gsub("3$", "")
  local class = page:match("^(%u%l+)3?$")
  return class and class:lower() .. ":" .. name or page .. "." .. name
end

-- A piece of doc/api.md, as Markdown for a page of a class.
local function movedText(text)
  return (text:gsub("%]%(#", "](../guides/api.md.html#")
    :gsub("%]%((%l[%w-]*%.md)", "](../guides/%1.html"))
end

-- The first example below each heading of doc/api.md, by the names of the calls in the heading.
local function readExamples()
  local examples, calls, code = {}, "", nil
  for line in io.lines("doc/api.md") do
    if line == "```" and code then
      for call in calls:gmatch("%l[%w.]*[.:]%w+") do
        examples[call] = examples[call] or table.concat(code, "\n") .. "\n"
      end
      code = nil
    elseif code then
      table.insert(code, line)
    elseif line == "```lua" then
      code = {}
    else
      calls = line:match("^### (.*)") or calls
    end
  end
  return examples
end

-- What the lists of doc/api.md say of each call, by its name: the section and the text. An item
-- begins with its calls; its other lines are indented.
local function readRules()
  local rules, section, item = {}, nil, nil
  local function finish()
    local calls, what = (item or ""):match("^(.-): (.*)$")
    for call in (calls or ""):gmatch("`(%l+[.:]%w+)") do
      rules[call] = rules[call] or { section = section, what = movedText(what) }
    end
    item = nil
  end
  for line in io.lines("doc/api.md") do
    local rest = item and line:match("^  (.*)")
    if rest then
      item = item .. " " .. rest
    else
      finish()
      section = line:match("^## (.*)") or section
      item = line:match("^%- (.*)")
    end
  end
  return rules
end

local examples, rules = readExamples(), readRules()

local function addExample(lines, call)
  if examples[call] then
    table.insert(lines, "-- @usage")
    for line in examples[call]:gmatch("([^\n]*)\n") do
      table.insert(lines, "-- " .. line)
    end
  end
end

-- The guides with the rules of modules that doc/api.md only mentions.
local GUIDES = {
  ["broadside.tiles"] = "tiles.md", ["broadside.tiled"] = "tiled.md",
  ["broadside.ldtk"] = "ldtk.md", ["broadside.walker"] = "walker.md", Walker = "walker.md",
  TopDown = "walker.md",
  ["broadside.play"] = "testing-games.md", Play = "testing-games.md",
  ["broadside.save"] = "save.md", Saver = "save.md",
  ["broadside.draw"] = "draw.md", ["broadside.debug"] = "draw.md",
  ["broadside.bump"] = "from-bump.md", Map = "tiles.md",
}

local function addRules(lines, rule, page)
  local guide = GUIDES[page]
  if guide then
    table.insert(lines, ("--\n-- Rules: [%s](../guides/%s.html)."):format(guide, guide))
  elseif rule then
    local link = ("[%s](../guides/api.md.html#%s)"):format(rule.section, pages.anchor(rule.section))
    table.insert(lines, ("--\n-- Rules, from %s: %s"):format(link, rule.what))
  end
end

-- What has the same name in 2D, by the names of both: World3 and insert, or InsertOptions3.
local twins = {}

local function flatName(block)
  return ((block.owner or block.class or block.alias):gsub("3$", "") .. ":" .. (block.name or ""))
end

-- The rows of a list that the 2D one has not: by name, type and text.
local function newRows(rows, flat)
  local there, new = {}, {}
  for _, row in ipairs(flat) do
    there[row.name .. ":" .. row.type .. ":" .. row.text] = true
  end
  for _, row in ipairs(rows) do
    if not there[row.name .. ":" .. row.type:gsub("(%a)3", "%1") .. ":" .. row.text] then
      table.insert(new, row)
    end
  end
  return new
end

-- Whether a call raises an error in 3D.
local function isOnlyFlat(block)
  return table.concat(block.text, " "):find("error in worlds of three axes", 1, true) ~= nil
end

-- A block of a page in 3D with what differs from its twin alone; nil if nothing does.
local function differenceOf(block, page)
  local twin = page:find("3$") and twins[flatName(block)]
  if not twin then
    return block
  elseif isOnlyFlat(block) then
    return nil
  end
  local new = setmetatable({ text = {}, isBrief = true, all = block.params }, { __index = block })
  for _, list in ipairs({ "params", "returns", "fields" }) do
    new[list] = newRows(block[list], twin[list])
  end
  local flatPage = page:gsub("3$", "")
  local name = block.name and flatPage .. ":" .. block.name or twin.class and shorten(twin.class)
    or shorten(twin.alias)
  new.text[1] = ("As [%s](%s.html#%s), with a third axis."):format(name, flatPage,
    block.name and name or flatPage .. "." .. name)
  return #new.params + #new.returns + #new.fields > 0 and new or nil
end

-- LDoc wants all parameters of a function. The template leaves out those with this text.
local AS_IN_2D = "="

local function addParams(lines, block)
  local shown = {}
  for _, param in ipairs(block.params) do
    shown[param.name] = true
  end
  for _, param in ipairs(block.all or block.params) do
    local tag = param.isOptional and "-- @tparam[opt] " or "-- @tparam "
    table.insert(lines, tag .. typeWord(param.type) .. " " .. param.name .. " "
      .. (shown[param.name] and textOf(param) or AS_IN_2D))
  end
end

local function addFunction(lines, block, page)
  local call = callOf(block, page)
  addText(lines, block.text)
  if not block.isBrief then
    addRules(lines, rules[call], page)
  end
  addParams(lines, block)
  for _, value in ipairs(block.returns) do
    table.insert(lines, ("-- @treturn %s `%s` %s"):format(typeWord(value.type), value.name,
      textOf(value)))
  end
  if not block.isBrief then
    addExample(lines, call)
  end
  table.insert(lines, ("function %s%s%s(%s) end\n"):format(page, block.isMethod and ":" or ".",
    block.name, table.concat(block.args, ", ")))
end

local function addTable(lines, block)
  addText(lines, block.text)
  if block.alias then
    table.insert(lines, "-- It is `" .. shorten(block.type) .. "`.")
  end
  if block.parent and block.parent ~= "" and not block.isBrief then
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

-- The head of a page in 3D: where all else is.
local function addDifferences(lines, page, blocks)
  local flat, missing, differs = page:gsub("3$", ""), {}, false
  for _, block in ipairs(blocks) do
    if pageOf(block.owner or block.class or block.alias) == page and not isHead(block, page) then
      differs = differs or differenceOf(block, page) ~= nil
      if block.name and isOnlyFlat(block) then
        table.insert(missing, "`" .. block.name .. "`")
      end
    end
  end
  table.insert(lines, ("--\n-- All is as in [%s](%s.html)%s."):format(flat, flat,
    differs and ", but for the third axis: this page has the calls that differ" or ""))
  if #missing > 0 then
    table.insert(lines, "-- Only in 2D: " .. table.concat(missing, ", ") .. ".")
  end
end

local function makePage(page, blocks)
  local lines = {}
  for _, block in ipairs(blocks) do
    if isHead(block, page) then
      addText(lines, block.text)
      if page:find("3$") then
        addDifferences(lines, page, blocks)
      end
      table.insert(lines, (page:find("^%u") and "-- @classmod " or "-- @module ") .. page)
      table.insert(lines, "")
    end
  end
  for _, block in ipairs(blocks) do
    local owner = pageOf(block.owner or block.class or block.alias)
    local new = owner == page and differenceOf(block, page)
    if new and block.name then
      addFunction(lines, new, page)
    elseif new and not isHead(block, page) and #block.text > 0 then
      addTable(lines, new)
    end
  end
  return table.concat(lines, "\n")
end

local function writeApi(folder)
  local blocks = annotations.readAll()
  for _, block in ipairs(blocks) do
    local name = block.owner or block.class or block.alias
    if not name:find("3$") then
      twins[flatName(block)] = block
    end
  end
  for _, name in ipairs(PAGES) do
    for _, page in ipairs({ name, name .. "3" }) do
      local text = makePage(page, blocks)
      if text ~= "" then
        pages.write(folder .. "/api/" .. page .. ".lua", text .. "\n")
      end
    end
  end
end

-- Writes files for the guides and examples, and LDoc's configuration, which lists them.
local function writeOthers(folder)
  local guides, sources = {}, {}
  for i, guide in ipairs(pages.guides) do
    guides[i] = ("%q"):format(folder .. "/" .. guide[1])
    pages.write(folder .. "/" .. guide[1], pages.read(guide[2]):match("^.-\n"))
  end
  for i, name in ipairs(pages.examples) do
    sources[i] = ("%q"):format(folder .. "/examples/" .. name .. ".lua")
    pages.write(folder .. "/examples/" .. name .. ".lua",
      pages.read(pages.codeOf(name)))
  end
  pages.write(folder .. "/config.ld", ([[
project = "Broadside"
title = "Broadside"
format = "markdown"
topics = { %s }
examples = { %s }
use_markdown_titles = true
no_space_before_args = true
no_lua_ref = true
kind_names = { topic = "Guides" }
]]):format(table.concat(guides, ", "), table.concat(sources, ", ")))
end

writeApi((...))
writeOthers((...))
