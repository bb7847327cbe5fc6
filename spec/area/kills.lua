-- Two processes of the example area, which are killed at any time and started again. At the end,
-- what both have saved must be what one world is that was never split.
--
--   lua5.4 spec/area/kills.lua [seconds] [seed]
--
-- from the project's folder, with the paths set; `make test-area` does it.

local child = require("spec.support.child")
local ports = require("spec.support.ports")
local random = require("spec.support.random")

local kills = { PEOPLE = 120 }

local RATE = 100 -- ticks in a second
local PATIENCE = 60 -- seconds for what is left to be done at the end

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a")
  return file and file:close() and text or ""
end

-- Starts a process. Returns its number. game: folder, port, ticks.
function kills.start(game, side)
  local setup = ("package.path = %q package.cpath = %q"):format(package.path, package.cpath)
  local words = { quote(child.interpreter()), "-e", quote(setup), "examples/area/server.lua" }
  for _, word in ipairs({ side, "folder=" .. game.folder, "rate=" .. RATE, "every=20",
    "people=" .. kills.PEOPLE, "port=" .. game.port, "ticks=" .. game.ticks }) do
    table.insert(words, quote(tostring(word)))
  end
  local log = quote(("%s/log%d.txt"):format(game.folder, side))
  local pipe = assert(io.popen(("%s >> %s 2>&1 & echo $!"):format(table.concat(words, " "), log)))
  local number = pipe:read("*l")
  pipe:close()
  return number
end

function kills.kill(number)
  os.execute("kill -9 " .. number .. " 2>/dev/null")
end

-- The records that an area has saved, and after which tick.
local function readSaved(game, side)
  local protocol = require("area.protocol")
  local head, records = protocol.decode(read(("%s/area%d.txt"):format(game.folder, side)))
  return head and records or {}, head and head.number or 0
end

local function isOver(game)
  local _, first = readSaved(game, 1)
  local _, second = readSaved(game, 2)
  return first == game.ticks and second == game.ticks
end

local function playWhole(ticks)
  local whole, town = require("area.whole"), require("area.town")
  local straight = whole.new(town.people(kills.PEOPLE))
  for _ = 1, ticks do
    straight:step()
  end
  return whole.describe(straight:records())
end

-- Kills one or both for as long as it is told to, then lets them end. Returns how many were killed.
local function play(game, seconds, rng)
  local socket = require("socket")
  local running, killed = { kills.start(game, 1), kills.start(game, 2) }, 0
  local stop = socket.gettime() + seconds
  while socket.gettime() < stop + PATIENCE and not isOver(game) do
    socket.sleep(rng:real(0.02, 0.4))
    if socket.gettime() < stop then
      for side = 1, 2 do
        if rng:chance(0.6) then
          kills.kill(running[side])
          running[side], killed = nil, killed + 1
        end
      end
      socket.sleep(rng:chance(0.3) and rng:real(0, 0.2) or 0)
      for side = 1, 2 do
        running[side] = running[side] or kills.start(game, side)
      end
    end
  end
  kills.kill(running[1])
  kills.kill(running[2])
  return killed
end

function kills.newFolder()
  local folder = os.tmpname()
  os.remove(folder)
  os.execute("mkdir " .. folder)
  return folder
end

-- Returns whether all is as it should be, and a line that tells it.
function kills.run(seconds, seed)
  local path, folder = package.path, kills.newFolder()
  package.path = "examples/?.lua;" .. path
  local whole = require("area.whole")
  local game = { folder = folder, ticks = math.ceil(seconds * RATE), port = ports.row(4) }
  local killed = play(game, seconds, random.new(seed))
  local isEnded = isOver(game)
  local first, second = readSaved(game, 1), readSaved(game, 2)
  local isSame = whole.describe(first, second) == playWhole(game.ticks)
  package.path = path
  if isEnded and isSame then
    os.execute("rm -r " .. folder)
  end
  return isEnded and isSame, ("%d ticks, %d times killed (seed %.0f): %s"):format(
    game.ticks, killed, seed,
    not isEnded and "the areas did not end: see " .. folder
      or isSame and "the same as one world" or "NOT the same as one world: see " .. folder)
end

-- As a program.
if arg and arg[0] and arg[0]:find("kills%.lua$") then
  local isRight, line = kills.run(tonumber(arg[1]) or 60, tonumber(arg[2]) or os.time())
  print(line)
  os.exit(isRight and 0 or 1)
end

return kills
