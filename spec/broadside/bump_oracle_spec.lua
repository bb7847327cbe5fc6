-- Compares broadside.bump with bump.lua itself in random worlds. Every answer must be the same, to
-- the last digit. BUMP_LUA names the file of bump.lua. Without it this spec compares nothing, and
-- only bump_recorded_spec.lua, which makes the same calls, compares recorded answers.

local bump = require("broadside.bump")
local bumpCalls = require("spec.support.bump_calls")
local original = require("spec.support.bump_original")
local random = require("spec.support.random")

local source = os.getenv("BUMP_LUA")
if source == "" then
  source = nil
end

local function compare(library, opts, seed)
  local theirs, name = bumpCalls.run(library, seed)
  local ours = bumpCalls.run(bump, seed, opts)
  for i = 1, math.max(#theirs, #ours) do
    local a, b = theirs[i] or {}, ours[i] or {}
    if a.full ~= b.full then
      error(("%s: %s\nbump.lua: %s\nours:     %s"):format(name, b.call or a.call,
        tostring(a.full), tostring(b.full)), 0)
    end
  end
end

describe("broadside.bump answers as bump.lua does", function()
  it("to random calls in random worlds", function()
    if not source then
      pending("BUMP_LUA names no bump.lua")
      return
    end
    local library, opts = original.load(source)
    for _, seed in ipairs(random.seeds(400)) do
      compare(library, opts, seed)
    end
  end)
end)
