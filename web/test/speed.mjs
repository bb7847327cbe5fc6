// node --no-liftoff web/test/speed.mjs FOLDER LUA: compares the CPU time of the swarm's step in
// WebAssembly and in LUA. (With Liftoff, node begins with slow code and compiles meanwhile.)

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
  let best = Infinity;
  for (let i = 0; i < 40; i++) {
    const { user, system } = process.cpuUsage();
    machine.call("evaluate", "play() return 0");
    const later = process.cpuUsage();
    best = Math.min(best, (later.user + later.system - user - system) / 5000);
  }
  console.log(`WebAssembly, ${milliseconds ? "watched" : "not watched"}: ${best.toFixed(2)} ms`);
}
const native = execFileSync(lua, ["web/test/speed.lua"], { cwd: project, encoding: "utf8" });
console.log(`${lua}: ${native}`);
