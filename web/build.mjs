// node web/build.mjs FOLDER VARIANT: writes the page, its worker, the programs and the licences
// into FOLDER, which already holds that variant of the WebAssembly program.

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packages, require } from "./packages.mjs";
import { steps } from "./steps.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const project = dirname(web);
const folder = process.argv[2];
const read = (path) => readFileSync(join(project, path), "utf8");

/** Returns {path: text} for all Lua files below a folder. */
function texts(path, list = {}) {
  for (const entry of readdirSync(join(project, path), { withFileTypes: true })) {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      texts(below, list);
    } else if (entry.name.endsWith(".lua")) {
      list[below] = read(below);
    }
  }
  return list;
}

/** Returns the first Lua block in the README that draws. The playground offers it as a game. */
function readmeGame() {
  const blocks = [...read("README.md").matchAll(/```lua\n([^]*?)```/g)].map((match) => match[1]);
  return blocks.find((text) => text.includes("function love.draw"));
}

/** Returns the recipes of doc/walker-recipes.md, and a program for each that plays it. */
function recipes() {
  const list = {}, main = read("web/programs/recipes/main.lua");
  const blocks = read("doc/walker-recipes.md").matchAll(/<!-- recipe: (.*) -->\n```lua\n([^]*?)```/g);
  for (const [, name, code] of blocks) {
    const path = `recipes/${name.replace(/\W/g, "-")}`;
    list[`${path}.lua`] = code;
    list[`${path}/main.lua`] = `RECIPE = "${name}"\n${main}`;
  }
  return list;
}

/**
 * Returns the list of what is bundled, with the texts of the licences: packages, Lua, and what
 * Emscripten adds.
 */
function licences(inputs) {
  const names = new Set();
  for (const input of inputs) {
    const match = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (match) {
      names.add(match[1]);
    }
  }
  const parts = [["Broadside", read("LICENSE")], ["Lua 5.4", read("web/licences/lua.txt")],
    ["Emscripten and its C library, musl", read("web/licences/emscripten.txt")]];
  for (const name of [...names].sort()) {
    const home = join(packages, name);
    const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) {
      throw new Error(`${name} has no licence beside it`);
    }
    const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    parts.push([`${name} ${version}`, readFileSync(join(home, file), "utf8")]);
  }
  return parts.map(([name, text]) => `==== ${name}\n\n${text.trim()}\n`).join("\n");
}

/** Bundles, and returns the names of the bundled files. */
async function bundle(options) {
  const { metafile } = await require("esbuild").build({
    absWorkingDir: web,
    outdir: folder,
    nodePaths: [packages],
    bundle: true,
    target: "es2022",
    minify: true,
    metafile: true,
    logLevel: "warning",
    ...options,
  });
  return Object.keys(metafile.inputs);
}

const inputs = [
  ...await bundle({
    entryPoints: { page: "page/page.js", play: "page/play.js", run: "page/run.js",
      worker: "page/worker.js" },
    splitting: true,
    format: "esm",
  }),
];

writeFileSync(join(folder, "programs.json"), JSON.stringify({
  ...texts("examples"), ...texts("lua"), ...texts("web/programs"),
  "web/love.lua": read("web/love.lua"),
  "readme/main.lua": readmeGame(),
  ...recipes(),
  ...await steps(join(folder, process.argv[3])),
  "tutorial/7/main.lua": read("web/programs/tutorial/main.lua"),
}));
writeFileSync(join(folder, "licences.txt"), licences(inputs));
for (const name of ["index.html", "play.html", "style.css"]) {
  cpSync(join(web, name), join(folder, name));
}
