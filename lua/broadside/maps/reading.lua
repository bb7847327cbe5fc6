-- What broadside.tiled and broadside.ldtk share: checks of an editor's files, and how their boxes
-- are inserted into a world.
--
-- If something is wrong with a map, { text = } is raised; { text =, arg = } if another argument is
-- to blame. If a function of the game raises an error while the map is read, { raised = } is
-- raised. reading.read reports all of these to its caller.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local fields = require(root .. ".support.fields")
local level = require(root .. ".maps.level")
local lists = require(root .. ".support.lists")
local rules = require(root .. ".maps.rules")

local reading = {}

local describe, fail, isWhole = arguments.describe, arguments.fail, arguments.isWhole
local unpack = table.unpack or unpack

local NONE = {}

-- Checks ------------------------------------------------------------------------------------------

--- Rows, columns and pixels must be below this, so that neighbours are different doubles.
reading.FARTHEST = 2 ^ 31

-- The following functions return the value under a name of a table, and check it. what: what a
-- message calls the table.

local function check(owner, name, what, expected)
  local value = owner[name]
  if not arguments.isA(value, expected) then
    fail("%s: %s expected as '%s', got %s", what, expected, name, describe(value))
  end
  return value
end

function reading.number(owner, name, what)
  return check(owner, name, what, "finite number")
end

function reading.size(owner, name, what)
  return check(owner, name, what, "size > 0")
end

function reading.whole(owner, name, what, least)
  local value = owner[name]
  if not isWhole(value) or value < least or value >= reading.FARTHEST then
    fail("%s: whole number from %.0f to %.0f expected as '%s', got %s", what, least,
      reading.FARTHEST - 1, name, describe(value))
  end
  return value
end

--- A number that may be left out.
function reading.offset(owner, name, what)
  return owner[name] and reading.number(owner, name, what) or 0
end

function reading.list(owner, name, what)
  return check(owner, name, what, "table")
end

--- The same for a list that may be missing.
function reading.listOrNone(owner, name, what)
  return owner[name] and reading.list(owner, name, what) or NONE
end

--- Goes through a list whose items must be tables: for i, item in reading.tables(...) do ... end.
function reading.tables(owner, name, what)
  local list = reading.list(owner, name, what)
  what = ("'%s' of %s"):format(name, what)
  return function(_, i)
    if rawget(list, i + 1) == nil then return nil end
    return i + 1, reading.list(list, i + 1, what)
  end, list, 0
end

--- Calls a function of the game. Returns its first result.
function reading.ask(f, ...)
  local done, result = pcall(f, ...)
  if not done then error({ raised = result }, 0) end
  return result
end

-- What is wrong with a map, by what was raised when it was read; nil if the map is not to blame.
-- what: what was expected if something else was found.
local function complaintOf(problem, what)
  if type(problem) == "table" then return problem.text end
  return problem ~= "not enough memory"
    and ("%s expected: %s"):format(what, arguments.withoutPlace(problem)) or nil
end

--- The same, but raises what is not the map's fault: an error of the game's function, or memory.
function reading.blame(problem, what)
  if type(problem) == "table" and not problem.text then error(problem.raised, 0) end
  return complaintOf(problem, what) or error(problem, 0)
end

--- Calls f(reader, ...), which reads a part of the map, and adds nothing if it fails. If the game
-- has given onError, a failure is reported, each text once, and that part is left out. what: where
-- the part is. Returns the result of f, or nil.
function reading.attempt(reader, what, f, ...)
  if not reader.told then return f(reader, ...) end
  local done, result = pcall(f, reader, ...)
  if done then return result end
  reader.tell(complaintOf(result, what .. ": part of a map of Tiled's")
    or error(result, 0))
  return nil
end

--- Attempts f(reader, item, ...) for each item of a list, which must be a table.
function reading.attemptEach(reader, owner, name, what, f, ...)
  local list, whatItem = reading.list(owner, name, what), ("'%s' of %s"):format(name, what)
  for i in lists.items(list) do
    reading.attempt(reader, what, function(_, ...)
      f(reader, reading.list(list, i, whatItem), ...)
    end, ...)
  end
end

-- Options -----------------------------------------------------------------------------------------

local function checkLegend(legend, format)
  for name, rule in fields(legend) do
    local _, complaint = rules.newKind(rule or true, { w = 1, h = 1 }, format.own)
    if not complaint and type(rule) == "table" and format.complaintOfRule then
      complaint = format.complaintOfRule(rule)
    end
    if complaint then
      arguments.refuse(format.call, format.arg, ("option 'legend', %s: %s"):format(describe(name),
        complaint))
    end
  end
end

-- Insertion ---------------------------------------------------------------------------------------

--- Checks the arguments of a call that reads a map, and reads it.
-- format describes the call: module, call (its name), arg (which argument the options are); what
-- (what messages call a map); options (see arguments.readOptions); own (options in rules of the
-- legend that world:insert does not have); complaintOfRule (nil, or a function that says what
-- else is wrong with a rule); and read, a function of the map, the options and any other arguments.
-- Returns the result of read, and the options. If parts may be left out, the result has told, a
-- list of messages for onError.
function reading.read(world, map, opts, format, ...)
  arguments.checkWorld(world, format.call, format.module)
  arguments.check(type(map) == "table", format.call, 2, format.what, map)
  local options = arguments.readOptions(opts, format.call, format.arg, format.options)
  checkLegend(options.legend, format)
  local done, found = pcall(format.read, map, options, ...)
  if not done then
    arguments.refuse(format.call, type(found) == "table" and found.arg or 2,
      reading.blame(found, format.what))
  end
  return found, options
end

--- Tells onError what was left out.
function reading.report(found, options)
  for _, text in ipairs(found.told or NONE) do
    options.onError(text)
  end
end

--- Inserts the boxes of a map into a 2D World, reports what was left out, and calls the functions
-- of the legend, in this order. format.read returns calls, for level.insert; later, calls of
-- functions {{f, argument, ...}, ...}; and, if parts may be left out, told, and tell, a function
-- that adds to it.
-- Returns the boxes and their number, or raises an error with nothing changed.
function reading.insert(world, map, opts, format)
  local found, options = reading.read(world, map, opts, format)
  local boxes, n = level.insert(world, found.calls, found.tell or function(text)
    arguments.refuse("insert", 2, text)
  end)
  reading.report(found, options)
  for _, call in ipairs(found.later) do
    call[1](unpack(call, 2))
  end
  return boxes, n
end

return reading
