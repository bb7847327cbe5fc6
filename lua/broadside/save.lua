--- Saves games: tables as strings, and a whole game (its world, walkers, maps, pools and fields) as
-- one slot, string or hash. doc/save.md has examples; support/packing.lua has the format.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local cells = require(folder .. ".maps.cells")
local fields = require(folder .. ".support.fields")
local lists = require(folder .. ".support.lists")
local packing = require(folder .. ".support.packing")
local record = require(folder .. ".support.record")

local save, Game = {}, {}
Game.__index = Game

local describe = arguments.describe

--- Returns a table as a string. It may have numbers, booleans, strings and tables of these; other
-- values and cycles are an error. A table that is there twice becomes two. Metatables are ignored.
function save.pack(t)
  arguments.check(type(t) == "table", "pack", 1, "table", t)
  local text, complaint = packing.write(t)
  return text or arguments.refuse("pack", 1, complaint)
end

--- Returns the table of a string, which may come from anywhere: a damaged one is an error.
function save.unpack(text)
  arguments.check(type(text) == "string", "unpack", 1, "string", text)
  local t, complaint = packing.read(text)
  return t or arguments.refuse("unpack", 1, complaint)
end

-- Making ------------------------------------------------------------------------------------------

local function isOf(class)
  return function(value) return type(value) == "userdata" and getmetatable(value) == class end
end

-- Lists of the game, in the order in which they are restored, as walkers look for their boxes: the
-- class of their items, a test, and the method that saves them.
local LISTS = {
  { "pools", "Pool", isOf("Pool"), "snapshot" },
  { "maps", "Map", function(value) return cells.isMap[value] == true end, "snapshot" },
  { "walkers", "walker", function(value)
    return type(value) == "table" and type(value.save) == "function"
      and type(value.restore) == "function"
  end, "save" },
}

local OPTIONS = {
  { "data", "function" }, { "fields", "table" }, { "maps", "table" }, { "pools", "table" },
  { "walkers", "table" }, { "world", "World", nil, isOf("World") },
}

-- Raises an error unless all items of the lists are right. They may change: a game adds walkers.
local function checkLists(g, call, arg)
  for _, row in ipairs(LISTS) do
    local name, expected, isRight = row[1], row[2], row[3]
    for i, value in ipairs(g[name]) do
      if not isRight(value) then
        local text = ("item %d of '%s': %s expected, got %s"):format(i, name, expected,
          describe(value))
        if not arg then arguments.raise(text) end
        arguments.refuse(call, arg, text)
      end
    end
  end
end

--- Makes an object that saves a game and loads it. opts: as in types/library/broadside/save.lua.
-- Lists are read anew each time. Without the function `data` a box whose data was no number,
-- boolean or string keeps the data that it has in the world now.
function save.new(opts)
  arguments.check(type(opts) == "table" and opts ~= save, "new", 1,
    "table with world, walkers, maps, pools, fields", opts)
  local g = arguments.readOptions(opts, "new", 1, OPTIONS)
  for _, row in ipairs(LISTS) do
    g[row[1]] = g[row[1]] or {}
  end
  checkLists(g, "new", 1)
  return setmetatable(g, Game)
end

-- Saving ------------------------------------------------------------------------------------------

local function checkSelf(g, call)
  if getmetatable(g) ~= Game then arguments.refuseSelf(g, call, "what save.new returns") end
end

-- Calls a method of an item, with its slot of before. An error is one of the game's line.
local function saveItem(item, method, slot)
  local done, result = pcall(item[method], item, slot)
  if not done then arguments.raiseAgain(result) end
  return result
end

-- The text that packing has written, or an error.
local function written(what, text, complaint)
  return text or arguments.raise(what .. complaint)
end

--- Returns the state of the game in a slot: for going back, not for files. slot: an old one, which
-- is overwritten.
function Game:save(slot)
  checkSelf(self, "save")
  arguments.checkTable(slot, "save", 1)
  checkLists(self)
  local packed = written("cannot save 'fields': ", packing.write(self.fields or {}))
  slot = slot or {}
  slot.fields = packed
  slot.world = self.world and saveItem(self.world, "snapshot", slot.world)
  for _, row in ipairs(LISTS) do
    local items, list = self[row[1]], slot[row[1]] or {}
    for i, item in ipairs(items) do
      list[i] = saveItem(item, row[4], list[i])
    end
    lists.cut(list, #items)
    slot[row[1]] = list
  end
  return slot
end

local PLAIN = { boolean = true, number = true, string = true }

-- The data of boxes: two lists of ids and values that are plain, and a list of ids of other boxes
-- that have data, which a string cannot have.
local function dataOf(world)
  local ids, values, others = {}, {}, {}
  for box in world:boxes() do
    local value = box:getData()
    if PLAIN[type(value)] then
      ids[#ids + 1], values[#values + 1] = box:getId(), value
    elseif value ~= nil then
      others[#others + 1] = box:getId()
    end
  end
  return { ids = ids, values = values, others = others }
end

--- Returns the state of the game as a string, for a file or the network.
function Game:getString()
  checkSelf(self, "getString")
  local slot = self:save()
  local t = { game = 1, fields = slot.fields, walkers = slot.walkers, maps = slot.maps, pools = {} }
  if self.world then t.world, t.data = slot.world:getString(), dataOf(self.world) end
  for i, snapshot in ipairs(slot.pools) do
    t.pools[i] = snapshot:getString()
  end
  return written("cannot save: ", packing.write(t))
end

-- The hash of each chunk. Those of a snapshot never change.
local hashOfChunk = setmetatable({}, { __mode = "k" })

-- A text that differs if the symbols of the cells differ, however they are numbered.
local function hashMap(state)
  local hashes = {}
  for i, chunk in ipairs(state.chunks) do
    if not hashOfChunk[chunk] then
      local symbols = {}
      for at, code in ipairs(chunk.cells) do
        symbols[at] = state.symbols[code] or false
      end
      hashOfChunk[chunk] = record.digest(written("cannot hash a map: ",
        packing.writeForHash(symbols)))
    end
    hashes[i] = hashOfChunk[chunk]
  end
  return table.concat(hashes)
end

--- Returns 16 hexadecimal digits that differ if the game differs, besides the data of boxes. They
-- are the same in each Lua.
function Game:getHash()
  checkSelf(self, "getHash")
  self.slot = self:save(self.slot)
  local t = { self.world and self.slot.world:getHash() or "" }
  for _, snapshot in ipairs(self.slot.pools) do
    t[#t + 1] = snapshot:getHash()
  end
  for _, state in ipairs(self.slot.maps) do
    t[#t + 1] = hashMap(state)
  end
  t[#t + 1], t[#t + 2] = self.slot.walkers, self.fields or {}
  local text = written("cannot hash: ", packing.writeForHash(t))
  return record.digest(text) .. record.digest(text:reverse())
end

-- Loading -----------------------------------------------------------------------------------------

-- Writes the values of a table into another one, which keeps its tables where both have one.
local function assign(from, to)
  for key in fields(to) do
    if from[key] == nil then rawset(to, key, nil) end
  end
  for key, value in fields(from) do
    local old = rawget(to, key)
    if type(value) == "table" and type(old) == "table" then
      assign(value, old)
    else
      rawset(to, key, value)
    end
  end
end

-- Raises an error unless a slot has what this game has, and one of a string the data of boxes.
local function checkSlot(g, slot)
  for _, row in ipairs(LISTS) do
    local name, list = row[1], slot[row[1]]
    if type(list) ~= "table" or #list ~= #g[name] then
      arguments.refuse("load", 1, ("save of a game expected with %d %s, got %s"):format(#g[name],
        name, type(list) == "table" and #list or "none"))
    end
  end
  if (slot.world ~= nil) ~= (g.world ~= nil) then
    arguments.refuse("load", 1, "save of a game " .. (g.world and "with" or "without") ..
      " a world expected")
  end
  local data = slot.data
  local isRight = type(slot.world) ~= "string" or type(data) == "table"
    and type(data.ids) == "table" and type(data.values) == "table" and type(data.others) == "table"
    and #data.ids == #data.values
  arguments.check(isRight, "load", 1, "save of a game with the data of its boxes", slot)
end

-- A function(box) that returns the data that a box of a string had. Data that is no plain value is
-- what the game says, or that of the box that has the id now.
local function newData(g, data)
  local values, asks, kept = {}, {}, {}
  for box in g.world:boxes() do
    local value = box:getData()
    kept[box:getId()] = not PLAIN[type(value)] and value or nil
  end
  for i, id in ipairs(data.ids) do
    values[id] = data.values[i]
  end
  for _, id in ipairs(data.others) do
    values[id], asks[id] = kept[id], g.data
  end
  return function(box) -- as the world's `results` say
    local id = type(box) == "number" and box or box:getId()
    if asks[id] then return g.data(box) end
    return values[id]
  end
end

-- Restores all but the fields: the world first, as maps and walkers look for their boxes in it.
local function restore(g, slot)
  if type(slot.world) == "string" then
    g.world:restore(slot.world, newData(g, slot.data), true)
  elseif g.world then
    g.world:restore(slot.world)
  end
  for _, row in ipairs(LISTS) do
    for i, item in ipairs(g[row[1]]) do
      item:restore(slot[row[1]][i])
    end
  end
end

--- Loads a slot, or a string that may come from anywhere. Raises an error, and changes nothing, if
-- it is damaged or of another game. A string must be loaded into a game that was built in the same
-- way, so that its walkers and maps have the same boxes.
function Game:load(slot)
  checkSelf(self, "load")
  local isRight = type(slot) == "string" or type(slot) == "table"
  arguments.check(isRight, "load", 1, "string or slot", slot)
  if type(slot) == "string" then
    local read, problem = packing.read(slot)
    slot = read or arguments.refuse("load", 1, problem)
    if slot.game ~= 1 then
      arguments.refuse("load", 1, "save of a game expected, got the string of save.pack")
    end
  end
  checkLists(self)
  checkSlot(self, slot)
  local values, complaint = packing.read(type(slot.fields) == "string" and slot.fields or "")
  if not values then arguments.refuse("load", 1, "fields: " .. complaint) end
  self.before = self:save(self.before)
  local done, problem = pcall(restore, self, slot)
  if not done then
    restore(self, self.before)
    local text = arguments.withoutPlace(problem)
    arguments.refuse("load", 1, text:match("^bad argument #%d+ to '%w+' %((.*)%)$") or text)
  end
  assign(values, self.fields or {})
end

return save
