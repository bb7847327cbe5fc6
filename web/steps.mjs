// Makes the game of doc/tutorial.md after each of its steps, in the same way as its spec.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { files, layer, load } from "./test/machine.mjs";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const PAGE = "doc/tutorial.md";

const FOLLOW = `
io = { lines = function(path)
  return web.files[path]:gmatch("([^\\n]*)\\n")
end }
local list = {}
for step, files in ipairs(require("spec.support.tutorial").follow("${PAGE}")) do
  for name, text in pairs(files) do
    list[#list + 1] = "tutorial/" .. step .. "/" .. name .. "\\1" .. text
  end
end
return table.concat(list, "\\1")
`;

/**
 * Returns {path: text} with paths tutorial/STEP/FILE. `folder` holds one variant of the program.
 */
export async function steps(folder) {
  const machine = await load(folder);
  machine.start(64e6, 0);
  files(["lua/broadside", "spec/support"]).forEach((file) => machine.put(...file));
  machine.put(PAGE, readFileSync(join(project, PAGE), "utf8"));
  machine.run("@love.lua", layer);
  const parts = machine.call("evaluate", FOLLOW).split("\u0001");
  const texts = {};
  for (let i = 0; i < parts.length; i += 2) {
    texts[parts[i]] = parts[i + 1];
  }
  return texts;
}
