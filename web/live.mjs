// node web/live.mjs PAGES PLAYGROUND: puts the playground beside the pages of `make docs`, and a
// button to each example that prints something and runs by itself. Where `-->` says what it prints,
// that must be so.

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { PRELUDE } from "./page/prelude.js";
import { files, layer, load } from "./test/machine.mjs";

const [pages, playground] = process.argv.slice(2);
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
const plain = (html) => html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|#39|amp);/g, (e) =>
  ENTITIES[e]);

const variant = readdirSync(playground).includes("simd") ? "simd" : "plain";
const machine = await load(join(playground, variant));
const library = files(["lua/broadside"]);

/** What a text prints; null if it fails. */
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

/** The same block, with a mark if it can be run. */
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

for (const entry of readdirSync(pages, { recursive: true })) {
  if (entry.endsWith(".html") && !entry.startsWith("playground")) {
    const path = join(pages, entry);
    const before = live;
    let text = readFileSync(path, "utf8").replace(/<pre>([^]*?)<\/pre>/g, (block, html) =>
      mark(block, html, entry));
    if (live > before) {
      const script = join(relative(dirname(path), pages), "playground/run.js");
      text = text.replace("</body>", `<script type="module" src="${script}"></script>\n</body>`);
    }
    writeFileSync(path, text);
  }
}
cpSync(playground, join(pages, "playground"), { recursive: true });
console.log(`${live} examples can be run, ${wrong} of them print something else`);
process.exit(wrong === 0 && live > 100 ? 0 : 1);
