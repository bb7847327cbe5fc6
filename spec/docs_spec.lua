-- The pages for people: links lead somewhere, and examples print what is said below them.

local compat = require("spec.support.compat")
local lfs = require("lfs")

local function readLines(path)
  local lines = {}
  for line in io.lines(path) do
    lines[#lines + 1] = line
  end
  return lines
end

local function pages()
  local paths = {}
  for _, folder in ipairs({ ".", "doc", "bench", "examples" }) do
    for name in lfs.dir(folder) do
      if name:find("%.md$") then
        paths[#paths + 1] = folder == "." and name or folder .. "/" .. name
      end
    end
  end
  table.sort(paths)
  return paths
end

-- The names by which the headings of a page can be linked to, as GitHub makes them.
local function anchorsOf(path)
  local anchors, isCode = {}, false
  for _, line in ipairs(readLines(path)) do
    isCode = isCode ~= (line:find("^```") ~= nil)
    local heading = not isCode and line:match("^#+ (.*)")
    if heading then
      local anchor = heading:lower():gsub("[^%w%s_\128-\255-]", "")
      anchors[anchor:gsub(" ", "-")] = true
    end
  end
  return anchors
end

local function linksOf(path)
  local links, isCode = {}, false
  for number, line in ipairs(readLines(path)) do
    isCode = isCode ~= (line:find("^```") ~= nil)
    for target in (isCode and "" or line):gsub("`[^`]*`", ""):gmatch("%]%(([^)%s]+)%)") do
      if not target:find("^%a+:") then
        links[#links + 1] = { target = target, where = path .. ":" .. number }
      end
    end
  end
  return links
end

-- Blocks of code, each with what a block right behind the word "prints" says.
local function examplesOf(path)
  local examples, code, isPrinted, printed = {}, nil, false, nil
  for _, line in ipairs(readLines(path)) do
    if line == "```lua" then
      code = {}
    elseif line == "```" and code then
      examples[#examples + 1] = { code = table.concat(code, "\n"), printed = {} }
      code, isPrinted = nil, false
    elseif code then
      code[#code + 1] = line
    elseif line == "prints" then
      isPrinted, printed = true, examples[#examples].printed
    elseif isPrinted and line:find("^    ") then
      printed[#printed + 1] = line:sub(5)
    elseif line ~= "" then
      isPrinted = false
    end
  end
  return examples
end

-- Lua 5.3 and 5.4 print whole floats with a `.0` that others leave out; pages have blanks for tabs.
local function comparable(line)
  return (line:gsub("(%d)%.0%f[%D]", "%1"):gsub("%s+", " "))
end

local function run(code)
  local lines = {}
  local environment = setmetatable({
    print = function(...)
      local words = {}
      for i = 1, select("#", ...) do
        words[i] = tostring((select(i, ...)))
      end
      lines[#lines + 1] = comparable(table.concat(words, "\t"))
    end,
  }, { __index = _G })
  compat.loadIn(code, environment)()
  return lines
end

describe("the pages", function()
  for _, path in ipairs(pages()) do
    it("link to what is there: " .. path, function()
      local folder = path:match("^(.*/)") or ""
      for _, link in ipairs(linksOf(path)) do
        local file, anchor = link.target:match("^([^#]*)#?(.*)$")
        local target = file == "" and path or folder .. file
        assert.is_truthy(lfs.attributes(target), link.where .. " links to " .. link.target)
        if anchor ~= "" then
          assert.is_true(anchorsOf(target)[anchor], link.where .. " links to " .. link.target)
        end
      end
    end)

    for number, example in ipairs(examplesOf(path)) do
      if #example.printed > 0 then
        it(("print what they say: %s, example %d"):format(path, number), function()
          for i, line in ipairs(example.printed) do
            example.printed[i] = comparable(line)
          end
          assert.same(example.printed, run(example.code))
        end)
      end
    end
  end
end)
