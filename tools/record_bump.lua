-- Records bump.lua's answers to random calls. bump_recorded_spec.lua makes the same calls to
-- broadside.bump, and compares. Run this in the folder of the sources, under any Lua, when the
-- calls in spec/support/bump_calls.lua have changed:
--
--     lua5.4 tools/record_bump.lua path/bump.lua > spec/data/bump_answers.txt
--     lua5.4 tools/record_bump.lua path/bump.lua 20 > spec/data/bump_answers_tag.txt
--
-- The number is that of seeds (60). bump.lua (MIT) is not part of this project. The first record is
-- of the branch master of https://github.com/kikito/bump.lua, the second one of the tag v3.1.7,
-- whose slide is older. BUMP_LUA in the environment can name the file instead.
--
-- bump_calls.lua says which calls are never made, because broadside.bump differs there on purpose.

package.path = "./?.lua;" .. package.path

local bumpAnswers = require("spec.support.bump_answers")
local bumpCalls = require("spec.support.bump_calls")
local original = require("spec.support.bump_original")

local path = arg[1] or os.getenv("BUMP_LUA")
local seeds = tonumber(arg[2] or 60)
if not path or not seeds then
  io.stderr:write("usage: lua tools/record_bump.lua path/bump.lua [number of seeds]\n")
  os.exit(2)
end

local library = original.load(path)
io.write("# Checksums of bump.lua 3.1.7's answers to random calls, by tools/record_bump.lua.\n")
for seed = 1, seeds do
  local rows, name = bumpCalls.run(library, seed)
  local digits = bumpAnswers.digits(rows)
  io.write(name, "\n")
  for i = 1, #digits, 25 do
    io.write(table.concat(digits, "", i, math.min(i + 24, #digits)), "\n")
  end
end
