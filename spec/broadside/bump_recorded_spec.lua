-- Compares broadside.bump with recorded answers of bump.lua 3.1.7, to the last digit.
-- tools/record_bump.lua has written them to spec/data/bump_answers.txt.

local bump = require("broadside.bump")
local bumpAnswers = require("spec.support.bump_answers")
local bumpCalls = require("spec.support.bump_calls")

-- Returns lists of lines by the name of their world.
local function readRecords()
  local records, record = {}, nil
  for line in io.lines("spec/data/bump_answers.txt") do
    if line == "" then
      record = nil
    elseif record then
      record[#record + 1] = line
    elseif line:sub(1, 1) ~= "#" then
      record = { name = line }
      records[#records + 1] = record
    end
  end
  return records
end

local function expectSame(record, rows)
  for i = 1, math.max(#record, #rows) do
    local row = rows[i] or { call = "a call too few", full = "" }
    local ours = rows[i] and bumpAnswers.record(row)
    if record[i] ~= ours then
      error(("%s: call %d, %s\nbump.lua: %s\nours:     %s\nin full:  %s"):format(record.name, i,
        row.call, tostring(record[i]), tostring(ours), row.full), 0)
    end
  end
end

describe("broadside.bump answers as bump.lua did", function()
  local records = readRecords()

  it("to thousands of calls", function()
    local count = 0
    for _, record in ipairs(records) do
      count = count + #record
    end
    assert.is_true(count > 4000, count)
  end)

  for seed, record in ipairs(records) do
    it(("in world %d"):format(seed), function()
      local rows, name = bumpCalls.run(bump, seed)
      assert.equal(record.name, name)
      expectSame(record, rows)
    end)
  end
end)
