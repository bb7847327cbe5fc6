// node web/live.mjs PAGES PLAYGROUND: adds the playground to the pages of `make docs`. Each example that prints something and runs by itself gets a button, and so does
// each step of the tutorial. If an example says with `-->` what it prints, it must print that.

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { PRELUDE } from "./page/prelude.js";
import { files, layer, load } from "./test/machine.mjs";

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The text of a piece of HTML. */
const plain = (html) => html.replace(/<[^>]*>/g, "")
  .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]);

const [pages, playground] = process.argv.slice(2);

const variant = readdirSync(playground).includes("simd") ? "simd" : "plain";
const machine = await load(join(playground, variant));
const library = files(["lua/broadside"]);

/** Returns what a program prints, or null if it fails. */
function printed(code) {
  machine.start(64e6, 2000);
  try {
    library.forEach((file) => machine.put(...file));
    machine.put("example.lua", PRELUDE + code);
    machine.run("@love.lua", layer);
    machine.call("begin", "example.lua", -1);
    return machine.call("tell").split("\n").slice(2).join("\n");
  } catch (error) {
    return null;
  }
}

const comparable = (text) => text.replace(/(\d)\.0(?!\d)/g, "$1").replace(/\s+/g, " ").trim();

let live = 0, wrong = 0;

/** Returns the same block, marked if it can be run. */
function mark(block, html, path) {
  const code = plain(html), output = printed(code);
  if (!output) {
    return block;
  }
  const said = [...code.matchAll(/--> (.*)/g)].map((match) => match[1]).join("\n");
  if (said && comparable(said) !== comparable(output)) {
    wrong++;
    console.error(`${path}: prints ${output}, not ${said}\n${code}`);
  }
  live++;
  return `<pre class="live">${html}</pre>`;
}

/** Adds a place for the game to the end of each step of the tutorial. */
const withSteps = (html) => html.replace(/<h2 id="(\d)-[^]*?(?=<h2)/g, (section, step) =>
  `${section}<div class="play" data-step="${step}"></div>\n`);

for (const entry of readdirSync(pages, { recursive: true }).sort()) {
  if (entry.endsWith(".html") && !entry.startsWith("playground")) {
    const path = join(pages, entry), up = relative(dirname(path), pages);
    const before = live;
    let text = readFileSync(path, "utf8");
    text = text.replace(/<pre>([^]*?)<\/pre>/g, (block, html) => mark(block, html, entry));
    if (entry.endsWith("tutorial.md.html")) {
      text = withSteps(text);
    }
    if (live > before || text.includes('class="play"')) {
      const script = `<script type="module" src="${join(up, "playground/run.js")}"></script>`;
      writeFileSync(path, text.replace("</body>", `${script}\n</body>`));
    }
  }
}
cpSync(playground, join(pages, "playground"), { recursive: true });
console.log(`${live} examples can be run, ${wrong} of them print something else`);
process.exit(wrong === 0 && live > 100 ? 0 : 1);
