-- Draws the folders of src, and which of them include others, as an SVG. It reads the #include
-- lines.
--     lua tools/architecture_picture.lua FILE
-- As a module it returns the function that makes the picture, as a string. A folder may only
-- include folders to its left, so all arrows point to the left.

local lfs = require("lfs")

local FOLDERS = {
  { "base", "memory, lists,", "geometry" },
  { "simd", "eight floats", "at a time" },
  { "narrow", "shapes,", "two at a time" },
  { "broad", "back ends,", "casts" },
  { "world", "boxes and what", "they mean" },
  { "motion", "move, push,", "resolve" },
  { "step", "bodies:", "planes, events" },
  { "pool", "movers,", "emitters" },
  { "lua", "the binding", "" },
}
local WIDTH, BOX, GAP, TOP, HEIGHT = 1000, 94, 14, 160, 68

local column = {}
for i, folder in ipairs(FOLDERS) do
  column[folder[1]] = i
end

local function sources(folder, found)
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:match("%.[ch]$") and name ~= "names.h" then
      found[#found + 1] = path
    elseif not name:match("^%.") and lfs.attributes(path, "mode") == "directory" then
      sources(path, found)
    end
  end
  return found
end

-- How many files of a folder include something of another one, by their columns.
local function count()
  local counts = {}
  for from, folder in ipairs(FOLDERS) do
    counts[from] = {}
    for _, path in ipairs(sources("src/" .. folder[1], {})) do
      local seen = {}
      for line in io.lines(path) do
        local to = column[line:match('^%s*#%s*include%s*"(%w+)/') or ""]
        if to and to ~= from and not seen[to] then
          seen[to] = true
          counts[from][to] = (counts[from][to] or 0) + 1
        end
      end
    end
  end
  return counts
end

local out = {}
local function put(format, ...)
  out[#out + 1] = format:format(...)
end

local function middle(i)
  return GAP + (i - 1) * (BOX + GAP) + BOX / 2
end

-- The arrows of a folder begin side by side, with the longest one at the left.
local function drawArrows(counts)
  for from = 2, #FOLDERS do
    for to = from - 1, 1, -1 do
      local n = counts[from][to]
      if n then
        local x, y = middle(from) - 6 * (from - to) + 14, TOP
        local goal = middle(to) + 6 * (#FOLDERS - from) - 14
        local height = 26 * (from - to) + 24
        put('<path d="M%g %gC%g %g %g %g %g %g" stroke-width="%g" marker-end="url(#head)"/>',
          x, y, x, y - height, goal, y - height, goal, y - 7, 1 + math.min(n, 20) / 8)
        put('<title>%s includes %s in %d files</title>', FOLDERS[from][1], FOLDERS[to][1], n)
      end
    end
  end
end

local function drawFolders()
  for i, folder in ipairs(FOLDERS) do
    local x = middle(i)
    put('<rect x="%g" y="%g" width="%g" height="%g" rx="6"/>', x - BOX / 2, TOP, BOX, HEIGHT)
    put('<text x="%g" y="%g" class="name">%s</text>', x, TOP + 22, folder[1])
    put('<text x="%g" y="%g">%s</text>', x, TOP + 42, folder[2])
    put('<text x="%g" y="%g">%s</text>', x, TOP + 57, folder[3])
  end
end

local function draw()
  put('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">',
    WIDTH, TOP + HEIGHT + 40)
  put("<style>text{stroke:none;font-size:12px;text-anchor:middle;fill:#333}.name{font-size:15px;" ..
    "font-weight:bold;fill:#123}</style>")
  put('<defs><marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="8" ' ..
    'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" ' ..
    'fill="#47a"/></marker></defs>')
  put('<rect width="100%%" height="100%%" fill="#fff"/>')
  put('<g fill="none" stroke="#47a" stroke-opacity=".75">')
  drawArrows(count())
  put('</g><g fill="#eef3fa" stroke="#47a">')
  drawFolders()
  put('</g><text x="%g" y="%g">An arrow: files of this folder include files of that one; ' ..
    "the wider, the more. The binding sees the public headers alone.</text></svg>", WIDTH / 2,
    TOP + HEIGHT + 26)
  return table.concat(out, "\n") .. "\n"
end

if ... == "tools.architecture_picture" then
  return draw
end
local file = assert(io.open(assert(..., "usage: architecture_picture.lua FILE"), "w"))
file:write(draw())
file:close()
