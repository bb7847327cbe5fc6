-- Layers with names: each is one bit of layers and masks.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")

local MOST = 32

local function refuse(text, ...)
  arguments.refuse("layers", 1, text:format(...))
end

-- The layers of a list of names, in its order: {wall = 1, hero = 2, coin = 4, ...}.
local function layers(...)
  local list = ...
  if select("#", ...) == 0 then refuse("list of names expected, got no value") end
  arguments.check(type(list) == "table", "layers", 1, "list of names", list)
  if rawget(list, "_VERSION") then
    refuse("this is the module itself; call it with '.', not ':'")
  end
  if #list == 0 or #list > MOST then refuse("1 to %d names expected, got %d", MOST, #list) end
  local names, bit = {}, 1
  for i = 1, #list do
    local name = list[i]
    if type(name) ~= "string" or name == "" then
      refuse("item %d: name expected, got %s", i, arguments.describe(name))
    elseif names[name] then
      refuse("item %d: '%s' is there twice", i, name)
    end
    names[name], bit = bit, bit * 2
  end
  -- A name that is none is a mistake: nil as a layer or mask would stand for the usual one.
  return setmetatable(names, { __index = function(_, name)
    arguments.raise(("no layer is called %s; there are: %s"):format(arguments.describe(name),
      table.concat(list, ", ")))
  end })
end

return layers
