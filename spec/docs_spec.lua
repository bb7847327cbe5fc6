-- The pages for people: links lead somewhere, and examples print what is said below them.

local annotations = require("tools.annotations")
local broadside = require("broadside")
local lfs = require("lfs")
local page = require("spec.support.page")

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

    for _, block in ipairs(page.blocks(path)) do
      if #block.printed > 0 then
        it(("print what they say: %s:%d"):format(path, block.line), function()
          local printed, said = page.runBlock(block)
          assert.equal(said, printed)
        end)
      end
    end
  end
end)

describe("doc/calls.md", function()
  -- The lines behind `-->`, in order.
  local function readPrinted(code)
    local printed = {}
    for text in code:gmatch("%-%->%s*([^\n]*)") do
      table.insert(printed, text)
    end
    return printed
  end

  for _, block in ipairs(page.blocks("doc/calls.md")) do
    it("prints what it says: line " .. block.line, function()
      block.printed = readPrinted(block.code)
      local printed, said = page.runBlock(block, {
        broadside = broadside,
        world = broadside.newWorld(),
        pool = broadside.newPool({ capacity = 100, w = 2, h = 2 }),
      })
      assert.equal(said, printed)
    end)
  end

  it("has an example of each call, and of nothing else", function()
    local there, expected = {}, {}
    for line in io.lines("doc/calls.md") do
      for call in (line:match("^### (.*)") or ""):gmatch("[%w.:]+") do
        assert.is_nil(there[call], call .. " is there twice")
        there[call] = true
      end
    end
    for _, block in ipairs(annotations.readAll()) do
      local class = (block.owner or ""):match("^broadside%.(%u.*)$")
      if block.name and not block.owner:find("Bump") then
        local handle = class and class:gsub("3$", ""):gsub("^Pool(%u)", "%1"):lower()
        local call = handle and handle .. ":" .. block.name or block.owner .. "." .. block.name
        expected[call:gsub("3$", "")] = true
      end
    end
    for call in pairs(expected) do
      assert.is_true(there[call], "doc/calls.md needs an example of " .. call)
    end
    for call in pairs(there) do
      assert.is_true(expected[call], "there is no " .. call)
    end
  end)
end)
