// node web/test/frames.mjs FOLDER [COUNT [SECONDS]]: draws the swarm with COUNT boxes in a browser
// without a window and without a graphics card. Prints frames per second, and their CPU time.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { launch, newPage, serve } from "./browser.mjs";

const [folder, count = "2000", seconds = "10"] = process.argv.slice(2);
const server = await serve(folder);
const browser = await launch(["--disable-gpu"]);

/** The CPU time in seconds that a process and its descendants have used (Linux). */
function used(id) {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = new Set([id]);
  for (let before = 0; before < tree.size;) {
    before = tree.size;
    rows.forEach(([child, parent]) => tree.has(parent) && tree.add(child));
  }
  let ticks = 0;
  for (const one of tree) {
    try {
      const parts = readFileSync(`/proc/${one}/stat`, "utf8").split(") ")[1].split(" ");
      ticks += Number(parts[11]) + Number(parts[12]);
    } catch (error) {
      // This process has ended in the meantime.
    }
  }
  return ticks / 100;
}

const page = await newPage(browser, `${server.url}?paused&seed=7#swarm`);
await page.waitForFunction(() => window.playground?.player.size, { timeout: 60000 });
await page.evaluate(async (boxes) => {
  const all = await (await fetch("programs.json")).json(), path = "examples/swarm/simulation.lua";
  all[path] = all[path].replace("COUNT = 10000", `COUNT = ${boxes}`);
  const { player, editor } = window.playground;
  editor.view.dom.style.display = "none";
  player.begin({ files: all, main: "examples/swarm/main.lua", seed: 7 });
  await new Promise((done) => setTimeout(done, 3000));
  player.isRunning = true;
}, Number(count));
const now = async () => [await page.evaluate(() => window.playground.player.frames),
  performance.now() / 1000, used(browser.process().pid)];
await new Promise((done) => setTimeout(done, 2000));
const [frames, time, cpu] = await now();
await new Promise((done) => setTimeout(done, 1000 * Number(seconds)));
const [framesLater, timeLater, cpuLater] = await now();
const n = framesLater - frames;
console.log(`${count} boxes: ${(n / (timeLater - time)).toFixed(1)} frames a second, ` +
  `${((1000 * (cpuLater - cpu)) / n).toFixed(1)} ms of a processor for each`);
const told = await page.$$eval("#graphs b", (list) => list.map((one) => one.textContent));
console.log(`the page says: ${told.join(", ")}`);
await browser.close();
server.close();
