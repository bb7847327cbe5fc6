-- A property of boxes is one row of include/broadside/conduct.h, and its place in the documents:
-- CONTRIBUTING.md lists the files.

local lfs = require("lfs")
local properties = require("spec.support.properties")

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

local IS_TEXT = { c = true, h = true, lua = true, md = true, sh = true }

-- Reads all such files below the folder: texts[path].
local function readAll(folder, texts)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if lfs.attributes(path, "mode") == "directory" then
      if not name:find("^%.") then
        readAll(path, texts)
      end
    elseif IS_TEXT[name:match("%.(%l+)$")] then
      texts[path] = read(path)
    end
  end
end

local function hasWord(text, word)
  return text:find("%f[%w_]" .. word .. "%f[^%w_]") ~= nil
end

-- The files that CONTRIBUTING.md lists.
local function listed()
  local files = {}
  local section = read("CONTRIBUTING.md"):match("\n## To add a property of boxes\n(.-)\n\nSpecs")
  for cell in section:gmatch("\n| ([^|]*) |") do
    for path in cell:gmatch("[%w_./]+%.%w+") do
      files[path] = true
    end
  end
  return files
end

describe("the methods of a property", function()
  it("are named in the files that CONTRIBUTING.md lists, and in no other ones", function()
    local files = listed()
    assert.is_true(files["include/broadside/conduct.h"] and files["CHANGELOG.md"])
    local texts = {}
    for _, folder in ipairs({ "include", "src", "tools", "types", "doc" }) do
      readAll(folder, texts)
    end
    for _, method in ipairs(properties.methods) do
      for path, text in pairs(texts) do
        local isListed, isCode = files[path] ~= nil, not path:find("^doc/")
        for _, name in ipairs({ method.getter, method.setter }) do
          if isListed ~= hasWord(text, name) then
            assert.is_false(isListed, path .. " lacks " .. name)
            assert.is_false(isCode, path .. " names " .. name)
          end
        end
      end
    end
  end)

  it("are options of insert in the documents", function()
    local row = read("doc/api.md"):match("\n| `world:insert%(x, y, w, h, opts%?%)` |[^\n]*")
    for _, option in ipairs(properties.options) do
      assert.truthy(row:find("`" .. option.option .. "`", 1, true), option.option)
    end
  end)
end)
