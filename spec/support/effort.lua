-- Limits the work of a call, counted in Lua's instructions. The count is the same on any machine,
-- however busy it is. A call that would not end raises an error.

local compat = require("spec.support.compat")

local effort = {}

-- The number of instructions between two checks.
local STEP = 1000

-- Calls f with its arguments, and returns its results. Raises an error if that takes more than
-- `most` instructions.
function effort.limit(most, f, ...)
  local jit, n = rawget(_G, "jit"), 0
  local hook, mask, count = debug.gethook()
  if jit then
    jit.off() -- compiled code is not counted
  end
  debug.sethook(function()
    n = n + STEP
    if n > most then
      error(("more than %d instructions"):format(most), 0)
    end
  end, "", STEP)
  local results = compat.pack(pcall(f, ...))
  debug.sethook(hook, mask, count)
  if jit then
    jit.on()
  end
  if not results[1] then
    error(results[2], 0)
  end
  return compat.unpack(results, 2, results.n)
end

return effort
