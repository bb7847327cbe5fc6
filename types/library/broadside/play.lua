---@meta broadside.play

-- In 2D and in 3D; pictures are of 2D worlds.

---Plays a game without a window, or in one: fixed steps, inputs by name, records and their replays.
---@class broadside.play
local play = {}

---A game that can be played. It needs step alone.
---@class broadside.PlayedGame
---@field step fun(game: table, dt: number, input: table) plays one step; input has a value for each name
---@field save? fun(game: table, slot?: any): any the state, in a slot that is used again; for rewind
---@field load? fun(game: table, slot: any) goes back to a state
---@field hash? fun(game: table): string differs if the states differ; for records

---How a game is played.
---@class broadside.PlaySetup
---@field dt? number seconds in a step; 1 / 60, if it is left out
---@field inputs? string[] the names of inputs, without blanks, each once
---@field before? fun(p: broadside.Play) called before each step: a robot or a network that sets inputs
---@field history? integer how many steps rewind can go back; 0, if it is left out
---@field every? integer steps between the hashes in a record; 60, if it is left out

---How a world is drawn as text.
---@class broadside.PictureLook
---@field columns? integer 80, if it is left out
---@field rows? integer 24, if it is left out
---@field view? number[] {x, y, w, h}; all boxes, if it is left out
---@field sign? fun(box: broadside.Box): string? the character of a box; nil: that of its kind, "": none

---A game while it is played.
---@class broadside.Play
---@field game broadside.PlayedGame
---@field steps integer how many steps have been played
---@field alpha number after update the part of a step that is left, 0 to 1, for drawing between the last two states
local Play = {}

---Plays a game from its present state on.
---@param game broadside.PlayedGame
---@param opts? broadside.PlaySetup
---@return broadside.Play play
function play.new(game, opts) end

---Plays a record on a game in its start state. Raises an error at the first hash that differs.
---@param game broadside.PlayedGame
---@param text string what record returned
---@param f? fun(game: table, step: integer) called after each step
---@return broadside.Play play which may go on
function play.replay(game, text, f) end

---A world as lines of text: # static, = one-way, . sensors, @ other dynamic boxes.
---@param world broadside.World|broadside.WorldOfIds|broadside.WorldOfData
---@param opts? broadside.PictureLook
---@return string text
function play.picture(world, opts) end

---Adds no_overlap(world), at(box, x, y, within?) and on_floor(walker) to the assert of busted.
---@param assert table
function play.assertions(assert) end

---Sets an input from the next step on.
---@param name string
---@param value boolean|number
function Play:set(name, value) end

---Sets an input to true in the next step alone.
---@param name string
function Play:press(name) end

---Plays steps.
---@param steps integer
function Play:run(steps) end

---Plays until f is true after a step.
---@param f fun(game: table): any
---@param most? integer 600, if nil
---@return integer? steps how many that took; nil: it has not been true
function Play:runUntil(f, most) end

---Plays as many whole steps as dt holds, at most 8; goes back as many if dt is negative.
---@param dt number
---@return integer steps how many; negative: back
function Play:update(dt) end

---Goes back, as far as history reaches. Inputs are those of that time.
---@param steps integer
---@return integer steps how many
function Play:rewind(steps) end

---The inputs from the start until now, and hashes, as text.
---@return string text
function Play:record() end

return play
