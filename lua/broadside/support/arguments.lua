-- Checks of arguments, and errors about them. An error names the line that has called the library,
-- however deep inside it the mistake was found.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local fields = require(root .. ".support.fields")

local arguments = {}

local unpack = table.unpack or unpack

-- A sandbox may have no such library, and raise an error about a global that is not there.
local debug = rawget(_G, "debug") or {}
local getinfo = debug.getinfo

--- The metatable of a value, also where that names another one.
arguments.metatableOf = debug.getmetatable or getmetatable

local FOLDERS = { maps = true, support = true, walker = true }

-- The folder of the file that a function is in, as Lua names it, or the folder that has ours in it;
-- nil for functions in C.
local function folderOf(info)
  local folder = info.source:match("^@(.*[/\\])")
  local above, name = (folder or ""):match("^(.*[/\\])(%a+)[/\\]$")
  return FOLDERS[name] and above or folder
end

local own = getinfo and folderOf(getinfo(1, "S"))

-- Whether a function is of this folder, which may have been loaded by a shorter name, as by dofile.
-- "tail" stands for functions that have ended, in Lua 5.1.
local function isOwn(info)
  local folder = info and own and (info.what == "tail" and own or folderOf(info))
  return folder and ("/" .. own):sub(-#folder - 1) == "/" .. folder
end

--- Raises an error at the line that has called a function of this folder.
function arguments.raise(message)
  local level = 2
  while isOwn(getinfo and getinfo(level, "S")) do
    level = level + 1
  end
  error(message, level)
end

--- What was raised, without the place at its beginning.
function arguments.withoutPlace(problem)
  return (tostring(problem):gsub("^[^\n:]+:%d+: ", ""))
end

--- Raises what a call of the world has raised, at that line.
function arguments.raiseAgain(problem)
  arguments.raise(arguments.withoutPlace(problem))
end

function arguments.refuse(call, arg, text)
  arguments.raise(("bad argument #%d to '%s' (%s)"):format(arg, call, text))
end

function arguments.refuseSelf(self, call, expected)
  arguments.raise(("bad self to '%s' (%s expected, got %s; call it with ':')"):format(call,
    expected, type(self)))
end

-- How much of a text a message shows.
local LONGEST = 60

--- How a message shows a value.
function arguments.describe(value)
  local kind = type(value)
  if kind == "number" then
    return value ~= value and "nan" or tostring(value)
  elseif kind == "string" then
    return #value > LONGEST and "'" .. value:sub(1, LONGEST) .. "...'" or "'" .. value .. "'"
  end
  return kind == "userdata" and tostring(value) or kind
end

function arguments.isFinite(value)
  return type(value) == "number" and value - value == 0
end

--- NaN and infinities are not whole, as their remainder is NaN.
function arguments.isWhole(value)
  return type(value) == "number" and value % 1 == 0
end

function arguments.isSize(value)
  return arguments.isFinite(value) and value > 0
end

--- Raises an error unless the argument is right. value: what there is instead of what is expected.
function arguments.check(isRight, call, arg, expected, value)
  if not isRight then
    arguments.refuse(call, arg, expected .. " expected, got " .. arguments.describe(value))
  end
end

--- Calls a function. Returns nil; or, if it refuses an argument, why: the text in brackets.
function arguments.complaintOf(f, ...)
  local done, problem = pcall(f, ...)
  if done then return nil end
  return tostring(problem):match("^.-%((.*)%)$") or error(problem, 0)
end

--- Raises what is wrong with something from elsewhere, such as a file, for arguments.try.
function arguments.fail(format, ...)
  error({ text = select("#", ...) > 0 and format:format(...) or format }, 0)
end

--- Calls a function. Returns its result; or nil and the text, if it calls arguments.fail.
function arguments.try(f, ...)
  local done, result = pcall(f, ...)
  if done then return result end
  return nil, type(result) == "table" and result.text or error(result, 0)
end

--- Raises an error about what a function of the game has returned, unless it is right.
function arguments.checkResult(isRight, name, expected, got)
  if not isRight then
    arguments.raise(("%s of the game must return %s, not %s"):format(name, expected, got))
  end
end

--- Checks an argument that may be nil.
function arguments.checkTable(value, call, arg)
  arguments.check(value == nil or type(value) == "table", call, arg, "table", value)
end

--- Checks that arguments, the first of which has the number `first`, are finite numbers. (Where a
-- function has `...`, Lua 5.1 hides a parameter called arg.)
function arguments.checkNumbers(call, first, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if not arguments.isFinite(value) then
      arguments.check(false, call, first + i - 1, "finite number", value)
    end
  end
end

-- Raises an error, or answers false, for what is no World; one of love.physics has getGravity, too.
local function axesOf(world)
  return world.queryRect and select("#", world:getGravity())
end

--- Whether a value is a 2D World.
function arguments.isWorld(value)
  local hasGravity, axes = pcall(axesOf, value)
  return type(value) == "userdata" and hasGravity and axes == 2
end

--- Checks that the first argument is a 2D World. module: which function of it was called.
function arguments.checkWorld(value, call, module)
  if value == module then
    arguments.refuse(call, 1, "this is the module itself; call it with '.', not ':'")
  end
  arguments.check(arguments.isWorld(value), call, 1, "2D World", value)
end

--- Whether a value is the id of a box of the world.
function arguments.isIdIn(world, value)
  local isId, isThere = pcall(world.has, world, value)
  return type(value) == "number" and isId and isThere
end

--- The Box that a value is, or whose id it is, in the world; nil if it is something else.
function arguments.toBox(world, value)
  if type(value) ~= "number" and type(value) ~= "userdata" then return nil end
  local done, has = pcall(world.has, world, value)
  if not (done and has) then return nil end
  return type(value) == "number" and world:getBox(value) or value
end

--- Whether the world's results, which may be Boxes, ids or data, say `other` of a box.
function arguments.isSaid(box, other)
  return rawequal(box, other) or box:getId() == other or rawequal(box:getData(), other)
end

--- Returns love.graphics, or raises an error if there is none.
function arguments.checkLove(call)
  local love = rawget(_G, "love")
  if not (love and love.graphics) then
    arguments.raise(("'%s' needs LÖVE: there is no love.graphics here"):format(call))
  end
  return love.graphics
end

--- Whether a value is what a message says.
arguments.tests = {
  ["finite number"] = arguments.isFinite,
  ["finite number >= 0"] = function(value) return arguments.isFinite(value) and value >= 0 end,
  ["finite number > 0"] = arguments.isSize,
  ["size > 0"] = arguments.isSize,
  ["integer >= 0"] = function(value) return arguments.isWhole(value) and value >= 0 end,
  ["integer >= 1"] = function(value) return arguments.isWhole(value) and value >= 1 end,
}

--- Whether a value is what a message says: one of the tests, or types as in "table or function".
function arguments.isA(value, expected)
  local test = arguments.tests[expected]
  if test then return test(value) end
  return type(value) == expected
    or (" " .. expected .. " "):find(" " .. type(value) .. " ", 1, true) ~= nil
end

--- Checks a table of options, or nil, and returns them. known: a list of {name, what the value must
-- be (for isA), default, test instead of isA}. If there is a default, the value can also be false.
function arguments.readOptions(opts, call, arg, known)
  arguments.checkTable(opts, call, arg)
  opts = opts or {}
  local options, names, isKnown = {}, {}, {}
  for i, row in ipairs(known) do
    names[i], isKnown[row[1]] = row[1], true
  end
  for name in fields(opts) do
    if not isKnown[name] then
      arguments.refuse(call, arg, ("unknown option %s; known: %s"):format(arguments.describe(name),
        table.concat(names, ", ")))
    end
  end
  for _, row in ipairs(known) do
    local name, expected, default, test = unpack(row, 1, 4)
    local value = opts[name]
    if value == nil or value == false and default ~= nil then
      value = default
    else
      arguments.check((test or arguments.isA)(value, expected), call, arg,
        ("option '%s': %s"):format(name, expected), value)
    end
    options[name] = value
  end
  return options
end

return arguments
