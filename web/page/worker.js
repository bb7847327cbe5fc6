// Runs one program. The page sends frames with the player's input, and the worker answers each with
// what was drawn. If no answer comes, the page ends the worker.

import { hasVectors, LuaError, newMachine } from "./machine.js";

const BYTES = 192 * 1024 * 1024;

const variant = hasVectors() && !self.location.hash.includes("plain") ? "simd" : "plain";

let machine;

async function load() {
  const folder = new URL(`./${variant}/`, self.location.href);
  const [factory, answer] = await Promise.all([
    import(new URL("program.js", folder).href),
    fetch(new URL("program.wasm", folder)),
  ]);
  if (!answer.ok) {
    throw new Error(`${answer.url}: ${answer.status}`);
  }
  machine = await newMachine(factory.default, await answer.arrayBuffer());
}

const loaded = load();
loaded.then(() => self.postMessage({ kind: "loaded" }), () => {});

/** Sends what was drawn, the state of the program, and the time that it took. */
function answer(kind, milliseconds, wantsCounts) {
  const picture = machine.takePicture();
  const [numbers, title, ...output] = machine.call("tell", "", wantsCounts ? 1 : 0).split("\n");
  const [width, height, hasEnded, bytes, boxes, pairs] = numbers.split(" ").map(Number);
  const transfer = [picture.vertices, picture.indices, picture.batches];
  self.postMessage({ kind, picture, title, width, height, hasEnded: hasEnded === 1, bytes, boxes,
    pairs, output: output.filter((line) => line !== ""), milliseconds, variant,
    sliders: kind === "begun" ? machine.call("sliders") : "" }, transfer);
}

const kinds = {
  begin({ files, layer, widths, main, seed, limit = 4000 }) {
    machine.start(BYTES, limit);
    for (const [path, text] of Object.entries(files)) {
      machine.put(path, text);
    }
    machine.run("@love.lua", layer);
    machine.run("=widths", `require("web.graphics").setWidths({${widths.join(",")}})`);
    machine.call("begin", main, seed);
    machine.call("draw");
    answer("begun", 0, true);
  },
  frame({ dt, events, wantsCounts }) {
    const start = performance.now();
    for (const event of events) {
      machine.call(...event);
    }
    machine.call("update", "", dt);
    machine.call("draw");
    answer("frame", performance.now() - start, wantsCounts);
  },
  /** For tests: returns the result of a chunk. */
  evaluate({ code }) {
    const text = machine.call("evaluate", code);
    answer("frame", 0, false);
    self.postMessage({ kind: "evaluated", text });
  },
};

self.onmessage = async ({ data }) => {
  try {
    await loaded;
    kinds[data.kind](data);
  } catch (error) {
    const isLua = error instanceof LuaError;
    self.postMessage({ kind: "error", isLua, text: isLua ? error.message : String(error) });
  }
};
