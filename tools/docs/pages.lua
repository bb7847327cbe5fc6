-- Lists the guides among the pages of `make docs`, in their order, and the examples.

local pages = {}

-- The name of each page, and its source.
pages.guides = {
  { "tutorial.md", "doc/tutorial.md" },
  { "api.md", "doc/api.md" },
  { "calls.md", "doc/calls.md" },
  { "examples.md", "examples/README.md" },
  { "shapes.md", "doc/shapes.md" },
  { "bodies.md", "doc/bodies.md" },
  { "walker.md", "doc/walker.md" },
  { "tiles.md", "doc/tiles.md" },
  { "tiled.md", "doc/tiled.md" },
  { "ldtk.md", "doc/ldtk.md" },
  { "draw.md", "doc/draw.md" },
  { "testing-games.md", "doc/testing-games.md" },
  { "rollback.md", "doc/rollback.md" },
  { "server.md", "doc/server.md" },
  { "coming-from.md", "doc/coming-from.md" },
  { "from-bump.md", "doc/from-bump.md" },
  { "callbacks.md", "doc/callbacks.md" },
  { "love.md", "doc/love.md" },
  { "defold.md", "doc/defold.md" },
  { "web.md", "doc/web.md" },
  { "install.md", "doc/install.md" },
  { "speed.md", "doc/speed.md" },
  { "architecture.md", "doc/architecture.md" },
  { "changes.md", "CHANGELOG.md" },
}

pages.examples = { "platformer", "barrage", "rollback", "swarm", "marbles",
  "billiards", "pinball", "dig", "bounce", "cannon", "sandbox" }

function pages.read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
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
