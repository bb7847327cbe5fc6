// node web/test/small.mjs FOLDER LUA: the tests of the program that need no browser. One known hash
// must come out, every example must end in the same state as with LUA, records must be replayed
// with the hashes of other Luas, and programs that never end must be stopped. FOLDER holds one
// variant.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hostile } from "./hostile.mjs";
import { files, layer, load, project } from "./machine.mjs";

const [folder, lua] = process.argv.slice(2);
const EXAMPLES = ["platformer", "barrage", "marbles", "sandbox", "swarm", "rollback", "dig",
  "bounce", "cannon", "billiards", "pinball", "topdown", "jar", "rooms"];
const LIBRARY = ["lua/broadside", "examples/support", "spec/determinism", "spec/support",
  "spec/love"];

const read = (path) => readFileSync(join(project, path), "utf8");
const machine = await load(folder);
let failed = 0;

/** Starts Lua again, with the files of these folders. */
function start(milliseconds, ...folders) {
  machine.start(1e9, milliseconds);
  files([...LIBRARY, ...folders]).forEach((file) => machine.put(...file));
  machine.run("@love.lua", layer);
}

function check(name, isRight, got) {
  failed += isRight ? 0 : 1;
  console.log(isRight ? `ok ${name}` : `FAILED ${name}: ${got}`);
}

/** Returns the error message of a program that fails. */
function complaint(text, limit) {
  start(1000 * limit);
  machine.put("readme/main.lua", text);
  try {
    machine.call("begin", "readme/main.lua", -1);
    for (let i = 0; i < 3; i++) {
      machine.call("update", "", 1 / 60);
      machine.call("draw");
    }
  } catch (error) {
    return error.message;
  }
  return "nothing";
}

start(0);
machine.run("=work", 'assert(loadfile("spec/determinism/work.lua"))("60")');
const hash = machine.call("tell").split("\n")[2];
check("the golden hash", read("spec/determinism/expected.txt").split("\n").includes(hash), hash);

for (const name of EXAMPLES) {
  start(0, `examples/${name}`, "examples/hero"); // rooms has its hero
  machine.put("test/main.lua", `EXAMPLE = "${name}"\n${read("web/test/play.lua")}`);
  machine.call("begin", "test/main.lua", 7);
  let state = "";
  while (state === "") {
    state = machine.call("evaluate", "return play()");
    machine.takePicture();
  }
  const expected = execFileSync(lua, ["spec/love/without.lua", name],
    { cwd: project, encoding: "utf8" }).trim();
  check(name, state === expected, `${state}, and ${expected} in ${lua}`);
}

const games = {
  platformer: 'require("platformer.simulation").newGame()',
  duel: 'require("rollback.recorder").newGame()',
  billiards: 'require("billiards.simulation").newGame()',
};
for (const [name, game] of Object.entries(games)) {
  start(0, "examples/platformer", "examples/rollback", "examples/billiards");
  const record = read(`spec/examples/records/${name}.txt`);
  const steps = machine.call("evaluate", `package.path = "examples/?.lua;" .. package.path
    return tostring(require("broadside.play").replay(${game}, ${JSON.stringify(record)}).steps)`);
  check(`record: ${name}`, record.includes(`\nend ${steps} `), steps);
}

for (const [name, { text, says, line, limit = 1 }] of Object.entries(hostile)) {
  if (line) {
    const got = complaint(text, limit);
    check(`hostile: ${name}`, says.test(got), got);
  }
}

// Finds the syntax errors that a browser would report.
for (const home of ["web", "web/page", "web/test"]) {
  for (const name of readdirSync(join(project, home)).filter((file) => /\.m?js$/.test(file))) {
    execFileSync("node", ["--input-type=module", "--check"], { input: read(`${home}/${name}`) });
  }
}

process.exit(failed === 0 ? 0 : 1);
