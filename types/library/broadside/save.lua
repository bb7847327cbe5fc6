---@meta broadside.save

-- In 2D and in 3D.

---Saves games: tables as strings, and a whole game as a slot, a string or a hash.
---@class broadside.save
local save = {}

---The parts of a game. Lists are read anew at each call.
---@class broadside.GameParts
---@field world? broadside.World|broadside.WorldOfIds|broadside.WorldOfData with data that is a number, a boolean or a string
---@field walkers? table[] walkers of all kinds
---@field maps? broadside.Map[]
---@field pools? broadside.Pool[]
---@field fields? table all else: numbers, booleans, strings, and tables of these
---@field data? fun(box: broadside.Box): any the data of a loaded box that had a table as its data

---What saves a game and loads it.
---@class broadside.Saver
local Saver = {}

---A table as a string. Raises an error about functions, Boxes, and tables that contain themselves.
---@param t table
---@return string text
function save.pack(t) end

---The table of a string from anywhere. Raises an error if it is damaged.
---@param text string
---@return table t
function save.unpack(text) end

---Makes what saves a game and loads it.
---@param parts broadside.GameParts
---@return broadside.Saver saver
function save.new(parts) end

---The state of the game, to go back in this process.
---@param slot? table which is overwritten
---@return table slot
function Saver:save(slot) end

---Goes back to a state. Raises an error, and changes nothing, if it is damaged or of another game.
---@param slot table|string
function Saver:load(slot) end

---The state of the game as a string, for a file or the network.
---@return string text
function Saver:getString() end

---16 hexadecimal digits that differ if anything differs besides the data of boxes.
---@return string hash
function Saver:getHash() end

return save
