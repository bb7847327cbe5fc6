// node web/test/determinism.mjs FOLDER: runs the program of spec/determinism in WebAssembly,
// outside a page, and prints the hash of each mode. FOLDER holds one variant.

import { files, layer, load } from "./machine.mjs";

const machine = await load(process.argv[2]);
for (const mode of ["", "straight", "rollback"]) {
  machine.start(1e9, 0);
  files(["lua/broadside", "spec/determinism", "spec/support"]).forEach((file) =>
    machine.put(...file));
  machine.run("@love.lua", layer);
  const rest = mode && `, "${mode}"`;
  machine.run("=work", `assert(loadfile("spec/determinism/work.lua"))("60"${rest})`);
  console.log(machine.call("tell").split("\n").slice(2).join("\n"));
}
