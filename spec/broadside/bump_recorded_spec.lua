-- Compares broadside.bump with recorded answers of bump.lua 3.1.7, to the last digit.
-- tools/record_bump.lua has written checksums of them to files in spec/data: one of the file on
-- bump.lua's branch master, one of the tag v3.1.7. What bump.lua itself answers is told by
-- bump_oracle_spec.lua.

local bump = require("broadside.bump")
local bumpAnswers = require("spec.support.bump_answers")
local bumpCalls = require("spec.support.bump_calls")

-- Returns a list of records: { name = that of the world, four digits for each call }.
local function readRecords(path)
  local records = {}
  for line in io.lines(path) do
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

local function countCalls(records)
  local count = 0
  for _, record in ipairs(records) do
    count = count + #record
  end
  return count
end

describe("broadside.bump answers as bump.lua did", function()
  local master, tag = readRecords("spec/data/bump_answers.txt"),
    readRecords("spec/data/bump_answers_tag.txt")

  it("to thousands of calls", function()
    assert.is_true(countCalls(master) > 4000)
    assert.is_true(countCalls(tag) > 1000)
  end)

  for seed, record in ipairs(master) do
    it(("in world %d"):format(seed), function()
      local rows, name = bumpCalls.run(bump, seed)
      assert.equal(record.name, name)
      expectSame(record, rows)
    end)
  end

  for seed, record in ipairs(tag) do
    it(("with its older slide in world %d"):format(seed), function()
      local rows, name = bumpCalls.run(bump, seed, { slide = "3.1.7" })
      assert.equal(record.name, name)
      expectSame(record, rows)
    end)
  end

  it("with another slide in some of these worlds", function()
    local count = 0
    for seed, record in ipairs(tag) do
      count = count + (pcall(expectSame, record, (bumpCalls.run(bump, seed))) and 0 or 1)
    end
    assert.is_true(count > #tag / 4)
  end)
end)
