-- Compares broadside.bump with recorded answers of bump.lua 3.1.7, to the last digit.
-- tools/record_bump.lua has written checksums of them to spec/data/bump_answers.txt. What bump.lua
-- itself answers is told by bump_oracle_spec.lua.

local bump = require("broadside.bump")
local bumpAnswers = require("spec.support.bump_answers")
local bumpCalls = require("spec.support.bump_calls")

-- Returns a list of records: { name = that of the world, four digits for each call }.
local function readRecords()
  local records = {}
  for line in io.lines("spec/data/bump_answers.txt") do
    if line:find("^seed") then
      records[#records + 1] = { name = line }
    elseif line:sub(1, 1) ~= "#" then
      for digits in line:gmatch("....") do
        table.insert(records[#records], digits)
      end
    end
  end
  return records
end

local function expectSame(record, rows)
  local ours = bumpAnswers.digits(rows)
  for i = 1, math.max(#record, #rows) do
    if record[i] ~= ours[i] then
      local row = rows[i] or { call = "a call too few", full = "" }
      error(("%s: bump.lua gave another answer to call %d, %s\nours: %s"):format(record.name, i,
        row.call, row.full), 0)
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
