// node web/pack.mjs GAME FILE [LABEL=KEY...]: packs the Lua files of a game's folder, and
// Broadside's, into one file for play.html. Each LABEL=KEY becomes a button for touch screens.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const [game, file, ...keys] = process.argv.slice(2);
const files = {};

function add(home, folder, under) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      add(home, path, under);
    } else if (entry.name.endsWith(".lua")) {
      files[join(under, relative(home, path)).replaceAll("\\", "/")] = readFileSync(path, "utf8");
    }
  }
}

add(join(project, "lua"), join(project, "lua"), "lua");
add(game, game, "");
if (!files["main.lua"]) {
  throw new Error(`${game} has no main.lua`);
}
writeFileSync(file, JSON.stringify({
  layer: readFileSync(join(project, "web/love.lua"), "utf8"),
  keys: keys.map((key) => key.split("=")),
  files,
}));
