-- One source for Lua 5.1 to 5.4 and LuaJIT: every global of any of them is known.
std = "max"
max_line_length = 100
exclude_files = { "build/**", "lua_modules/**" }

files["spec"] = { std = "max+busted" }
files["examples"] = { std = "max+love" }
files["lua/broadside/debug.lua"] = { std = "max+love" }
files["lua/broadside/draw.lua"] = { std = "max+love" }
-- Its own input takes the place of the player's.
files["spec/love"] = { std = "max+love", ignore = { "122/love" } }
-- They are put behind the main.lua of a game.
files["spec/love/*_check.lua"] = {
  std = "max+love", ignore = { "122/love" },
  read_globals = {
    "broadside", "coins", "debugView", "game", "hero", "isOnLadder", "json", "p", "play", "world",
  },
}
files["bench/lua/love"] = { std = "max+love" }
-- Signatures alone.
files["types"] = { unused = false, max_line_length = false }
-- What takes LÖVE's place in a page, and a program of its tests.
files["web"] = {
  std = "max+love", ignore = { "121", "122" }, globals = { "web", "play", "EXAMPLE", "RECIPE" },
}
files["web/programs/tutorial"] = { globals = { "describe", "it", "before_each" } }
