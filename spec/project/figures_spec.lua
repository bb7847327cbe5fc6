-- Figures in the pages: those that can be counted are counted, and where the README repeats a
-- figure of doc/speed.md, both must say the same.

local broadside = require("broadside")
local page = require("spec.support.page")

local read = page.read

-- The cells of the row of a table that begins with that text.
local function rowOf(path, text)
  for line in read(path):gmatch("[^\n]+") do
    if line:sub(1, #text + 2) == "| " .. text then
      local cells = {}
      for cell in line:gmatch("| ([^|]*)") do
        table.insert(cells, (cell:gsub("%s+$", "")))
      end
      return cells
    end
  end
  error(path .. " has no row for " .. text)
end

-- A row of the README's table, and where its two figures come from: the row of doc/speed.md, the
-- cell of the first figure, and the row and the cell of the second one.
local SHARED = {
  { "a player walks on tiles, in a world of 50 boxes",
    "a player that walks on tiles, in a world of 50 boxes", 2,
    "a player that walks on tiles, in a world of 50 boxes", 3 },
  { "a move among 5,000 boxes", "1,000 boxes by up to 16 px, among 5,000, sparse", 2,
    "1,000 boxes by up to 16 px, among 5,000, sparse", 3 },
  { "a step of a gas of 5,000 balls", "a gas of 5,000 circles, bounce 1", 2,
    "a gas of 5,000 circles, bounce 1", 4 },
  { "a step of a crowd of 1,000 that presses to one point", "a crowd of 1,000", 2,
    "a crowd of 1,000", 4 },
}

local function figure(cell)
  return cell:match("^[%d.,]+")
end

describe("figures", function()
  it("of the README are those of doc/speed.md", function()
    local count = 0
    for line in read("README.md"):match("\n## How fast\n(.-)\n## "):gmatch("\n| [^\n]*%d[^\n]*") do
      count = count + (line:find("`make") and 1 or line:find("the same") and 1 or 0)
    end
    assert.equal(#SHARED, count)
    for _, row in ipairs(SHARED) do
      local said = rowOf("README.md", row[1])
      assert.equal(figure(rowOf("doc/speed.md", row[2])[row[3]]), figure(said[2]), row[1])
      assert.equal(figure(rowOf("doc/speed.md", row[4])[row[5]]), figure(said[3]), row[1])
    end
  end)

  it("of examples/area/skynet/README.md about bytes of boxes are those of a snapshot", function()
    local plain, moving = read("examples/area/skynet/README.md"):match(
      "A plain box takes (%d+) bytes, one with a velocity and a response%s(%d+)%.")
    local world = broadside.newWorld()
    local function bytesOf(opts)
      local before = #world:snapshot():getString()
      world:insert(3, 4, 5, 6, opts)
      return #world:snapshot():getString() - before
    end
    bytesOf(nil)
    assert.equal(tonumber(plain), bytesOf(nil))
    bytesOf({ vx = 1, vy = 2, response = "slide" })
    assert.equal(tonumber(moving), bytesOf({ vx = 1, vy = 2, response = "slide" }))
  end)

  it("of the README about lines are those of the folders", function()
    local function linesOf(folders, endings)
      local names = "-name '*." .. endings:gsub(" ", "' -o -name '*.") .. "'"
      local pipe = io.popen("find " .. folders .. " " .. names .. " | xargs cat | wc -l")
      local lines = tonumber((pipe:read("*a")))
      pipe:close()
      return lines
    end
    local tests, library = read("README.md"):match(
      "([%d,]+) lines of tests check ([%d,]+) lines of library")
    local function number(text)
      return tonumber((text:gsub(",", "")))
    end
    assert.near(number(tests), linesOf("spec", "lua c h"), 0.1 * number(tests))
    assert.near(number(library), linesOf("src include lua", "c h lua"), 0.1 * number(library))
  end)

  it("of doc/api.md about memory are what worlds and pools take", function()
    local text = read("doc/api.md")
    local left = text:match("(%d+) bytes remain")
    local flat, deep = text:match("each slot takes some (%d+) bytes %((%d+) in%s3D%)")
    for dim, said in pairs({ [2] = flat, [3] = deep }) do
      local n = 20000
      local pool = broadside.newPool({ capacity = n, dim = dim })
      assert.near(tonumber(said), pool:stats().memory / n, 5)
      local world = broadside.newWorld({ dim = dim })
      for i = 1, n do
        world:insert(i, 0, dim == 3 and 0 or 1, 1, dim == 3 and 1 or nil, dim == 3 and 1 or nil)
      end
      world:clear()
      world:trim()
      assert.near(tonumber(left), world:stats().memory / n, 1)
    end
  end)
end)
