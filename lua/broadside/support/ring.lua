-- The ring of states that a play goes back to: see play.lua. It holds the state before each of the
-- last steps, at most `history` of them; `reach` says how many.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")

local ring = {}

local function copyInputs(names, from, to)
  for i = 1, #names do
    local name = names[i]
    to.now[name], to.held[name] = from.now[name], from.held[name]
    to.pressed[name] = from.pressed[name]
  end
end

-- Notes which step a slot is of. A game whose `save` ignores its argument may return one slot for
-- several steps, and would go back to the last of them.
local function checkSlot(p, slot)
  arguments.checkResult(slot ~= nil, "save", "a slot", "nil")
  if type(slot) == "table" then
    local age = p.steps - (p.stepOfState[slot] or p.steps)
    local isOld = age > 0 and age <= p.reach and age < p.history
    arguments.checkResult(not isOld, "save", "the slot that it is given, or a new one",
      "that of an earlier step")
    p.stepOfState[slot] = p.steps
  end
end

--- Keeps the state before a step.
function ring.keep(p)
  local at = p.steps % p.history + 1
  local kept = p.ring[at] or { now = {}, held = {}, pressed = {} }
  local slot = p.game.save(p.game, kept.slot)
  checkSlot(p, slot)
  kept.slot = slot
  copyInputs(p.inputs, p, kept)
  p.ring[at], p.reach = kept, math.min(p.reach + 1, p.history)
end

--- Goes back some steps, at most `reach`. Returns how many.
function ring.goBack(p, steps)
  if steps > 0 then
    local kept, lines = p.ring[(p.steps - steps) % p.history + 1], p.lines
    p.game.load(p.game, kept.slot) -- first, as it may fail
    p.steps, p.reach = p.steps - steps, p.reach - steps
    copyInputs(p.inputs, kept, p)
    while #lines > 0 and p.stepOf[#lines] > p.steps do
      lines[#lines], p.stepOf[#lines] = nil, nil
    end
  end
  return steps
end

return ring
