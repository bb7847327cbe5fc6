-- Checks the pages of `make docs`: each link, also of the search, must lead to an existing place,
-- and nothing may be loaded from elsewhere.
--
--     lua5.1 tools/docs/check.lua FOLDER        from the project's folder

local pages = require("tools.docs.pages")

local folder = ...

local texts = {}
local pipe = assert(io.popen("cd '" .. folder .. "' && find . -name '*.html'"))
for path in pipe:lines() do
  texts[path:sub(3)] = pages.read(folder .. "/" .. path)
end
pipe:close()

local function isThere(path)
  local file = io.open(folder .. "/" .. path)
  return file ~= nil and file:close()
end

local function resolve(from, link)
  local path = (from:match("^.*/") or "") .. link
  return (path:gsub("[^/.][^/]*/%.%./", ""))
end

local function hasPlace(text, name)
  return text:find('id="' .. name .. '"', 1, true) or text:find('name="' .. name .. '"', 1, true)
end

local count, wrong = 0, 0
for page, text in pairs(texts) do
  assert(not text:find("<link[^>]*http"), page)
  for attribute, link in text:gmatch('(%l+)="([^"]*)"') do
    local path, place = link:match("^([^#]*)#?(.*)$")
    local isLocal = not link:find("^%a+:")
    if attribute == "src" or attribute == "href" then
      local target = path == "" and page or resolve(page, path)
      local isRight = isLocal and isThere(target)
        and (place == "" or not path:find("%.html$") and path ~= ""
          or hasPlace(texts[target] or "", place))
      count = count + 1
      if not isRight and (isLocal or attribute == "src") then
        wrong = wrong + 1
        io.stderr:write(page, ": ", link, " leads nowhere\n")
      end
    end
  end
end
for link in pages.read(folder .. "/search-pages.js"):gmatch('%[("[^"]*"),"') do
  local path, place = link:match('^"([^#"]*)#?(.*)"$')
  count = count + 1
  if not texts[path] or place ~= "" and not hasPlace(texts[path], place) then
    wrong = wrong + 1
    io.stderr:write("the search: ", link, " leads nowhere\n")
  end
end
print(count .. " links, " .. wrong .. " of them wrong")
os.exit(wrong == 0 and count > 500 and 0 or 1)
