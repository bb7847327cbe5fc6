-- Runs each block of Lua in the pages. docs_spec.lua runs those that say what they print. Here are
-- the others: pieces of a game, which run among the things that their page speaks of. A block that
-- cannot run here has the comment `not run: why` before it.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local compat = require("spec.support.compat")
local lfs = require("lfs")
local page = require("spec.support.page")
local play = require("broadside.play")
local save = require("broadside.save")
local standin = require("spec.love.standin")
local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

-- Pages whose blocks make one program, or need a library, and the spec that plays them. A block
-- that begins with `-- in FILE` only shows a part, and runs here.
local PLAYED = {
  ["README.md"] = "spec/examples/tutorial_spec.lua",
  ["doc/ldtk.md"] = "spec/broadside/ldtk_spec.lua",
  ["doc/mistakes.md"] = "spec/project/mistakes_spec.lua",
  ["doc/topdown.md"] = "spec/examples/topdown_page_spec.lua",
  ["doc/testing-games.md"] = "spec/broadside/testing_page_spec.lua",
  ["doc/tiled.md"] = "spec/broadside/tiled_spec.lua",
  ["doc/tutorial.md"] = "spec/examples/tutorial_spec.lua",
}

-- What plays the blocks that a comment `recipe: name` names.
local RECIPES = {
  ["doc/ship.md"] = "spec/love/package_check.lua",
  ["doc/walker-recipes.md"] = "spec/broadside/walker_page_spec.lua",
}

local function nothing()
  return nil
end

local function newSlot()
  return {}
end

-- What the pieces of games find: a world with a hero, and what games have.
local function newSetting()
  local world = broadside.newWorld()
  world:insert(0, 100, 200, 10, { static = true, data = { kind = "wall" } })
  local box = world:insert(20, 60, 16, 32)
  return setmetatable({
    broadside = broadside, world = world, walker = walker, tiles = tiles, play = play,
    love = standin.new(buffer.new), box = box, hero = walker.new(world, box), vx = 0, vy = 0,
    dt = 1 / 60, out = {}, boxes = { box }, places = { 20, 60 }, WALL = 1, COIN = 2, CRATE = 4,
    x = 40, y = 20, coin = {}, crate = world:insert(80, 80, 10, 10), hits = {},
    bullets = broadside.newPool({ capacity = 10 }), pool = broadside.newPool({ capacity = 10 }),
    player = { box = world:insert(120, 20, 16, 16), vx = 60, vy = 0 },
    Game = {}, game = { step = nothing, hero = { box = box }, saver = save.new({}) },
    p = play.new({ step = nothing, save = newSlot, load = nothing }, { history = 9,
      inputs = { "left", "right" } }),
    take = nothing,
  }, { __index = _G })
end

local function pages()
  local paths = { "README.md", "CONTRIBUTING.md", "TESTING.md", "CHANGELOG.md",
    "examples/README.md", "bench/README.md",
    "examples/area/README.md", "examples/area/skynet/README.md" }
  for name in lfs.dir("doc") do
    if name:find("%.md$") then
      paths[#paths + 1] = "doc/" .. name
    end
  end
  table.sort(paths)
  return paths
end

local function mentions(spec, path)
  local file = assert(io.open(spec))
  local text = file:read("*a")
  file:close()
  return text:find(path, 1, true) ~= nil
end

-- Calls the callbacks of LÖVE that a block has defined.
local function playFrames(love)
  for _ = 1, 3 do
    for _, f in ipairs({ love.update or false, love.draw or false }) do
      if f then
        f(1 / 60)
      end
    end
  end
end

describe("a block of Lua runs:", function()
  teardown(buffer.close)

  it("of some pages by a spec of their own", function()
    for path, spec in pairs(PLAYED) do
      assert.is_true(mentions(spec, path), path)
      for _, block in ipairs(page.blocks(path)) do
        assert.is_function(compat.loadIn(block.code, {}), path .. ":" .. block.line)
      end
    end
  end)

  for _, path in ipairs(pages()) do
    for _, block in ipairs(page.blocks(path)) do
      local comment = block.comment or ""
      local isPlayed = PLAYED[path] and not block.code:find("^%-%- in ")
      if #block.printed == 0 and not isPlayed and not comment:find("^not run: %S+ %S+") then
        it(("%s:%d"):format(path, block.line), function()
          if comment:find("^recipe: ") then
            assert.is_true(mentions(RECIPES[path], path))
            return
          end
          local env = newSetting()
          env.love.keyboard.isDown = function() return false end
          rawset(_G, "love", env.love)
          local isRight, message = pcall(function()
            page.runBlock(block, env)
            playFrames(env.love)
          end)
          rawset(_G, "love", nil)
          assert.is_true(isRight, message)
        end)
      end
    end
  end
end)
