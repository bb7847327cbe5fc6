-- The small changes that tools/mutants.lua plants in a source in C or Lua.

-- What is no code. Directives of C's preprocessor belong to it.
local OPAQUE = {
  [false] = { '"[^"\n]*"', "'[^'\n]*'", "/%*.-%*/", "//[^\n]*", "\n#[^\n]*" },
  [true] = { "%[%[.-%]%]", '"[^"\n]*"', "'[^'\n]*'", "%-%-[^\n]*" },
}
-- Lines that check or hint, but decide nothing.
local PASSED_OVER = { "^%S", "assert", "prefetch", "luaL_%a*error", "%f[%w]error%(", "require" }

local OTHERS = {}
for a, b in ([[< <= <= < > >= >= > == != != == ~= == + - - + * / / * += -= -= += && || || && & | | &
  and or or and true false false true min max max min near far far near first last last first]])
  :gmatch("(%S+)%s+(%S+)") do
  OTHERS[a] = b
end
local AXES = { x = "y", y = "x", w = "h", h = "w", k = "DIM - 1 - k", axis = "DIM - 1 - axis" }

local function twice(number)
  return number:find("%D") and "(2 * " .. number .. ")" or ("%d"):format(number + 1)
end

local function swap(arguments)
  return (arguments:gsub("^(.-), (.*)$", "%2, %1"))
end

-- The name with the other axis at its end, if the line has it, too.
local function otherAxis(name, line)
  local other = name:gsub("[xywh]$", AXES)
  return #name <= 2 and line:find("%f[%w_]" .. other .. "%f[^%w_]") and other
end

-- The kind of a change, the pattern of what it replaces, between two positions, and by what.
local RULES = {
  { "comparison", " ()([<>=~!]=?)() ", OTHERS },
  { "sign", " ()([-+*/]=?)() ", OTHERS },
  { "sign", "[=(,?:n] ?()(%-)()[%w_(]", "" },
  { "logic", " ()([&|]+)() ", OTHERS },
  { "logic", "()(!)()[%w_(]", "" },
  { "logic", "%f[%w]()(not )()", "" },
  { "word", "%f[%a]()(%a+)()", OTHERS },
  { "constant", "%f[%w_.]()(%d*%.?%d+)()u?%f[^%w_.]", twice },
  { "constant", "%f[%w_.]()([%d.]+e%-?%d+)()%f[^%w_.]", twice },
  { "axis", "%[()(%l+)()%]", AXES },
  { "axis", "%.()([xywh])()%f[^%w_]", AXES },
  { "axis", "%f[%w_.]()(%l+)()%f[^%w_]", otherAxis },
  { "argument", "[(,] ?()([%w_.&*>%-%[%]]+, [%w_.&*>%-%[%]]+)()[,)]", swap },
  { "left out", "if %(()(.+)()%) {$", "false" },
  { "left out", "%f[%a]if ()(.+)() then$", "false" },
}

-- Whether a line is a whole statement that a function can do without. before: the line before it.
local function isStatement(line, before, isLua)
  local indent, text = line:match("^(%s+)(.+)$")
  if not text or select(2, text:gsub("[({]", "")) ~= select(2, text:gsub("[)}]", "")) then
    return false
  elseif text:find("^return") then
    return #indent > (isLua and 2 or 4)
  elseif isLua then
    return (text:find("^[%w_.:]+%(.*%)$") or text:find("^[%w_.#%[%]+%-, ]+ = .+$"))
      and not (text:find("^local ") or before:find("[,({=]$") or before:find(" %l+$"))
  end
  local isDeclaration = text:find("^const ") or text:find("^[%w_]+ [%w_*%[%]]+ = ")
  return text:find("^[^}].*;$") and before:find("[;{}:]$") and not isDeclaration
end

-- What makes a function return at its first line. head: the line with its type and name.
local function earlyReturn(head, line, isLua)
  local body = isLua and line:find("%f[%w]function.*%)$") or line:find("%) {$")
  local type = head:gsub("^static ", ""):match("^([%w_ ]+%*?)%f[%w_][%w_]+%(")
  local value = type and (type:find("^void ") and "" or "(" .. type .. "){0}")
  return body and (isLua and " do return end" or value and " if (1) { return " .. value .. "; }")
end

-- Returns the changes of a source: {kind, row, from, to, new}: `new` comes in the place of what is
-- from `from` to before `to`.
return function(text, isLua)
  text = text:gsub("\\.", "``") -- quotes in strings, and ends of lines in macros
  for _, pattern in ipairs(OPAQUE[isLua]) do
    text = text:gsub(pattern, function(opaque) return (opaque:gsub("[^\n]", "`")) end)
  end
  local list, before, head, row, start = {}, "", "", 0, 1
  for line in text:gmatch("([^\n]*)\n") do
    row = row + 1
    local function add(kind, from, to, new)
      new = isLua and new == "!=" and "~=" or new
      list[#list + 1] = { kind = kind, row = row, from = start + from, to = start + to, new = new }
    end
    head = line:find("^%a.*%(") and line or head
    local early, rules = earlyReturn(head, line, isLua), RULES
    if early then
      add("early return", #line, #line, early)
      head = ""
    end
    for _, pattern in ipairs(PASSED_OVER) do
      rules = line:find(pattern) and {} or rules
    end
    for _, rule in ipairs(rules) do
      for from, old, to in line:gmatch(rule[2]) do
        local new = rule[3]
        new = type(new) == "function" and new(old, line) or type(new) == "table" and new[old] or new
        if type(new) == "string" and new ~= old and not (isLua and new:find("DIM")) then
          add(rule[1], from - 1, to - 1, new)
        end
      end
    end
    if rules == RULES and isStatement(line, before, isLua) then
      add("left out", #line:match("^%s*"), #line, isLua and "" or ";")
    end
    before = line:find("[^%s`]") and line or before
    start = start + #line + 1
  end
  return list
end
