-- Draws the pictures of the recipes of doc/walker-recipes.md: plays each one in its scene.
--
--     lua tools/recipe_pictures.lua FOLDER
--
-- As a module it returns the function that makes a picture, and the names of all recipes.

local broadside = require("broadside")
local recipes = require("tools.recipes")
local scenes = require("web.programs.recipes.scenes")
local drawBox = require("tools.walker_pictures").drawBox

local pictures = { names = {} }

local WIDTH, HEIGHT = 300, 140
local EACH = 6 -- frames from one ghost to the next
local CROSSED = { [4] = "#e2d3ae", [8] = "#bcd6f2", [16] = "#dcd3ee" } -- by layer

local codes = recipes.read()
local scenesByName = {}
for i, scene in ipairs(scenes) do
  pictures.names[i], scenesByName[scene.name] = scene.name, scene
end

--- The name of a recipe's file, without its ending.
function pictures.fileOf(name)
  return "recipe-" .. name:gsub("%W", "-")
end

-- The boxes of a world, and where each is now.
local function listBoxes(world)
  local list = {}
  for box in world:boxes() do
    list[#list + 1] = { box = box, svg = drawBox(box, "%s"), layer = (box:getFilter()) }
  end
  return list
end

-- The hero: filled if it stands, an outline in the air.
local function ghost(game, isLast)
  return drawBox(game.box, ('fill="%s" fill-opacity="%.2f" stroke="#d92c3a" stroke-opacity="%.2f"')
    :format(game.hero.onFloor and "#d92c3a" or "none", isLast and 0.8 or 0.22, isLast and 1 or 0.5))
end

-- Plays the moves of a scene. Adds a ghost for each few frames, also of what else has moved.
local function play(scene, game, boxes, add)
  local frame = 0
  for _, move in ipairs(scene.moves) do
    game.keys = { direction = move.direction or 0, up = move.up, down = move.down,
      jump = move.jump }
    if move.call then game[move.call](1) end
    for _ = 1, move[1] do
      game.update(1 / 60)
      game.keys.jump, frame = false, frame + 1
      if frame % EACH == 0 then
        add(ghost(game))
        for _, each in ipairs(boxes) do
          if each.box ~= game.box and not each.box:isRemoved()
            and drawBox(each.box, "%s") ~= each.svg then
            add(drawBox(each.box, 'fill="none" stroke="#c98a3a" stroke-opacity="0.5"'))
          end
        end
      end
    end
  end
end

--- The picture of a recipe, as a text.
function pictures.draw(name)
  local scene, world, lines = scenesByName[name], broadside.newWorld(), {}
  local function add(line)
    table.insert(lines, line)
  end
  local height = HEIGHT - scene.top
  add(('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 %d %d %d" width="%d" height="%d">')
    :format(scene.top, WIDTH, height, WIDTH, height))
  add(('<rect y="%d" width="100%%" height="100%%" fill="#f6f7fa"/>'):format(scene.top))
  scene.build(world)
  local game = recipes.start(codes, name, world, scene.x, scene.y)
  local boxes = listBoxes(world)
  for _, each in ipairs(boxes) do
    if CROSSED[each.layer] then
      add(each.svg:format(('fill="%s"'):format(CROSSED[each.layer])))
    end
  end
  play(scene, game, boxes, add)
  for _, each in ipairs(boxes) do
    if each.box:isRemoved() then
      add(each.svg:format('fill="none" stroke="#8a97ab" stroke-dasharray="3"'))
    elseif each.box ~= game.box and not CROSSED[each.layer] then
      add(drawBox(each.box, ('fill="%s"'):format(each.box:isStatic() and "#8a97ab" or "#c98a3a")))
    end
  end
  add(ghost(game, true))
  add("</svg>\n")
  return table.concat(lines, "\n")
end

local folder = ...
if folder and folder ~= "tools.recipe_pictures" then
  for _, name in ipairs(pictures.names) do
    local file = assert(io.open(folder .. "/" .. pictures.fileOf(name) .. ".svg", "wb"))
    file:write(pictures.draw(name))
    file:close()
  end
end

return pictures
