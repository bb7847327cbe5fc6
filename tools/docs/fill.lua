-- Puts the guides into the pages that LDoc has made, with links to the previous and next one, and
-- the pictures and the search beside them:
--
--     lua5.1 tools/docs/fill.lua FOLDER        from the project's folder
--
-- cmark-gfm makes HTML from Markdown, and LDoc's prettifier colours Lua. A link to a file leads to
-- its page if it has one, and otherwise to the repository: at the project's address if the rockspec
-- has one, or else to the folder that holds build/docs/html.

local index = require("tools.docs.index")
local pages = require("tools.docs.pages")
local prettify = require("ldoc.prettify")

-- LDoc would look for references in comments, so this does nothing.
function prettify.resolve_inline_references(text)
  return text
end

local HOME = pages.read("broadside-scm-1.rockspec"):match('homepage = "(.-)"')
local ENTITIES = { ["&lt;"] = "<", ["&gt;"] = ">", ["&quot;"] = '"', ["&amp;"] = "&" }

local folder = ...

-- The page of each file of the project.
local targets = { ["README.md"] = "index.html" }
for _, guide in ipairs(pages.guides) do
  targets[guide[2]] = "guides/" .. guide[1] .. ".html"
end
for _, name in ipairs(pages.examples) do
  targets[pages.codeOf(name)] = "examples/" .. name .. ".lua.html"
end

local function plain(html)
  return (html:gsub("<.->", ""):gsub("&%w+;", ENTITIES))
end

-- The path, from the project's folder, of a link on a page of the folder `from`.
local function resolve(from, link)
  local path = from .. link
  local count
  repeat
    path, count = path:gsub("[^/]+/%.%./", "", 1)
  until count == 0
  return path
end

-- up: the way from the page to the folder of all pages.
local function linkOf(link, from, up)
  if link:find("^%a+:") or link:find("^#") then
    return link
  end
  local path, anchor = link:match("^([^#]*)(.*)$")
  path = resolve(from, path)
  if path:find("^doc/pictures/") then
    return up .. path:gsub("^doc/", "")
  end
  local repository = HOME and HOME .. "/blob/main/" or up .. "../../../"
  return (targets[path] and up .. targets[path] or repository .. path) .. anchor
end

-- Returns the HTML of a page, and the HTML of a list of its sections.
local function convert(path, up)
  local from = path:match("^.*/") or ""
  local pipe = assert(io.popen("cmark-gfm --unsafe --extension table '" .. path .. "'"))
  local html = pipe:read("*a")
  pipe:close()
  local contents = {}
  html = html:gsub("<h(%d)>(.-)</h%d>", function(level, heading)
    local anchor = pages.anchor(plain(heading))
    if level == "2" then
      table.insert(contents, ('<li><a href="#%s">%s</a></li>'):format(anchor, heading))
    end
    return ('<h%s id="%s">%s</h%s>'):format(level, anchor, heading, level)
  end)
  html = html:gsub('<pre><code class="language%-lua">(.-)</code></pre>', function(code)
    return "<pre>" .. prettify.code("lua", path, plain(code), 0, false) .. "</pre>"
  end)
  html = html:gsub("<table>(.-)</table>", function(rows)
    local class = rows:find("<th>call</th>") and "calls" or rows:find("<img") and "films" or ""
    return ('<div class="wide"><table class="%s">%s</table></div>'):format(class, rows)
  end)
  html = html:gsub('(<a href=")(.-)"', function(start, link)
    return start .. linkOf(link, from, up) .. '"'
  end)
  html = html:gsub('(<img src=")(.-)"', function(start, link)
    return start .. linkOf(link, from, up) .. '"'
  end)
  return html, '<ul class="contents">' .. table.concat(contents) .. "</ul>"
end

-- The section of examples/README.md about one example.
local function sectionOf(name)
  local html = convert("examples/README.md", "../")
  html = html:gsub('href="#', 'href="../' .. targets["examples/README.md"] .. "#")
  return assert(html:match('<h2 id="' .. name .. '">.-</h2>(.-)<h2') or
    html:match('<h2 id="' .. name .. '">.-</h2>(.*)$'), name)
end

local function fill(page, mark, html)
  local path = folder .. "/" .. page
  local text, count = pages.read(path):gsub("<!%-%- " .. mark:gsub("%p", "%%%0") .. " %-%->",
    (html:gsub("%%", "%%%%")))
  assert(count == 1, page .. " has no place for " .. mark)
  pages.write(path, text)
end

-- The heading of a page.
local function titleOf(path)
  return plain((pages.read(path):match("^# ([^\n]*)"):gsub("`", "")))
end

-- Links to the guides before and after the one with that number; 0 is the page of the README.
local function pagerOf(number, up)
  local links = {}
  for i, step in ipairs({ -1, 1 }) do
    local guide = pages.guides[number + step]
    if guide then
      links[#links + 1] = ('<a rel="%s" href="%s">%s</a>'):format(i == 1 and "prev" or "next",
        up .. targets[guide[2]], titleOf(guide[2]))
    end
  end
  return '<div class="pager">' .. table.concat(links, "\n") .. "</div>\n"
end

fill("index.html", "page README.md", convert("README.md", "") .. pagerOf(0, ""))
for number, guide in ipairs(pages.guides) do
  local html, contents = convert(guide[2], "../")
  html = html:gsub("</h1>", function(close)
    return close .. "\n" .. contents
  end, 1)
  fill(targets[guide[2]], "page " .. guide[1], html .. pagerOf(number, "../"))
end
for _, name in ipairs(pages.examples) do
  fill("examples/" .. name .. ".lua.html", "example " .. name .. ".lua",
    "<h1>" .. name .. "</h1>" .. sectionOf(name))
end

-- Links the types that some page of the API explains.
local function linkTypes()
  local pipe = assert(io.popen("cd '" .. folder .. "' && ls modules/*.html classes/*.html"))
  local paths, homes = {}, {}
  for path in pipe:lines() do
    table.insert(paths, path)
    for id, name in pages.read(folder .. "/" .. path):gmatch('<h3 id="([%w.]+%.(%u%w+))">') do
      homes[name] = "../" .. path .. "#" .. id
    end
  end
  pipe:close()
  for _, path in ipairs(paths) do
    pages.write(folder .. "/" .. path,
      (pages.read(folder .. "/" .. path):gsub('<span class="type">(%w+)</span>', function(name)
        local home = homes[name] or homes[name:gsub("3$", "")] -- 3D pages only have what differs
        return home and ('<a class="type" href="%s">%s</a>'):format(home, name)
      end)))
  end
end

-- Puts the links of a page's list on the left under the headings of the sections. The lists of
-- modules and classes follow the reference.
local function divide(list)
  local kinds, links = {}, {}
  for kind, rows in list:gmatch("<h2>(%a+)</h2>%s*<ul>(.-)</ul>") do
    kinds[kind] = rows
  end
  for link in kinds.Guides:gmatch("<li>.-</li>") do
    links[link:match('href="[^"]-([^/"]+)%.html"')] = link
  end
  local lines = {}
  local function add(title, rows)
    table.insert(lines, ("<h2>%s</h2>\n<ul>\n%s\n</ul>"):format(title, rows))
  end
  for _, section in ipairs(pages.sections) do
    local rows = {}
    for i = 2, #section do
      rows[i - 1] = assert(links[section[i][1]], section[i][1])
    end
    add(section[1], table.concat(rows, "\n"))
    for _, kind in ipairs(section[1] == "Reference" and { "Modules", "Classes" } or {}) do
      add(kind, kinds[kind])
    end
  end
  add("Code of examples", kinds.Examples)
  return table.concat(lines, "\n")
end

local function divideLists()
  local pipe = assert(io.popen("cd '" .. folder .. "' && find . -name '*.html'"))
  for path in pipe:lines() do
    local text, count = pages.read(folder .. "/" .. path):gsub('(<nav id="pages">\n)(.-)(</nav>)',
      function(open, list, close)
        return open .. divide(list) .. "\n" .. close
      end)
    assert(count == 1, path)
    pages.write(folder .. "/" .. path, text)
  end
  pipe:close()
end

linkTypes()
divideLists()
os.execute("cp -R doc/pictures tools/docs/search.js '" .. folder .. "'")
index.write(folder)
