-- Draws a world and what its back end has built as an SVG picture.

local svg = {}

-- Kinds are painted in this order, the last on top.
local KINDS = {
  { kind = "cell", label = "grid cells", color = "#a5b1c2", width = 0.8, fill = 0 },
  { kind = "node", label = "tree nodes", color = "#5c74a0", width = 1.4, fill = 0.05 },
  { kind = "fat", label = "fat AABBs", color = "#1f9d45", width = 1, fill = 0.06 },
  { kind = "box", label = "AABBs", color = "#d92c3a", width = 1, fill = 0.3 },
}

local WIDTH = 1080 -- of the picture
local MARGIN = 28
local HEADER = 40
local FOOTER = 40

local RECT = '<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>'
local GROUP = '<g id="%s" stroke="%s" stroke-width="%g" fill="%s" fill-opacity="%g">'
local TEXT = '<text x="%.2f" y="%.2f" font-size="%d" fill="%s">%s</text>'

local function escape(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

-- Sorts the rows {kind, x, y, w, h, ...} by kind, and finds the bounds of all of them.
local function readRects(rects, n)
  local byKind = {}
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for i = 1, 5 * n, 5 do
    local kind, x, y, w, h = rects[i], rects[i + 1], rects[i + 2], rects[i + 3], rects[i + 4]
    byKind[kind] = byKind[kind] or {}
    table.insert(byKind[kind], { x, y, w, h })
    left, top = math.min(left, x), math.min(top, y)
    right, bottom = math.max(right, x + w), math.max(bottom, y + h)
  end
  if n == 0 then
    left, top, right, bottom = 0, 0, 1, 1
  end
  return byKind, left, top, right, bottom
end

local function groupTag(style)
  return GROUP:format(style.kind, style.color, style.width, style.color, style.fill)
end

local function addLegend(lines, byKind, y)
  local x = MARGIN
  table.insert(lines, '<g id="legend">')
  for i = #KINDS, 1, -1 do
    local style = KINDS[i]
    local count = #(byKind[style.kind] or {})
    if count > 0 then
      table.insert(lines, (groupTag(style):gsub('id="', 'id="legend-')))
      table.insert(lines, RECT:format(x, y - 11, 20, 13) .. "</g>")
      table.insert(lines, TEXT:format(x + 28, y, 14, "#3b4658", count .. " " .. style.label))
      x = x + 170
    end
  end
  table.insert(lines, "</g>")
end

-- Returns the picture as a string. In it y points down, as in the file format.
function svg.draw(world, title)
  local byKind, left, top, right, bottom = readRects(world:debugRects())
  local scale = (WIDTH - 2 * MARGIN) / (right - left)
  local height = math.ceil(HEADER + (bottom - top) * scale + FOOTER)
  local lines = {
    '<?xml version="1.0" encoding="UTF-8"?>',
    ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d"'):format(
      WIDTH, height, WIDTH, height),
    '  font-family="system-ui, Helvetica, Arial, sans-serif">',
    '<path d="M0 0H' .. WIDTH .. "V" .. height .. 'H0Z" fill="#ffffff"/>',
    TEXT:format(MARGIN, 26, 16, "#1c2433", escape(title)),
  }
  for _, style in ipairs(KINDS) do
    table.insert(lines, groupTag(style))
    for _, rect in ipairs(byKind[style.kind] or {}) do
      table.insert(lines, RECT:format(MARGIN + (rect[1] - left) * scale,
        HEADER + (rect[2] - top) * scale, rect[3] * scale, rect[4] * scale))
    end
    table.insert(lines, "</g>")
  end
  addLegend(lines, byKind, height - 14)
  table.insert(lines, "</svg>\n")
  return table.concat(lines, "\n")
end

function svg.write(path, world, title)
  local file = assert(io.open(path, "w"))
  file:write(svg.draw(world, title))
  file:close()
end

return svg
