-- Makes the index for the search of the pages: one row for each heading, with the text below it.

local pages = require("tools.docs.pages")

local index = {}

local ENTITIES = { lt = "<", gt = ">", quot = '"', ["#39"] = "'", amp = "&" }

local function plain(html)
  return (html:gsub("<[^>]*>", ""):gsub("&([%w#]+);", ENTITIES))
end

-- Puts spaces between cells and paragraphs, but not within a word of code.
local function flat(html)
  html = html:gsub("(</?(%w+))", function(tag, name)
    local isBlock = name:find("^h%d$") or
      (" p li td th tr pre div dd dt "):find(" " .. name .. " ", 1, true)
    return (isBlock and " " or "") .. tag
  end)
  return (plain(html):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

-- Lists of calls, each of which has a section of its own.
local LISTS = { Functions = true, Methods = true, Tables = true }

-- Returns {link, page, heading, text} for each section of a page.
function index.sectionsOf(html, link)
  local main = html:match("<main>(.*)</main>"):gsub('<ul class="contents">.-</ul>', "")
    :gsub('<div class="pager">.-</div>', "")
  local page = flat(html:match("<title>(.-)</title>")):gsub(" %- Broadside$", "")
  local rows = {}
  -- A mark before each heading of the levels 1 to 4, and one at the end.
  main = main:gsub("<(h[1-4])([ >])", "\1%1%2") .. "\1"
  for level, attributes, heading, text in main:gmatch("\1h(%d)([^>]*)>(.-)</h%d>([^\1]*)") do
    local id = attributes:match('id="([^"]*)"')
    page = level == "1" and flat(heading) or page
    local isSection = level == "1" or id
    if isSection and not LISTS[id] then
      table.insert(rows, { id and level ~= "1" and link .. "#" .. id or link, page, flat(heading),
        flat(text) })
    elseif not isSection and #rows > 0 then -- a part, such as the results of a call
      rows[#rows][4] = rows[#rows][4] .. " " .. flat(heading) .. " " .. flat(text)
    end
  end
  return rows
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(letter)
    return ("\\u%04x"):format(letter:byte())
  end) .. '"'
end

-- Writes search-pages.js, which search.js loads, from all pages of the folder.
function index.write(folder)
  local lines = {}
  local pipe = io.popen("cd '" .. folder .. "' && find . -name '*.html' | sort")
  for path in pipe:lines() do
    local link = path:sub(3)
    for _, row in ipairs(index.sectionsOf(pages.read(folder .. "/" .. link), link)) do
      for i, text in ipairs(row) do
        row[i] = quoted(text)
      end
      table.insert(lines, "[" .. table.concat(row, ",") .. "]")
    end
  end
  pipe:close()
  local text = table.concat(lines, ",\n")
  pages.write(folder .. "/search-pages.js", "broadsidePages([" .. text .. "]);\n")
end

return index
