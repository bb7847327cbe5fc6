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

-- Calls f(path) for all files below the folder.
local function eachFile(folder, f)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if lfs.attributes(path, "mode") == "file" then
      f(path)
    elseif not name:find("^%.") then
      eachFile(path, f)
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
    for _, method in ipairs(properties.methods) do
      for _, name in ipairs({ method.getter, method.setter }) do
        local found = {}
        for _, folder in ipairs({ "include", "src", "tools", "types" }) do
          eachFile(folder, function(path)
            found[path] = hasWord(read(path), name) or nil
          end)
        end
        for path in pairs(found) do
          assert.is_true(files[path] ~= nil, path .. " names " .. name)
        end
        for path in pairs(files) do
          local isOfCalls = path:find("^doc") or path:find("^types") or path:find("conduct")
          assert.is_true(not isOfCalls or hasWord(read(path), name), path .. " lacks " .. name)
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
