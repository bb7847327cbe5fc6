-- Lists the pages of `make docs`, in their order, and the examples. README.md has the same list.

local pages = {}

-- The sections of the list on the left. A page has a name and a source.
pages.sections = {
  { "Start",
    { "install.md", "doc/install.md" },
    { "tutorial.md", "doc/tutorial.md" },
    { "topdown.md", "doc/topdown.md" },
    { "examples.md", "examples/README.md" } },
  { "Concepts",
    { "boxes.md", "doc/boxes.md" },
    { "moving.md", "doc/moving.md" },
    { "layers.md", "doc/layers.md" },
    { "contacts.md", "doc/contacts.md" },
    { "mistakes.md", "doc/mistakes.md" } },
  { "Guides",
    { "walker.md", "doc/walker.md" },
    { "walker-recipes.md", "doc/walker-recipes.md" },
    { "bodies.md", "doc/bodies.md" },
    { "body-recipes.md", "doc/body-recipes.md" },
    { "crowds.md", "doc/crowds.md" },
    { "shapes.md", "doc/shapes.md" },
    { "tiles.md", "doc/tiles.md" },
    { "tiled.md", "doc/tiled.md" },
    { "ldtk.md", "doc/ldtk.md" },
    { "pools.md", "doc/pools.md" },
    { "draw.md", "doc/draw.md" },
    { "testing-games.md", "doc/testing-games.md" },
    { "save.md", "doc/save.md" },
    { "rollback.md", "doc/rollback.md" },
    { "server.md", "doc/server.md" },
    { "speed.md", "doc/speed.md" } },
  { "Coming from",
    { "coming-from.md", "doc/coming-from.md" },
    { "from-bump.md", "doc/from-bump.md" } },
  { "Reference",
    { "api.md", "doc/api.md" },
    { "callbacks.md", "doc/callbacks.md" } },
  { "Platforms",
    { "ship.md", "doc/ship.md" },
    { "defold.md", "doc/defold.md" },
    { "web.md", "doc/web.md" },
    { "embed.md", "doc/embed.md" } },
  { "Inside",
    { "architecture.md", "doc/architecture.md" },
    { "bench.md", "bench/README.md" },
    { "given-up.md", "bench/given-up.md" },
    { "testing.md", "TESTING.md" },
    { "contributing.md", "CONTRIBUTING.md" },
    { "changes.md", "CHANGELOG.md" } },
}

-- The pages of all sections.
pages.guides = {}
for _, section in ipairs(pages.sections) do
  for i = 2, #section do
    table.insert(pages.guides, section[i])
  end
end

pages.examples = { "platformer", "topdown", "barrage", "rollback", "swarm", "marbles",
  "billiards", "pinball", "jar", "dig", "rooms", "party", "bounce", "cannon",
  "sandbox" }

function pages.read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

-- The file with the rules of an example.
function pages.codeOf(name)
  local path = "examples/" .. name .. "/simulation.lua"
  local file = io.open(path)
  return file and file:close() and path or "examples/" .. name .. "/game.lua"
end

function pages.write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

-- The name by which a heading can be linked, as GitHub makes it.
function pages.anchor(heading)
  return (heading:lower():gsub("[^%w%s_\128-\255-]", ""):gsub(" ", "-"))
end

return pages
