// node web/test/determinism.mjs FOLDER: the work of spec/determinism in WebAssembly, outside of a
// page; prints the hash of each mode.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { newMachine } from "../page/machine.js";

const folder = process.argv[2];
const project = join(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (path) => readFileSync(join(project, path), "utf8");

/** What Emscripten has made is a module, whatever the end of its name says. */
async function load() {
  globalThis.self ??= globalThis;
  globalThis.location ??= { href: "http://localhost/" };
  const text = readFileSync(join(folder, "program.js"), "utf8");
  const url = `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
  return newMachine((await import(url)).default, readFileSync(join(folder, "program.wasm")));
}

const machine = await load();
for (const mode of ["", "straight", "rollback"]) {
  machine.start(1e9, 0);
  for (const path of ["lua/broadside", "spec/determinism", "spec/support"]) {
    readdirSync(join(project, path)).filter((name) => name.endsWith(".lua"))
      .forEach((name) => machine.put(`${path}/${name}`, read(`${path}/${name}`)));
  }
  machine.run("@love.lua", read("web/love.lua"));
  machine.run("=work", `assert(loadfile("spec/determinism/work.lua"))("60"${mode && `, "${mode}"`})`);
  console.log(machine.call("tell").split("\n").slice(2).join("\n"));
}
