// node web/test/speed.mjs FOLDER LUA: the swarm's step in WebAssembly, and in LUA.

import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { files, layer, load } from "./machine.mjs";

const [folder, lua] = process.argv.slice(2);
const project = join(dirname(fileURLToPath(import.meta.url)), "../..");

const machine = await load(folder);
for (const milliseconds of [0, 60000]) {
  machine.start(1e9, milliseconds);
  files(["lua/broadside", "examples/swarm", "web/test"]).forEach((file) => machine.put(...file));
  machine.run("@love.lua", layer);
  machine.run("=speed", 'dofile("web/test/speed.lua")');
  console.log(`WebAssembly, ${milliseconds ? "watched" : "not watched"}: ` +
    machine.call("tell").split("\n")[2]);
}
const native = execFileSync(lua, ["web/test/speed.lua"], { cwd: project, encoding: "utf8" });
console.log(`${lua}: ${native}`);
