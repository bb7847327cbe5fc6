-- doc/mistakes.md: each mistake must raise the message that the page says.

local broadside = require("broadside")
local compat = require("spec.support.compat")

local PAGE = "doc/mistakes.md"

-- Rows of a heading, the code below it, and the message.
local function readMistakes()
  local file = assert(io.open(PAGE))
  local text = file:read("*a")
  file:close()
  local rows = {}
  local pattern = "\n### ([^\n]+)\n\n```lua\n(.-)```\n\nraises\n\n    ([^\n]+)\n"
  for heading, code, message in text:gmatch(pattern) do
    table.insert(rows, { heading = heading, code = code, message = message })
  end
  local _, headings = text:gsub("\n### ", "")
  assert(#rows == headings, "a heading without code or message")
  return rows
end

describe(PAGE, function()
  local rows = readMistakes()

  it("has its mistakes", function()
    assert.equal(21, #rows)
  end)

  for _, row in ipairs(rows) do
    it("says what is said to: " .. row.heading, function()
      local world = broadside.newWorld()
      local env = setmetatable({ broadside = broadside, world = world,
        box = world:insert(0, 0, 10, 10) }, { __index = _G, __newindex = error })
      local isRight, message = pcall(compat.loadIn(row.code, env))
      assert.is_false(isRight)
      assert.equal(row.message, (message:gsub("^.-:%d+: ", "")))
    end)
  end
end)
