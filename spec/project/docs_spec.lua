-- The documentation: links must have a target, and examples must print what the comments below them
-- say.

local annotations = require("tools.annotations")
local htmlPages = require("tools.docs.pages")
local lfs = require("lfs")
local page = require("spec.support.page")
local pictures = require("tools.concept_pictures")

local function readLines(path)
  local lines = {}
  for line in io.lines(path) do
    lines[#lines + 1] = line
  end
  return lines
end

local function pages()
  return page.list({ ".", "doc", "bench", "examples" })
end

-- Pages of the guide, and those that are deeper in the examples.
local function allPages()
  local paths = pages()
  for _, path in ipairs({ "examples/area/README.md", "examples/area/skynet/README.md" }) do
    paths[#paths + 1] = path
  end
  return paths
end

-- The anchors that GitHub makes for the headings of a page.
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

-- The endings of file names that are checked. A named path is right if a file's path ends with it.
local KINDS = { c = true, h = true, lua = true, mk = true, sh = true, md = true }
-- Files of other projects, files of a game that a page describes, and files that are built.
local ELSEWHERE = {
  ["game.lua"] = true, ["game_spec.lua"] = true, ["cave.lua"] = true,
  ["map1.lua"] = true, ["kikito/bump.lua"] = true, ["rocks.lua"] = true, ["json.lua"] = true,
}

-- Patterns for lines with a comment.
local COMMENTS = { lua = "%-%-(.*)$", mk = "#(.*)$", c = "^%s*/?%*(.*)$", h = "^%s*/?%*(.*)$" }

local function addFiles(folder, found)
  for name in lfs.dir(folder) do
    local path = folder == "." and name or folder .. "/" .. name
    local mode = not name:find("^%.") and name ~= "build" and lfs.attributes(path, "mode")
    if mode == "directory" then
      addFiles(path, found)
    elseif mode == "file" then
      found[#found + 1] = path
    end
  end
  return found
end

-- All ends of paths: c, b/c and a/b/c for a/b/c.
local function endsOf(paths)
  local ends = {}
  for _, path in ipairs(paths) do
    local rest = path
    while rest do
      ends[rest] = true
      rest = rest:match("^[^/]*/(.*)$")
    end
  end
  return ends
end

local function eachName(line, check)
  line = line:gsub("%a+://%S+", "")
  for name, kind in line:gmatch("([%w_./-]+)%.(%l+)%f[^%w_.-]") do
    if KINDS[kind] and name:find("^%w") and not name:find("^path/") then
      check(name .. "." .. kind)
    end
  end
end

describe("files that are named", function()
  local files = addFiles(".", {})
  local ends = endsOf(files)
  local function check(where, name)
    assert.is_true(ends[name] or ELSEWHERE[name:match("[^/]*$")] or ELSEWHERE[name] or false,
      where .. " names " .. name)
  end

  it("in pages are there", function()
    for _, path in ipairs(allPages()) do
      for number, line in ipairs(readLines(path)) do
        eachName(line, function(name) check(path .. ":" .. number, name) end)
      end
    end
  end)

  it("in comments are there", function()
    for _, path in ipairs(files) do
      local kind = path:match("%.(%l+)$")
      local comment = COMMENTS[kind]
      for number, line in ipairs(comment and readLines(path) or {}) do
        eachName(line:match(comment) or "", function(name) check(path .. ":" .. number, name) end)
      end
    end
  end)
end)

describe("the pages", function()
  for _, path in ipairs(allPages()) do
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
          local printed, said = page.runBlock(block, page.newSetting())
          assert.equal(said, printed)
        end)
      end
    end
  end
end)

-- The paragraphs of a page without tables, code and headings: { text =, words =, n = }.
local function paragraphsOf(path)
  local list = {}
  local text = "\n" .. table.concat(readLines(path), "\n") .. "\n\n"
  for paragraph in text:gsub("\n```.-\n```", "\n"):gmatch("\n*(.-)\n\n") do
    local words, n = {}, 0
    local said = paragraph:find("^[|#<%s]") and "" or paragraph:gsub("`[^`]*`", "")
    for word in said:lower():gmatch("%a%a%a+") do
      n = n + (words[word] and 0 or 1)
      words[word] = true
    end
    table.insert(list, { text = paragraph, words = words, n = n })
  end
  return list
end

describe("a paragraph", function()
  -- The share of the words of both that both have. Short ones are not compared.
  local function likeness(a, b)
    local both = 0
    for word in pairs(a.words) do
      both = both + (b.words[word] and 1 or 0)
    end
    return math.min(a.n, b.n) < 14 and 0 or both / (a.n + b.n - both)
  end

  it("does not stand twice on a page, in other words", function()
    for _, path in ipairs(pages()) do
      local list = paragraphsOf(path)
      for i = 1, #list do
        for k = 1, i - 1 do
          assert.is_true(likeness(list[k], list[i]) < 0.4,
            path .. ":\n" .. list[k].text .. "\n" .. list[i].text)
        end
      end
    end
  end)
end)

describe("the lists of pages", function()
  it("in the README and in the HTML pages are the same", function()
    local links = {}
    for _, link in ipairs(linksOf("README.md")) do
      links[link.target] = true
    end
    local sources = { ["README.md"] = true }
    for _, guide in ipairs(htmlPages.guides) do
      sources[guide[2]] = true
    end
    for _, path in ipairs(pages()) do
      assert.is_true(sources[path] or false, "tools/docs/pages.lua lacks " .. path)
      assert.is_true(path == "README.md" or links[path] or false, "the README lacks " .. path)
    end
  end)

  it("leave the README at most 110 lines", function()
    assert.is_true(#readLines("README.md") <= 110)
  end)
end)

describe("the pictures of concepts", function()
  it("are as they are drawn today, and each is shown", function()
    local shown = {}
    for _, path in ipairs(pages()) do
      for _, link in ipairs(linksOf(path)) do
        shown[link.target] = true
      end
    end
    for _, name in ipairs(pictures.names) do
      local path = "pictures/" .. name .. ".svg"
      local file = assert(io.open("doc/" .. path, "rb"))
      assert.equal(pictures.draw(name), file:read("*a"), path .. ": make drawings")
      file:close()
      assert.is_true(shown[path], path)
    end
  end)
end)

describe("doc/api.md", function()
  it("has an example of each call, and of nothing else", function()
    local there, expected = {}, {}
    for line in io.lines("doc/api.md") do
      for call in (line:match("^### (.*)") or ""):gmatch("%l[%w.]*[.:]%w+") do
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
      assert.is_true(there[call], "doc/api.md needs an example of " .. call)
    end
    for call in pairs(there) do
      assert.is_true(expected[call], "there is no " .. call)
    end
  end)
end)
