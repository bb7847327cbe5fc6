-- Tries every action in every loop and filter function: what happens to the rest of the loop, or to
-- the call, must be what the rules of doc/callbacks.md say, or its tables of exceptions.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local dump = require("spec.support.dump")
local properties = require("spec.support.properties")
local scene = require("spec.support.scene")

local unpack, values, concat = compat.unpack, compat.values, compat.concat

-- The rules and exceptions of the page ----------------------------------------------------------

local function cellsOf(line)
  local cells = {}
  for cell in line:gmatch("|%s*([^|]-)%s*%f[|]") do
    cells[#cells + 1] = cell
  end
  return cells
end

-- Reads the table below a heading: exceptions[action][column] is a word.
local function readExceptions(heading)
  local exceptions, inside, isBody = {}, false, false
  for line in io.lines("doc/callbacks.md") do
    if line:match("^## ") then
      inside = line == "## " .. heading
    elseif inside and line:match("^|%-") then
      isBody = true
    elseif inside and isBody and line:match("^|") then
      local actions, columns, word = unpack(cellsOf(line))
      for action in (actions .. "; "):gmatch("(.-); ") do
        exceptions[action] = exceptions[action] or {}
        for column in columns:gmatch("%w+") do
          exceptions[action][column] = word
        end
      end
    end
  end
  return exceptions
end

-- Actions that only read may also be done in a filter function.
local READS = { ["`snapshot`"] = true, query = true, cast = true, ["`collectgarbage`"] = true,
  ["query with a filter function"] = true, ["`check`, `touching`, `canFit`"] = true,
  ["these three with a filter function"] = true, ["loop over `hits`"] = true,
  ["loop over `pairs` and `boxes`"] = true, ["`snapshot` of the pool"] = true,
  ["`hits` with a filter function"] = true, ["loop over `each` and `hits`"] = true }

-- What loops pass over after these is gone.
local REMOVES = { ["`remove` the box at hand"] = true, ["`remove` another box"] = true,
  ["`remove` a box, `insert` another one"] = true, ["`free` another mover"] = true,
  ["`free` a mover, `spawn` another one"] = true }

-- Loops over movers that know no boxes, and those of them that have none at hand.
local KNOWS_NO_BOXES = { each = true, hitsBox = true, hitsRect = true }
local HAS_NO_BOX = { each = true, hitsRect = true }

local function ruleOf(action, column)
  if action == "`error`" then
    return "leaves"
  elseif action == "`coroutine.yield`" then
    return (column == "filter" or column == "eachPair") and "cannot" or "goes on"
  elseif column == "filter" then
    return READS[action] and "goes on" or "busy"
  elseif action == "`remove` the box at hand" and HAS_NO_BOX[column] then
    return "-"
  elseif action == "`remove` the box at hand" and column == "boxes" -- It comes once in any case.
    or action:find("^`remove` .* box") and KNOWS_NO_BOXES[column] then
    return "goes on"
  end
  return REMOVES[action] and "passed over" or "goes on"
end

local function sortedKeys(map)
  local keys = {}
  for key in pairs(map) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

-- Calls `try(action, column, word)` for each cell, and checks that the page names nothing else.
local function eachCell(exceptions, actions, columns, try)
  local count = 0
  for _, action in ipairs(sortedKeys(actions)) do
    for _, column in ipairs(sortedKeys(columns)) do
      local word = (exceptions[action] or {})[column]
      assert(word ~= ruleOf(action, column), action .. " is no exception in " .. column)
      count = count + (word and 1 or 0)
      try(action, column, word or ruleOf(action, column))
    end
  end
  for action, words in pairs(exceptions) do
    for column in pairs(words) do
      assert(actions[action] and columns[column], action .. " in " .. column)
      count = count - 1
    end
  end
  assert(count == 0)
end

-- What happened --------------------------------------------------------------------------------

local THROWN = {}

-- A run of a loop: `said` has the words for what each turn was given. The action happens in the
-- first turn.
local Run = {}
Run.__index = Run

local function newRun(place, action)
  return setmetatable({ place = place, action = action, said = {}, removed = {} }, Run)
end

-- One turn of the body: `words` for what it was given, `atHand` for the boxes on which it may act.
function Run:turn(words, atHand)
  self.said[#self.said + 1] = words
  if #self.said > 1 or not self.action then
    return
  end
  local before = self.place:describe()
  if self.action == coroutine.yield and self.mayYield or self.action == error then
    self.action(THROWN)
  else
    self.acted, self.problem = pcall(self.action, self.place, atHand, self)
    self.same = self.acted or before == self.place:describe()
  end
end

local function without(said, drop)
  local list = {}
  for _, words in ipairs(said) do
    if not drop(words) then
      list[#list + 1] = words
    end
  end
  return table.concat(list, ", ")
end

-- Whether the words name it: "begin:a-b" names a and b.
local function names(words, name)
  return ("-" .. words:gsub("^.-:", "") .. "-"):find("-" .. name .. "-", 1, true)
end

-- The word that describes what happened to the rest of the loop.
local function judge(run, usual, ok, problem)
  if not ok then
    return problem == THROWN and "leaves" or tostring(problem)
  end
  local rest = without(run.said, function() return false end)
  local expected = without(usual.said, function() return false end)
  if run.acted == false then
    local word = tostring(run.problem):match("is busy") and "busy" or "cannot"
    return rest == expected and run.same and word or "has changed something: " .. run.problem
  elseif rest == expected then
    return "goes on"
  elseif #run.said == 1 then
    return "ends"
  end
  local first = true
  local ends = without(usual.said, function(words)
    local drop = not first and not words:match("^end:")
    first = false
    return drop
  end)
  local place = 0
  local passed = without(usual.said, function(words)
    place = place + 1
    for name in pairs(run.removed) do
      if place > 1 and not words:match("^end:") and names(words, name) then
        return true
      end
    end
    return false
  end)
  return rest == ends and "only ends" or rest == passed and "passed over"
    or ("%s\ninstead of %s"):format(rest, expected)
end

-- Runs the loop of a column in a coroutine, so that its body may yield.
local function runColumn(column, place, action)
  local run = newRun(place, action)
  local co = coroutine.create(function() column(place, run) end)
  local ok, problem = coroutine.resume(co)
  if ok and coroutine.status(co) == "suspended" then
    collectgarbage()
    ok, problem = coroutine.resume(co)
  end
  assert(coroutine.status(co) == "dead")
  return run, ok, problem
end

-- What the loop of a column gives without an action, by column and by kind of place.
local usually = {}

local function usualRun(newPlace, where, column)
  local known = usually[column] or {}
  usually[column] = known
  if not known[where] then
    local run = runColumn(column, newPlace())
    assert(#run.said > 2, "there is too little to go through")
    known[where] = { said = run.said }
  end
  return known[where]
end

-- The word for a cell, found in a new place each time. `where` is the number of axes and the back
-- end.
local function observe(newPlace, where, column, action)
  local usual = usualRun(newPlace, where, column)
  local place = newPlace()
  local run, ok, problem = runColumn(column, place, action)
  assert(#run.said > 0, problem)
  local word = judge(run, usual, ok, problem)
  place:worksOn()
  return word
end

-- Worlds ---------------------------------------------------------------------------------------

-- Six boxes in a row, each overlapping its neighbours, with contacts of all three phases; see
-- `newPlace`.
local Place = {}
Place.__index = Place

function Place:describe()
  return dump(self.scene.world)
end

function Place:worksOn()
  local world = self.scene.world
  world:clear()
  self.scene:insert({ 0, 0, 2, 2 })
  self.scene:insert({ 1, 0, 2, 2 })
  assert(world:countPairs() == 1 and #world == 2)
end

function Place:name(box)
  return self.nameOf[box] or "stranger"
end

-- A box that the body does not have at hand.
function Place:another(atHand)
  for _, name in ipairs({ "d", "b", "e" }) do -- the order of pairs depends on the back end
    local other = self.boxes[name]
    if other ~= atHand[1] and other ~= atHand[2] then
      return other
    end
  end
end

local function newPlace(s)
  local self = setmetatable({ scene = s, boxes = {}, nameOf = {}, empty = s.world:snapshot() },
    Place)
  local function add(name, rect)
    self.boxes[name] = s:insert(rect, { data = name })
    self.nameOf[self.boxes[name]] = name
  end
  for i, name in ipairs({ "a", "b", "c", "d", "e" }) do
    add(name, { 6 * i, 0, 10, 10 })
  end
  for i, name in ipairs({ "x", "y" }) do
    add(name, { 100 * i, 0, 10, 10 })
    add(name .. name, { 100 * i, 5, 10, 10 })
  end
  self.listener = s.world:newContacts()
  for _ in s.world:contacts() do -- luacheck: ignore
  end
  self.listener:collect()
  s:update(self.boxes.x, { 500, 0 })
  self.boxes.y:remove()
  add("f", { 36, 0, 10, 10 })
  add("g", { 6, 0, 10, 10 })
  for i, name in ipairs({ "p", "q", "r" }) do
    add(name, { 8 + 4 * i, 10, 4, 4 })
  end
  return self
end

local function removed(self, run, box)
  run.removed[self:name(box)] = true
  return box
end

local function filterThatAccepts()
  return true
end

local WORLD_ACTIONS = {
  ["`insert`"] = function(self) self.scene:insert({ 0, 0, 50, 10 }) end,
  ["`insertMany`"] = function(self)
    self.scene.world:insertMany(concat(self.scene:rect({ 0, 0, 50, 10 }),
      self.scene:rect({ 3, 0, 50, 10 })))
  end,
  ["`insertCircle`"] = function(self) self.scene:insertCircle({ 20, 5 }, 30) end,
  ["`remove` the box at hand"] = function(self, atHand, run)
    removed(self, run, atHand[1]):remove()
  end,
  ["`remove` another box"] = function(self, atHand, run)
    self.scene.world:remove(removed(self, run, self:another(atHand)):getId())
  end,
  ["`remove` a box, `insert` another one"] = function(self, atHand, run)
    removed(self, run, self:another(atHand)):remove()
    self.scene:insert({ 24, 0, 10, 10 })
  end,
  ["`update`"] = function(self)
    for i, name in ipairs({ "a", "b", "c", "d", "e" }) do
      self.scene:update(self.boxes[name], { 1000 * i, 0 })
    end
  end,
  ["`updateMany`"] = function(self)
    self.scene.world:updateMany({ self.boxes.c, self.boxes.d },
      concat(self.scene:vector({ 900, 0 }), self.scene:vector({ 700, 0 })))
  end,
  ["`setShape`"] = function(self)
    self.boxes.d:setShape("circle", 3)
    self.boxes.e:setShape("circle", 300)
  end,
  ["`setFilter`"] = function(self) self.boxes.d:setFilter(0, 0) end,
  ["`setLayer`"] = function(self) self.boxes.d:setLayer(0) end,
  ["`setMask`"] = function(self) self.boxes.d:setMask(0) end,
  ["`setStatic`"] = function(self)
    self.boxes.d:setStatic(true)
    self.boxes.e:setStatic(true)
  end,
  ["`step`"] = function(self) self.scene.world:step(1) end,
  ["`resolve`"] = function(self) self.scene.world:resolve(self.boxes.d) end,
  ["`move`"] = function(self)
    self.scene.world:move(self.boxes.d, unpack(self.scene:vector({ 900, 3 })))
  end,
  ["`moveBy`"] = function(self)
    self.scene.world:moveBy(self.boxes.d, unpack(self.scene:vector({ 900, 3 })))
  end,
  ["`moveMany`"] = function(self)
    self.scene.world:moveMany({ self.boxes.d, self.boxes.e },
      concat(self.scene:vector({ 900, 0 }), self.scene:vector({ 9, 70 })))
  end,
  ["`push`"] = function(self)
    self.scene.world:push(self.boxes.d, unpack(self.scene:vector({ 900, 3 })))
  end,
  ["`setResponse`, `setMass` and the like"] = function(self)
    local box, all, ok, problem = self.boxes.d, nil, nil, nil
    for _, method in ipairs(properties.methods) do
      local list = method.setter == "setOneWay" and self.scene:vector({ 1, 0 }) or method.good[1]
      ok, problem = pcall(box[method.setter], box, unpack(list))
      assert(all == nil or ok == all, method.setter)
      all = ok
    end
    assert(ok, problem)
  end,
  ["`clear`"] = function(self) self.scene.world:clear() end,
  ["`trim`"] = function(self) self.scene.world:trim() end,
  ["`snapshot`"] = function(self)
    local before, text = dump(self.scene.world), self.scene.world:snapshot():getString()
    local copy = broadside.newWorld({ dim = self.scene.dim, backend = self.scene.backend })
    copy:restore(text)
    assert(text == copy:snapshot():getString() and before == dump(self.scene.world))
  end,
  ["`restore` the world as it is"] = function(self)
    self.scene.world:restore(self.scene.world:snapshot())
  end,
  ["`restore` the world without a box"] = function(self) self.scene.world:restore(self.empty) end,
  ["`setBackend`"] = function(self)
    self.scene.world:setBackend(self.scene.backend == "tree" and "grid" or "tree")
  end,
  ["`contacts`, `collectContacts`, of a box, of Contacts"] = function(self)
    local ok, problem = pcall(function()
      for _ in self.scene.world:contacts() do -- luacheck: ignore
      end
      for _ in self.boxes.p:contacts() do -- luacheck: ignore
      end
    end)
    assert(ok == pcall(self.listener.collect, self.listener))
    assert(ok == pcall(self.scene.world.collectContacts, self.scene.world, "changes"))
    assert(ok, problem)
  end,
  ["query"] = function(self)
    assert(#self.scene:queryRect({ 0, 0, 50, 50 }) > 5)
    assert(#self.scene:nearest({ 0, 0 }, 3) == 3)
  end,
  ["cast"] = function(self)
    assert(self.scene:segmentCast({ -9, 5 }, { 99, 5 }))
    assert(self.scene:sweep(self.boxes.a, { 99, 0 }))
  end,
  ["query with a filter function"] = function(self)
    assert(#self.scene:queryRect({ 0, 0, 50, 50 }, filterThatAccepts) > 5)
    assert(self.scene:segmentCast({ -9, 5 }, { 99, 5 }, filterThatAccepts))
  end,
  ["`check`, `touching`, `canFit`"] = function(self)
    local world, v = self.scene.world, self.scene:vector({ 99, 0 })
    local hits, n = select(self.scene.dim + 1, world:check(self.boxes.a, values(v, { cross = -1 })))
    assert(n > 2 and #hits == n)
    assert(world:touching(self.boxes.b, unpack(self.scene:vector({ 0, 1 }))))
    assert(not world:canFit(self.boxes.a, unpack(self.scene:vector({ 12, 0 }))))
  end,
  ["these three with a filter function"] = function(self)
    local world, dim, asked = self.scene.world, self.scene.dim, 0
    local function filter(box, other)
      assert(box == self.boxes.b and other)
      asked = asked + 1
      return asked % 2 == 0 and "slide"
    end
    local v = self.scene:vector({ 99, 0 })
    local hits, n = select(dim + 1, world:check(self.boxes.b, values(v, filter)))
    assert(asked > 1 and #hits == n)
    world:touching(self.boxes.b, values(self.scene:vector({ 0, 1 }), filter))
    local size = self.scene:rect({ 0, 0, 10, 10 })
    world:canFit(self.boxes.b, values(self.scene:vector({ 12, 0 }), values({
      unpack(size, dim + 1) }, filter)))
    assert(asked > 4)
  end,
  ["loop over `hits`"] = function(self)
    for _ in self.scene.world:hits() do -- luacheck: ignore
    end
  end,
  ["loop over `pairs` and `boxes`"] = function(self)
    local seen = 0
    for _ in self.scene.world:pairs() do
      seen = seen + 1
    end
    for _ in self.scene.world:boxes() do
      seen = seen + 1
    end
    assert(seen > 10)
  end,
  ["`error`"] = error,
  ["`coroutine.yield`"] = coroutine.yield,
  ["`collectgarbage`"] = function()
    collectgarbage()
    collectgarbage() -- frees what the first collection has finalised
  end,
}

-- The result of a call that moves boxes: where the box is, and what it has hit.
local function othersOf(s, ...)
  local list, hits = {}, select(s.dim + 1, ...)
  for i, hit in ipairs(hits) do
    list[i] = hit.other
  end
  return concat(list, { unpack({ ... }, 1, s.dim) })
end

-- The calls with a filter function. If a call only returns the first box, the function excludes
-- all, so that it is called for every box.
local FILTERED = {
  queryRect = function(s, f) return s:queryRect({ 0, 0, 50, 50 }, f) end,
  queryPoint = function(s, f) return s:queryPoint({ 15, 5 }, f) end,
  queryCircle = function(s, f) return s:queryCircle({ 15, 5 }, 20, f) end,
  queryPolygon = function(s, f) -- in 3D there is none
    return s.dim == 2 and s:queryPolygon({ 0, 0, 50, 0, 0, 50 }, f) or s:queryPoint({ 15, 5 }, f)
  end,
  queryBox = function(s, f, boxes) return s:queryBox(boxes.b, f) end,
  querySegment = function(s, f) return s:querySegment({ -9, 5 }, { 99, 5 }, f) end,
  querySweep = function(s, f, boxes) return s:querySweep(boxes.g, { 99, 0 }, f) end,
  nearest = function(s, f) return s:nearest({ 0, 0 }, 5, f) end,
  segmentCast = function(s, f) return s:segmentCast({ -9, 5 }, { 99, 5 }, f) end,
  sweep = function(s, f, boxes) return s:sweep(boxes.g, { 99, 0 }, f) end,
  sweepRect = function(s, f) return s:sweepRect({ 0, 0, 1, 9 }, { 99, 0 }, f) end,
  resolve = function(s, f, boxes) return s:resolve(boxes.b, f) end,
  move = function(s, f, boxes)
    return othersOf(s, s.world:move(boxes.g, values(s:vector({ 99, 0 }), f)))
  end,
  moveBy = function(s, f, boxes)
    return othersOf(s, s.world:moveBy(boxes.g, values(s:vector({ 99, 0 }), f)))
  end,
  check = function(s, f, boxes)
    return othersOf(s, s.world:check(boxes.g, values(s:vector({ 99, 0 }), f)))
  end,
  moveMany = function(s, f, boxes)
    return (s.world:moveMany({ boxes.g, boxes.e, boxes.g }, concat(s:vector({ 99, 0 }),
      concat(s:vector({ 0, 0 }), s:vector({ 9, 0 }))), f))
  end,
  push = function(s, f, boxes)
    return othersOf(s, s.world:push(boxes.g, values(s:vector({ 99, 0 }), f)))
  end,
  touching = function(s, f, boxes)
    return { s.world:touching(boxes.b, values(s:vector({ 0, 1 }), f)) }
  end,
  canFit = function(s, f, boxes)
    local size = { unpack(s:rect({ 0, 0, 30, 10 }), s.dim + 1) }
    return { select(2, s.world:canFit(boxes.b, values(s:vector({ 9, 0 }), values(size, f)))) }
  end,
}
local ANSWERS = { segmentCast = false, sweep = false, sweepRect = false, touching = false,
  canFit = false, move = "cross", moveBy = "cross", check = "cross", moveMany = "cross",
  push = "slide" }

local function filterColumn(name)
  return function(self, run)
    local found = FILTERED[name](self.scene, function(box, other)
      run:turn(self:name(other or box), { other or box })
      return ANSWERS[name] == nil or ANSWERS[name]
    end, self.boxes)
    for i, item in ipairs(type(found) == "table" and found or {}) do
      run.said[#run.said + 1] = type(item) == "userdata" and self:name(item) or i .. "=" .. item
    end
  end
end

local WORLD_COLUMNS = {
  filter = {},
  eachPair = { function(self, run)
    self.scene.world:eachPair(function(a, b)
      run:turn(self:name(a) .. "-" .. self:name(b), { a, b })
    end)
  end },
  pairs = { function(self, run)
    run.mayYield = true
    for a, b in self.scene.world:pairs() do
      run:turn(self:name(a) .. "-" .. self:name(b), { a, b })
    end
  end },
  boxes = { function(self, run)
    run.mayYield = true
    for box in self.scene.world:boxes() do
      run:turn(self:name(box), { box })
    end
  end },
  contacts = { function(self, run)
    run.mayYield = true
    for phase, a, b in self.scene.world:contacts() do
      run:turn(phase .. ":" .. self:name(a) .. "-" .. self:name(b), { a, b })
    end
  end },
  hits = { function(self, run)
    run.mayYield = true
    for _, name in ipairs({ "a", "b", "c", "d", "e" }) do
      self.boxes[name]:setResponse("cross")
    end
    self.scene.world:step(0)
    for box, other, response in self.scene.world:hits() do
      run:turn(response .. ":" .. self:name(box) .. "-" .. self:name(other), { box, other })
    end
  end },
}
for name in pairs(FILTERED) do
  table.insert(WORLD_COLUMNS.filter, filterColumn(name))
end

-- Pools ----------------------------------------------------------------------------------------

-- Movers 1 to 3 and 6 have hit wall a, the others wall b; the walls overlap where they were hit.
local PoolPlace = {}
PoolPlace.__index = PoolPlace

function PoolPlace:describe()
  local lines = { dump(self.world) }
  for id in self.pool:each() do
    lines[#lines + 1] = table.concat({ id, self.pool:get(id) }, " ")
  end
  lines[#lines + 1] = self.emitter:getCount()
  return table.concat(lines, "\n")
end

function PoolPlace:worksOn()
  self.world:clear()
  self.world:insert(unpack(self:rect(0, 0, 2, 2)))
  self.pool:clear()
  self:spawn(1, 1, 0)
  self.pool:step(1)
  assert(self.pool:count() > 0)
end

function PoolPlace:rect(x, y, w, h)
  return self.dim == 2 and { x, y, w, h } or { x, y, -5, w, h, 10 }
end

function PoolPlace:vector(x, y)
  return self.dim == 2 and { x, y } or { x, y, 0 }
end

function PoolPlace:spawn(x, y, vx)
  return self.pool:spawn(values(concat(self:vector(x, y), self:vector(vx, 0)), { tag = 9 }))
end

-- "a-3": mover 3 and wall a
function PoolPlace:words(id, box)
  local name = self.nameOf[id] or "stranger"
  return box and self.nameOf[box] .. "-" .. name or name
end

local function newPoolPlace(dim, backend)
  local self = setmetatable({ dim = dim, nameOf = {}, movers = {} }, PoolPlace)
  self.world = broadside.newWorld({ dim = dim, backend = backend })
  self.a = self.world:insert(unpack(self:rect(50, 0, 10, 4)))
  self.b = self.world:insert(unpack(self:rect(50, 3, 10, 10)))
  self.nameOf[self.a], self.nameOf[self.b] = "a", "b"
  self.pool = broadside.newPool({ dim = dim, capacity = 20 })
  self.empty = self.pool:snapshot()
  for i, y in ipairs({ 1, 2, 2.5, 3.5, 5, 1.5 }) do
    local id = self:spawn(0, y, 100)
    self.movers[i], self.nameOf[id] = id, tostring(i)
  end
  self.emitter = self.pool:newEmitter({ delay = 50, count = 1 })
  self.pool:step(1)
  return self
end

local function removedMover(self, run, number)
  run.removed[tostring(number)] = true
  return self.movers[number]
end

local function removedBox(self, run, box)
  run.removed[self.nameOf[box]] = true
  return box
end

local POOL_ACTIONS = {
  ["`spawn`"] = function(self) self:spawn(0, 1, 100) end,
  ["`free` the mover at hand"] = function(self, atHand) self.pool:free(atHand[1]) end,
  ["`free` another mover"] = function(self, _, run) self.pool:free(removedMover(self, run, 3)) end,
  ["`free` a mover, `spawn` another one"] = function(self, _, run)
    self.pool:free(removedMover(self, run, 3))
    self:spawn(0, 1, 100)
  end,
  ["`set`"] = function(self)
    self.pool:set(self.movers[3], unpack(concat(self:vector(-900, 0), self:vector(0, 0))))
  end,
  ["`step` the pool"] = function(self) self.pool:step(5) end,
  ["`clear` the pool"] = function(self) self.pool:clear() end,
  ["`trim` the pool"] = function(self) self.pool:trim() end,
  ["`snapshot` of the pool"] = function(self) self.saved = self.pool:snapshot(self.saved) end,
  ["`restore` an empty pool"] = function(self) self.pool:restore(self.empty) end,
  ["`newEmitter`"] = function(self) self.pool:newEmitter() end,
  ["`stop` an emitter"] = function(self) self.emitter:stop() end,
  ["`insert`"] = function(self) self.world:insert(unpack(self:rect(10, 0, 1, 50))) end,
  ["`remove` the box at hand"] = function(self, atHand, run)
    self.world:remove(removedBox(self, run, atHand[2]))
  end,
  ["`remove` another box"] = function(self, atHand, run)
    self.world:remove(removedBox(self, run, atHand[2] == self.b and self.a or self.b))
  end,
  ["`update`"] = function(self) self.b:setRect(unpack(self:vector(-500, 0))) end,
  ["`clear` the world"] = function(self) self.world:clear() end,
  ["`restore` the world without a box"] = function(self)
    self.world:restore(broadside.newWorld({ dim = self.dim }):snapshot():getString())
  end,
  ["`trim` the world"] = function(self) self.world:trim() end,
  ["`setBackend`"] = function(self)
    self.world:setBackend(self.world:getBackend():getName() == "tree" and "grid" or "tree")
  end,
  ["query"] = function(self)
    assert(#self.world:queryRect(unpack(self:rect(0, 0, 99, 99))) == 2)
    assert(#self.pool:collect() == 6 * self.dim)
  end,
  ["cast"] = function(self)
    assert(self.world:segmentCast(unpack(concat(self:vector(0, 1), self:vector(99, 1)))))
  end,
  ["`hits` with a filter function"] = function(self)
    local next = self.pool:hits(self.world, filterThatAccepts)
    assert(next)
  end,
  ["loop over `each` and `hits`"] = function(self)
    local seen = 0
    for _ in self.pool:each() do
      for _ in self.pool:hits(self.world) do
        seen = seen + 1
      end
    end
    assert(seen == 36)
  end,
  ["`error`"] = error,
  ["`coroutine.yield`"] = coroutine.yield,
  ["`collectgarbage`"] = function()
    collectgarbage()
    collectgarbage() -- frees what the first collection has finalised
  end,
}

-- A loop whose iterator returns the mover's id first, and perhaps its box.
local function loopColumn(loop, box)
  return function(self, run)
    run.mayYield = true
    for id, hit in loop(self) do
      hit = type(hit) == "userdata" and hit or nil
      run:turn(self:words(id, hit), { id, hit or box and self[box] })
    end
  end
end

local POOL_COLUMNS = {
  filter = { function(self, run)
    for id, box in self.pool:hits(self.world, function(box, id)
      run:turn("asked:" .. self:words(id, box), { id, box })
      return true
    end) do
      run.said[#run.said + 1] = self:words(id, box)
    end
  end, function(self, run)
    self.pool:hits(self.world, function(box, id)
      run:turn("asked:" .. self:words(id, box), { id, box })
      return false
    end)
  end },
  each = { loopColumn(function(self)
    return self.pool:each()
  end) },
  hits = { loopColumn(function(self)
    return self.pool:hits(self.world)
  end) },
  hitsBox = { loopColumn(function(self)
    return self.pool:hitsBox(self.a)
  end, "a") },
  hitsRect = { loopColumn(function(self)
    return self.pool:hitsRect(unpack(self:rect(50, 0, 10, 20)))
  end) },
}

-- Trying ---------------------------------------------------------------------------------------

local function expectWord(where, expected, got)
  if expected ~= got then
    error(("%s: %s on the page, but %s"):format(where, expected, got), 0)
  end
end

-- With few rounds only one of so many ways to try a cell is tried; in each cell others.
local EVERY, turn = math.floor(20 / compat.share(20)), 0

-- Tries a cell in all ways: with each number of axes, back end and loop of the column.
local function tryCell(action, column, word, runs, act, newPlaceOf)
  if word == "-" then
    return
  end
  it(("%s in %s: %s"):format(action, column, word), function()
    for dim = 2, 3 do
      for _, backend in ipairs(scene.backends) do
        for _, run in ipairs(runs) do
          turn = turn + 1
          if turn % EVERY == 0 then
            expectWord(("%s in %s, %dD, %s"):format(action, column, dim, backend), word,
              observe(function()
                return newPlaceOf(dim, backend)
              end, dim .. backend, run, act))
          end
        end
      end
    end
  end)
end

describe("doc/callbacks.md says of worlds", function()
  eachCell(readExceptions("Worlds"), WORLD_ACTIONS, WORLD_COLUMNS, function(action, column, word)
    tryCell(action, column, word, WORLD_COLUMNS[column], WORLD_ACTIONS[action],
      function(dim, backend) return newPlace(scene.new(dim, backend, scene.symmetries(dim)[1])) end)
  end)
end)

describe("doc/callbacks.md says of pools", function()
  eachCell(readExceptions("Pools"), POOL_ACTIONS, POOL_COLUMNS, function(action, column, word)
    tryCell(action, column, word, POOL_COLUMNS[column], POOL_ACTIONS[action], newPoolPlace)
  end)
end)

describe("a function that yields where it must not", function()
  it("gets this version's error", function()
    local world = broadside.newWorld()
    world:insert(0, 0, 2, 2)
    local messages = {
      ["Lua 5.1"] = compat.isLuaJIT and "attempt to yield across C-call boundary"
        or "attempt to yield across metamethod/C-call boundary",
    }
    local _, problem = coroutine.resume(coroutine.create(function()
      world:queryRect(0, 0, 9, 9, coroutine.yield)
    end))
    local expected = messages[_VERSION] or "attempt to yield across a C-call boundary"
    assert.equal(expected, problem)
  end)
end)

-- A hook also runs where no filter function does, such as just before a protected call in C.
describe("a debug hook", function()
  it("may ask with a filter function while another call does", function()
    local world, other = broadside.newWorld(), broadside.newWorld()
    local box, near = world:insert(0, 0, 2, 2), other:insert(0, 0, 3, 3)
    local asked, isInHook, found = 0, false, {}
    local function hook()
      if not isInHook then
        isInHook = true
        local list = other:queryRect(0, 0, 9, 9, function(one)
          asked = asked + 1
          return one == near
        end)
        found[#found + 1] = list[1] == near and #list == 1
        isInHook = false
      end
    end
    debug.sethook(hook, "cr")
    local list, n = world:queryRect(0, 0, 9, 9, function(one) return one == box end)
    debug.sethook()
    assert.equal(1, n)
    assert.equal(box, list[1])
    assert.is_true(asked > 2 and asked == #found)
    for _, right in ipairs(found) do
      assert.is_true(right)
    end
  end)
end)

-- A call that fails puts back what it has moved. One that fails within another call must leave
-- alone what that one has moved, and go on with.
describe("a call that fails within a filter function", function()
  local CALLS = {
    move = function(world, box, filter) return world:move(box, 100, 0, filter) end,
    moveMany = function(world, box, filter) return world:moveMany({ box }, { 100, 0 }, filter) end,
    push = function(world, box, filter) return world:push(box, 100, 0, filter) end,
    pushMany = function(world, box, filter) return world:pushMany({ box }, 100, 0, filter) end,
  }

  -- Where all boxes are after a call in whose filter function others may fail, and how many did.
  local function placesAfter(name, fails)
    local world = broadside.newWorld()
    local failures, places = 0, {}
    local box, crate = world:insert(0, 0, 10, 10), world:insert(20, 0, 10, 4)
    local last = world:insert(150, 0, 10, 10)
    local wall = world:insert(80, 5, 10, 10)
    CALLS[name](world, box, function(_, other)
      if fails and other == wall then
        local done = pcall(world.check, world, last, 0, 0, error)
        failures = failures + (done and 0 or 1)
      end
      return other == crate and "push" or "slide"
    end)
    for i, one in ipairs({ box, crate, wall, last }) do
      places[i] = table.concat({ one:getRect() }, " ")
    end
    return table.concat(places, ", "), failures
  end

  for name in pairs(CALLS) do
    it("leaves what world:" .. name .. " has moved", function()
      local expected = placesAfter(name, false)
      local places, failures = placesAfter(name, true)
      assert.equal(1, failures)
      assert.equal(expected, places)
      assert.is_nil(places:find("20 0 10 4", 1, true), "the crate has not moved")
    end)
  end
end)
