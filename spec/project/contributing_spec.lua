-- What CONTRIBUTING.md says of additions: in which files a property of boxes, a response, a shape,
-- a call, an option of the walker or of a map, and a module in Lua are.

local annotations = require("tools.annotations")
local broadside = require("broadside")
local calls = require("spec.support.calls")
local lfs = require("lfs")
local page = require("spec.support.page")
local properties = require("spec.support.properties")
local responses = require("tools.responses")
local walker = require("broadside.walker")

local read = page.read

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

-- The files that CONTRIBUTING.md lists for such an addition.
local function listed(addition)
  local files = {}
  local section = read("CONTRIBUTING.md"):match("\n## To add " .. addition .. "\n(.-|)\n\n")
  for cell in section:gmatch("\n| ([^|]*) |") do
    for path in cell:gmatch("[%w_./%-*]+%.%w+") do
      files[path] = not path:find("^src/") or nil
    end
  end
  return files
end

describe("the methods of a property", function()
  it("are named in the files that CONTRIBUTING.md lists, and in no other ones", function()
    local files = listed("a property of boxes")
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
    local row = read("doc/api.md"):match("\n%- `world:insert%(x, y, w, h, opts%?%)`.-\n\n")
    for _, option in ipairs(properties.options) do
      assert.truthy(row:find("`" .. option.option .. "`", 1, true), option.option)
    end
  end)
end)

describe("a response", function()
  it("is named in the files that CONTRIBUTING.md lists, and in no other code", function()
    local files, texts = listed("a response"), {}
    assert.is_true(files["include/broadside/conduct.h"] and files["doc/moving.md"])
    files["CHANGELOG.md"] = nil
    for path in pairs(files) do
      for _, row in ipairs(responses) do
        assert.is_true(hasWord(read(path), row.name), path .. " lacks " .. row.name)
      end
    end
    readAll("src", texts)
    readAll("include", texts)
    for _, row in ipairs(responses) do
      for path, text in pairs(texts) do
        local isListed = files[path] or (path == "src/lua/property_methods.c" and row.ofBodies)
        text = text:gsub('{"%w+", [%w_]+}', "") -- methods
        if path:find("%.c$") or path:find("%.h$") then
          assert.equal(isListed or false, text:find('"' .. row.name .. '\\?"') ~= nil, path)
        end
      end
    end
  end)
end)

describe("a shape", function()
  -- The narrow phase is listed as a folder.
  it("has its kind in the files that CONTRIBUTING.md lists, and in no other ones", function()
    local section = read("CONTRIBUTING.md"):match("\n## To add a shape\n(.-|)\n\n")
    local inTable, found, texts = {}, {}, {}
    for path in section:gmatch("[%w_./]+%.[ch]%f[^%w]") do
      inTable[path] = true
    end
    for _, folder in ipairs({ "include", "src" }) do
      readAll(folder, texts)
    end
    for path, text in pairs(texts) do
      local names = text:find("BS_CIRCLE") or text:find("BS_POLYGON") or text:find('"polygon"')
      found[path] = (names and not path:find("^src/narrow/")) and true or nil
    end
    assert.same(inTable, found)
    for path in section:gmatch("%f[%w]%l+/[%w/]+%.%l+") do
      if not inTable[path] then
        assert.is_true(hasWord(read(path), "polygon"), path)
      end
    end
  end)
end)

describe("a call", function()
  -- The names in the lists of methods and functions, each with its C function, and those in Lua
  -- that are made of these.
  local function namesInSource()
    local texts, names = {}, {}
    readAll("src/lua", texts)
    for _, text in pairs(texts) do
      for name in text:gmatch('{"(%w+)",%s+[%w_]+}') do
        names[name] = true
      end
    end
    for name in read("lua/broadside/support/pieces.lua"):gmatch("function own%.(%w+)") do
      names[name] = true
    end
    for name in read("lua/broadside/init.lua"):gmatch("broadside%.(%w+) = require") do
      names[name] = true
    end
    return names
  end

  it("is named in the files that CONTRIBUTING.md lists", function()
    local files, inSource, isProperty = listed("a call"), namesInSource(), {}
    assert.is_true(files["spec/support/calls.lua"] and files["doc/api.md"])
    files["CHANGELOG.md"], files["spec/support/calls.lua"] = nil, nil
    for _, method in ipairs(properties.methods) do
      isProperty[method.getter], isProperty[method.setter] = true, true
    end
    for _, row in ipairs(calls.rows) do
      if not row.name:find("^__") and not isProperty[row.name] then
        assert.is_true(inSource[row.name], "the source lacks " .. row.name)
        for path in pairs(files) do
          local is3D, text = path:find("3d%.lua$") ~= nil, read(path)
          if path:find("^types/") and (row.class == "Backend" or row.class == "module") then
            text = read("types/library/broadside.lua")
          end
          assert.is_true(row.flat and is3D or hasWord(text, calls.nameOf(row, is3D and 3 or 2)),
            path .. " lacks " .. row.name)
        end
      end
    end
  end)
end)

-- The names in the rows of the lists that a pattern captures in a file.
local function rowsOf(path, pattern)
  local names = {}
  for list in read(path):gmatch(pattern) do
    for name in list:gmatch('{ "(%a+)"') do
      names[#names + 1] = name
    end
  end
  return names
end

describe("an option of the walker", function()
  it("is named in the files that CONTRIBUTING.md lists", function()
    local files = listed("an option of the walker")
    local names = rowsOf("lua/broadside/walker.lua", "\nlocal OPTIONS = (%b{})")
    assert.is_true(files["doc/walker.md"] and #names >= 7)
    local world = broadside.newWorld()
    local ok, message = pcall(walker.new, world, world:insert(0, 0, 1, 1), { nothing = true })
    assert.is_false(ok)
    assert.equal(table.concat(names, ", "), message:match("known: (.*)%)"))
    local effect = ""
    for path in pairs(files) do
      effect = path:find("/walker/", 1, true) and effect .. read(path) or effect
    end
    for _, name in ipairs(names) do
      for path in pairs(files) do
        assert.truthy(path:find("/walker/", 1, true) or hasWord(read(path), name),
          path .. " lacks " .. name)
      end
      -- Of its direction, the walker's files know the axes.
      assert.is_true(hasWord(effect, name == "up" and "ux" or name == "maxSlope" and "least"
        or name), "lua/broadside/walker lacks " .. name)
    end
  end)
end)

describe("an option of a map", function()
  it("is named in the files that CONTRIBUTING.md lists", function()
    local files = listed("an option of a map")
    for module, pattern in pairs({ tiles = "\nlocal LAYOUT = (%b{})",
      tiled = "\n    options = (%b{})", ldtk = "\n  options = (%b{})" }) do
      local names = rowsOf("lua/broadside/" .. module .. ".lua", pattern)
      assert.is_true(#names >= 4, module)
      for _, path in ipairs({ ("lua/broadside/%s.lua"):format(module), ("doc/%s.md"):format(module),
        ("types/library/broadside/%s.lua"):format(module) }) do
        assert.is_true(files[path], path)
        for _, name in ipairs(names) do
          assert.is_true(hasWord(read(path), name), path .. " lacks " .. name)
        end
      end
    end
  end)
end)

describe("a module in Lua that has annotations", function()
  it("is named in the files that CONTRIBUTING.md lists", function()
    local files = listed("a Lua module")
    assert.is_true(files["lua/broadside/walker.lua"] and files["tools/annotations.lua"])
    local count = 0
    for _, path in ipairs(annotations.files) do
      local name = path:match("^types/library/broadside/(%l+)%.lua$")
      for file in pairs(name and files or {}) do
        count = count + 1
        local text, own = read((file:gsub("walker", name))), file:find("walker", 1, true)
        local isNamed = own
        for _, form in ipairs({ "broadside[./]NAME%f[%W]", "%(NAME%.md", '"NAME"' }) do
          isNamed = isNamed or text:find((form:gsub("NAME", name)))
        end
        assert.is_truthy(isNamed, file .. " lacks " .. name)
      end
    end
    assert.is_true(count > 50)
  end)
end)
