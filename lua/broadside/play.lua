--- A game under test: it runs in fixed steps, with inputs by name, in LÖVE, in a terminal and in
-- busted. It goes back, and its records are replayed. doc/testing-games.md has examples.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local picture = require(folder .. ".support.picture")
local record = require(folder .. ".support.record")
local ring = require(folder .. ".support.ring")

local play, Play = { picture = picture.draw, assertions = picture.register }, {}
Play.__index = Play

local MOST = 8 -- steps in one update
local isA = arguments.isA

local OPTIONS = {
  { "before", "function" },
  { "dt", "finite number > 0", 1 / 60 },
  { "every", "integer >= 1", 60 },
  { "history", "integer >= 0", 0 },
  { "inputs", "list of names without blanks, each once", {}, record.areNames },
}

-- The line of the record about the present state; nil if the game has no hash.
local function hashLine(p)
  if not p.game.hash then return nil end
  local hash = p.game.hash(p.game)
  arguments.checkResult(type(hash) == "string", "hash", "a string", arguments.describe(hash))
  return ("%d # %s\n"):format(p.steps, record.digest(hash))
end

local function note(p, line)
  local n = #p.lines + 1
  p.lines[n], p.stepOf[n] = line, line and p.steps
end

local function checkGame(game, call)
  local isGame = type(game) == "table" and game ~= play and type(game.step) == "function"
  arguments.check(isGame, call, 1, "game with step(game, dt, input)", game)
end

-- call: whose argument #2 has the options.
local function begin(game, opts, call)
  opts = arguments.readOptions(opts, call, 2, OPTIONS)
  local p = { game = game, dt = opts.dt, before = opts.before, every = opts.every,
    history = opts.history, inputs = {}, steps = 0, alpha = 0, -- then private:
    time = 0, ring = {}, reach = 0, stepOfState = setmetatable({}, { __mode = "k" }), now = {},
    given = {}, held = {}, pressed = {}, lines = {}, stepOf = {} }
  if p.history > 0 and not (game.save and game.load) then
    arguments.refuse(call, 2, "option 'history' needs save and load of the game")
  end
  for i, name in ipairs(opts.inputs) do
    p.inputs[i], p.now[name], p.held[name], p.pressed[name] = name, false, false, false
  end
  note(p, hashLine(p))
  return setmetatable(p, Play)
end

--- Plays a game from its present state on. It has step(game, dt, input), and may have hash(game) ->
-- string, save(game, slot?) -> slot and load(game, slot). opts: as in
-- types/library/broadside/play.lua. All inputs are false at first.
function play.new(game, opts)
  checkGame(game, "new")
  return begin(game, opts, "new")
end

-- Raises an error about a hash, with what there is in this step.
local function raiseAbout(p)
  local down = {}
  for _, name in ipairs(p.inputs) do
    down[#down + 1] = p.now[name] and name .. " " .. record.show(p.now[name]) or nil
  end
  local hasWorld, text = pcall(function() return "\n" .. picture.draw(p.game.world) end)
  arguments.raise(("the hash after step %d is %s; inputs: %s%s"):format(p.steps,
    p.game.hash and "not that of the record" or "unknown: the game has no hash(game)",
    #down > 0 and table.concat(down, ", ") or "none", hasWorld and text or ""))
end

-- Checks the self of a method, and its first argument if that is known.
local function checkCall(p, call, expected, value)
  if getmetatable(p) ~= Play then arguments.refuseSelf(p, call, "play") end
  arguments.check(not expected or isA(value, expected), call, 1, expected, value)
end

local function checkInput(p, call, name)
  checkCall(p, call)
  if p.held[name] == nil then
    local known = #p.inputs > 0 and table.concat(p.inputs, ", ") or "none"
    arguments.refuse(call, 1, ("unknown input %s; known: %s"):format(arguments.describe(name),
      known))
  end
end

--- Sets an input to a boolean or a number, from the next step on.
function Play:set(name, value)
  checkInput(self, "set", name)
  local isRight = isA(value, "boolean") or isA(value, "finite number")
  arguments.check(isRight, "set", 2, "boolean or finite number", value)
  self.held[name] = type(value) == "number" and value + 0.0 or value
end

--- Sets an input to true in the next step alone.
function Play:press(name)
  checkInput(self, "press", name)
  self.pressed[name] = true
end

local function step(p)
  if p.before then p.before(p) end -- first: if it fails, there is no step
  if p.history > 0 then ring.keep(p) end
  p.steps = p.steps + 1 -- so that the record has the step in which a game fails
  for i = 1, #p.inputs do
    local name = p.inputs[i]
    local value = p.pressed[name] or p.held[name]
    if value ~= p.now[name] then
      note(p, ("%d %s %s\n"):format(p.steps, name, record.show(value)))
    end
    p.now[name], p.given[name], p.pressed[name] = value, value, false
  end
  p.game.step(p.game, p.dt, p.given) -- a copy: the game may write into it
  if p.steps % p.every == 0 then note(p, hashLine(p)) end
end

function Play:run(steps)
  checkCall(self, "run", "integer >= 0", steps)
  for _ = 1, steps do
    step(self)
  end
end

--- Plays until f(game) is true after a step. Returns how many steps that took, or nil if it is true
-- after none of `most` (600).
function Play:runUntil(f, most)
  checkCall(self, "runUntil", "function", f)
  arguments.check(most == nil or isA(most, "integer >= 0"), "runUntil", 2, "integer >= 0", most)
  for steps = 1, most or 600 do
    step(self)
    if f(self.game) then return steps end
  end
  return nil
end

--- For love.update: plays as many whole steps as dt holds, at most 8; goes back as many if it is
-- negative. Returns how many. alpha is then the part of a step that is left, for drawing between
-- the last two states.
function Play:update(dt)
  checkCall(self, "update", "finite number", dt)
  local time = self.time + dt
  local steps = math.floor(time / self.dt + 1e-9)
  local back = steps < 0 and self:rewind(math.min(-steps, MOST)) or 0
  self.time = math.abs(steps) <= MOST and math.max(time - steps * self.dt, 0) or 0
  self.alpha, steps = self.time / self.dt, math.max(0, math.min(steps, MOST))
  self:run(steps)
  return steps - back
end

--- Goes back, as far as history reaches. Inputs are those of that time. Returns how many steps.
function Play:rewind(steps)
  checkCall(self, "rewind", "integer >= 0", steps)
  if self.history == 0 then
    arguments.raise("cannot go back: play.new was called without the option 'history'")
  end
  return ring.goBack(self, math.min(steps, self.reach))
end

--- The record as text: what the inputs were from the start until now, and hashes.
function Play:record()
  checkCall(self, "record")
  local last = self.steps % self.every ~= 0 and hashLine(self) or ""
  local body = table.concat(self.lines) .. last
  return record.write(self.dt, self.every, self.inputs, body, self.steps)
end

local function runTo(p, last, f)
  while p.steps < last do
    step(p)
    if f then f(p.game, p.steps) end
  end
end

-- Plays up to a line of a record, and obeys it. Returns whether it makes sense.
local function obey(p, line, last, f)
  local number, name, shown = line:match("^(%d+) (%S+) (%S+)\n$")
  number = tonumber(number) or -1
  if number < p.steps or number > last then
    return false
  elseif name == "#" then
    runTo(p, number, f)
    return hashLine(p) == line or raiseAbout(p)
  end
  local value = record.value(shown)
  if number == p.steps or p.held[name] == nil or value == nil then return false end
  runTo(p, number - 1, f)
  p.held[name] = value
  return true
end

--- Plays a record on a game in its start state. Calls f(game, step) after each step. Raises an
-- error at the first hash that differs. Returns the play, which may go on.
function play.replay(game, text, f)
  checkGame(game, "replay")
  arguments.check(type(text) == "string", "replay", 2, "string", text)
  arguments.check(f == nil or type(f) == "function", "replay", 3, "function", f)
  local opts, body, steps = record.read(text)
  if not opts then arguments.refuse("replay", 2, body) end
  local p = begin(game, opts, "replay")
  for line in body:gmatch("[^\n]*\n") do
    if not obey(p, line, steps, f) then
      arguments.refuse("replay", 2, "damaged record: line " .. arguments.describe(line:sub(1, -2)))
    end
  end
  runTo(p, steps, f)
  return p
end

return play
