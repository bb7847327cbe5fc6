-- The recipes of doc/walker-recipes.md: reads their code, and plays them in a world.

local compat = require("spec.support.compat")

local recipes = {}

--- The code of all recipes of the page, by their names, and a list of the names.
function recipes.read()
  local codes, names, name, code = {}, {}, nil, nil
  for line in io.lines("doc/walker-recipes.md") do
    local found = line:match("^<!%-%- recipe: (.-) %-%->$")
    name = found or name
    if name and line == "```lua" then
      code = {}
    elseif line == "```" and code then
      names[#names + 1] = name
      codes[name], name, code = table.concat(code, "\n"), nil, nil
    elseif code then
      table.insert(code, line)
    end
  end
  return codes, names
end

--- Runs the code of a recipe for a hero of 16 times 32 at x, y. Returns what it knows and has set:
-- world, box, hero, keys, update ...
function recipes.start(codes, name, world, x, y)
  local env = setmetatable({ world = world, walker = require("broadside.walker"),
    broadside = require("broadside"), box = world:insert(x, y, 16, 32),
    keys = { direction = 0 } }, { __index = _G })
  compat.loadIn(codes.setting, env)()
  compat.loadIn(codes[name], env)()
  return env
end

return recipes
