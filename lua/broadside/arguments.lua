-- Checks of arguments, and errors about them. An error names the line that has called the library,
-- however deep inside it the mistake was found.

local fields = require((((...) or ""):match("^(.+)[./\\]") or "broadside") .. ".fields")

local arguments = {}

local getinfo = debug and debug.getinfo

-- The folder of the file that a function is in, as Lua names it; nil for functions in C.
local function folderOf(info)
  return info.source:match("^@(.*[/\\])")
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

--- Raises what a call of the world has raised, at that line.
function arguments.raiseAgain(problem)
  arguments.raise((tostring(problem):gsub("^[^\n:]+:%d+: ", "")))
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

--- Raises an error unless the argument is right. value: what there is instead of what is expected.
function arguments.check(isRight, call, arg, expected, value)
  if not isRight then
    arguments.refuse(call, arg, expected .. " expected, got " .. arguments.describe(value))
  end
end

--- Checks an argument that may be nil.
function arguments.checkTable(value, call, arg, expected)
  arguments.check(value == nil or type(value) == "table", call, arg, expected or "table", value)
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

local function axesOf(world)
  return select("#", world:getGravity())
end

--- Checks that the first argument is a 2D World. module: which function of it was called.
function arguments.checkWorld(value, call, module)
  if value == module then
    arguments.refuse(call, 1, "this is the module itself; call it with '.', not ':'")
  end
  local hasGravity, axes = pcall(axesOf, value)
  arguments.check(type(value) == "userdata" and hasGravity and axes == 2, call, 1, "2D World",
    value)
end

--- Returns love.graphics, or raises an error if there is none.
function arguments.checkLove(call)
  local love = rawget(_G, "love")
  if not (love and love.graphics) then
    arguments.raise(("'%s' needs LÖVE: there is no love.graphics here"):format(call))
  end
  return love.graphics
end

--- What a message says about an unknown option. known: the names of the known ones.
function arguments.unknown(name, known)
  return ("unknown option %s; known: %s"):format(arguments.describe(name), known)
end

--- Checks a table of options, or nil. known: a list of {name, what the value has to be, test}.
function arguments.checkOptions(opts, call, arg, known)
  arguments.checkTable(opts, call, arg)
  for name, value in fields(opts or {}) do
    local names, option = {}, nil
    for i, row in ipairs(known) do
      names[i], option = row[1], row[1] == name and row or option
    end
    if not option then
      arguments.refuse(call, arg, arguments.unknown(name, table.concat(names, ", ")))
    end
    arguments.check(option[3](value), call, arg, ("option '%s': %s"):format(name, option[2]), value)
  end
end

--- A test for checkOptions: whether a value is a whole number, and not less than another one.
function arguments.isInteger(value, least)
  return arguments.isFinite(value) and value >= least and value % 1 == 0
end

return arguments
