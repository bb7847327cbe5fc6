-- Each thing has one name in the pages, the annotations and the sources: words that had been used
-- for it besides must not come back.

local lfs = require("lfs")
local page = require("spec.support.page")

-- A pattern of lower-case text, and what to say instead.
local GONE = {
  { "%f[%a]faces?%f[%A]", "side" },
  { "%f[%a]questions?%f[%A]", "query" },
  { "%f[%a]told of%f[%A]", "reported" },
  { "%f[%a.]knobs?%f[^%a.]", "option" },
  { "first contact%f[%A]", "first hit" },
  { "contact's impulse", "a hit's impulse" },
  { "a contact gives", "a hit gives" },
  { "the box of a box", "the handle of a box" },
  { "meets? on that way", "hits in that motion" },
}

-- The same for pages alone: sources have other readers.
local IN_PAGES = {
  { "%f[%a]knights?%f[%A]", "hero" },
  { "%f[%a]planks?%f[%A]", "one-way box" },
  { "%f[%a]whoever%f[%A]", "the thing that it is" },
}

-- The same for files about tile maps: elsewhere a number has a sign.
local SYMBOL = { { "%f[%a]signs?%f[%A]", "symbol" } }
local MAPS = { "doc/tiles.md", "doc/tiled.md", "doc/ldtk.md", "doc/tutorial.md", "doc/topdown.md",
  "lua/broadside/maps/chunks.lua", "lua/broadside/maps/flood.lua", "lua/broadside/maps/history.lua",
  "lua/broadside/ldtk.lua", "lua/broadside/maps/level.lua", "lua/broadside/maps/map.lua",
  "lua/broadside/maps/rules.lua", "lua/broadside/tiled.lua", "lua/broadside/tiles.lua",
  "types/library/broadside/ldtk.lua", "types/library/broadside/tiled.lua",
  "types/library/broadside/tiles.lua" }

local read = page.read

-- All files of a folder and its folders whose names end so.
local function add(found, folder, ending)
  for name in lfs.dir(folder) do
    local path = folder == "." and name or folder .. "/" .. name
    if not name:find("^%.") and lfs.attributes(path, "mode") == "directory" then
      if folder ~= "." then
        add(found, path, ending)
      end
    elseif path:find(ending .. "$") then
      table.insert(found, path)
    end
  end
  return found
end

local function check(path, text, gone)
  text = text:lower():gsub("%s+", " ")
  for _, row in ipairs(gone or GONE) do
    local place = text:find(row[1])
    assert.is_nil(place, place and ("%s: ...%s...: say %s"):format(path,
      text:sub(math.max(1, place - 30), place + 40), row[2]))
  end
end

describe("words that went", function()
  it("are in no page", function()
    for _, folder in ipairs({ ".", "doc", "examples", "bench" }) do
      for _, path in ipairs(add({}, folder, "%.md")) do
        check(path, read(path))
        check(path, read(path), IN_PAGES)
      end
    end
  end)

  it("are in no annotation", function()
    for _, path in ipairs(add({}, "types", "%.lua")) do
      check(path, read(path))
    end
  end)

  it("are in no source or header in C", function()
    for _, folder in ipairs({ "include", "src" }) do
      for _, path in ipairs(add({}, folder, "%.[ch]")) do
        check(path, read(path))
      end
    end
  end)

  it("are in no module", function()
    for _, path in ipairs(add({}, "lua", "%.lua")) do
      check(path, read(path))
    end
  end)

  it("for a symbol are in no file about tile maps", function()
    for _, path in ipairs(MAPS) do
      check(path, read(path), SYMBOL)
    end
  end)
end)
