-- doc/testing-games.md: plays its game with a stand-in for LÖVE, and runs its specs in a folder of
-- their own.

local child = require("spec.support.child")
local compat = require("spec.support.compat")
local lfs = require("lfs")
local page = require("spec.support.page")
local play = require("broadside.play")
local standin = require("spec.love.standin")

local PAGE = "doc/testing-games.md"

local function readAll(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- The files of the page by name, and the blocks that go into the `describe` of its spec.
local function readFiles()
  local files, parts = {}, {}
  for _, block in ipairs(page.blocks(PAGE)) do
    local name = block.code:match("^%-%- ([%w_/]+%.lua)\n")
    if name then
      files[name] = block.code
    elseif block.code:find("^%-%- game%.lua gets\n") then
      files["game.lua"] = files["game.lua"]:gsub("\nreturn ", function(text)
        return "\n" .. block.code .. text
      end)
    elseif block.code:find("^it%(") then
      table.insert(parts, block.code)
    end
  end
  return files, parts
end

-- The indented lines behind a text of the page.
local function shownAfter(text)
  local shown = readAll(PAGE):match(text:gsub("%p", "%%%0") .. "\n\n(    .-)\n\n%S")
  return (shown:gsub("\n +\n", "\n\n"):gsub("^    ", ""):gsub("\n    ", "\n"))
end

-- What the player of the window in main.lua writes with F5. keys(step) presses keys.
local function playInWindow(files, steps, keys)
  local love, down, written = standin.new(), {}, nil
  love.keyboard.isDown = function(key) return down[key] or false end
  local function open()
    return { write = function(_, text) written = text end, close = function() end }
  end
  rawset(_G, "love", love)
  local newGame = compat.loadIn(files["game.lua"], _G)()
  compat.loadIn(files["main.lua"], setmetatable({ love = love, io = { open = open },
    require = function(name) return name == "game" and newGame or require(name) end },
    { __index = _G }))()
  for step = 1, steps do
    keys(step, down, love)
    love.update(1 / 60)
    love.draw()
  end
  love.keypressed("f5")
  rawset(_G, "love", nil)
  assert(love.drawn.rectangle > steps)
  return written, newGame
end

describe(PAGE, function()
  local files, parts, record, newGame

  setup(function()
    files, parts = readFiles()
    record, newGame = playInWindow(files, 100, function(step, down, love)
      down.right = step >= 18 and step < 61
      if step == 71 then love.keypressed("space") end
    end)
  end)

  -- Runs the page's spec on a game, with its parts if they are given.
  local function runSpec(game, others)
    local folder = os.tmpname()
    os.remove(folder)
    assert(lfs.mkdir(folder) and lfs.mkdir(folder .. "/spec"))
    local all = { ["game.lua"] = game, ["spec/record.txt"] = record,
      ["spec/game_spec.lua"] = files["spec/game_spec.lua"]:gsub("end%)\n$", others .. "end)\n") }
    for name, text in pairs(all) do
      local file = assert(io.open(folder .. "/" .. name, "w"))
      file:write(text)
      file:close()
    end
    local command = "require('lfs').chdir(%q) arg = { [0] = 'busted' } dofile(%q)"
    local status, output = child.run(command:format(folder, lfs.currentdir() .. "/tools/specs.lua"))
    for name in pairs(all) do
      os.remove(folder .. "/" .. name)
    end
    os.remove(folder .. "/spec")
    os.remove(folder)
    return status, output
  end

  it("shows the record that F5 writes, and it is replayed", function()
    local function withoutHashes(text)
      return (text:gsub(("%x"):rep(8), "HASH"))
    end
    assert.equal(withoutHashes(record), withoutHashes(shownAfter("of the game:") .. "\n"))
    local game = newGame()
    play.replay(game, record)
    assert.is_true(game.hero.onFloor)
    assert.equal(80, select(2, game.hero.box:getRect()))
  end)

  it("has specs that hold", function()
    local others = table.concat(parts, "\n"):gsub("100000", tostring(compat.rounds(8000)))
    local status, output = runSpec(files["game.lua"], others)
    assert.equal(0, status, output)
    assert.truthy(output:find("7 successes / 0 failures / 0 errors", 1, true), output)
  end)

  it("has specs that fail if the game is wrong, and say how", function()
    local function change(from, to)
      local game, count = files["game.lua"]:gsub(from:gsub("%p", "%%%0"), to)
      assert.equal(1, count, from)
      return game
    end
    local others = table.concat(parts, "\n"):gsub("100000", "1000")
    for _, case in ipairs({
      { "160, 420, 1200", "160, 320, 1200", "a ledge that a jump reaches" },
      { "max(60, liftY", "max(70, liftY", "a lift that takes" },
      { "and self.hasKey then", "then", "a door that needs the key" },
      { "    local kind", -- the hero leaves the level
        "if not other:getOneWay() then self.hero.box:setRect(0, 0) end local kind", "no holes" },
      { "160, 420, 1200", "150, 420, 1200", "stays on the ledge" },
      { "  self.hero:restore(slot.hero)\n", "", "goes back to exactly" },
      { "  self.vy, self.hasKey = slot.vy, slot.hasKey\n", "", "goes back to exactly" },
    }) do
      local status, output = runSpec(change(case[1], case[2]), others)
      assert.is_true(status > 0, case[2])
      assert.truthy(output:find(case[3], 1, true), output)
    end
    local _, output = runSpec(change("160, 420, 1200", "160, 320, 1200"), "")
    output = output:gsub(" +\n", "\n")
    local shown = shownAfter("With a jump that is too weak, busted says:"):gsub(" +\n", "\n")
    assert.truthy(output:find(shown, 1, true), output)
  end)
end)
