// node web/test/run.mjs FOLDER LUA PAGES [PICTURES]: the playground in FOLDER, and the examples in
// PAGES, in a browser without a window. What games end with is compared with LUA without a page.
// PICTURES: a folder for what was seen.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, newPage, serve } from "./browser.mjs";
import { hostile } from "./hostile.mjs";

const [folder, lua, pages, pictures = join(folder, "../web-pictures")] = process.argv.slice(2);
const test = dirname(fileURLToPath(import.meta.url));
const project = join(test, "../..");
const only = process.env.ONLY && new RegExp(process.env.ONLY);
const variants = readdirSync(folder).filter((name) => ["simd", "plain"].includes(name));

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const read = (path) => readFileSync(join(project, path), "utf8");
mkdirSync(pictures, { recursive: true });
execFileSync("node", ["web/pack.mjs", "examples/starter", join(folder, "starter.json"),
  "left=left", "right=right", "jump=space"], { cwd: project });

let passed = 0, failed = 0;
const server = await serve(folder);
const docs = await serve(pages);
const browser = await launch();

/** Runs one check; it gets a page of its own, where nothing may be said on the console. */
async function check(name, open, run) {
  if (only && !only.test(name)) {
    return;
  }
  const start = Date.now();
  const home = open.page ? docs.url + open.page : server.url + (open.link || "");
  const page = await newPage(browser, home, ...(open.size || []));
  try {
    if (!open.page) {
      await page.waitForFunction(() => window.playground?.player.size, { timeout: 60000 });
    }
    await run(page);
    equal(page.said.join("\n"), "", "the console");
    passed++;
    console.log(`ok ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack}\n${page.said.join("\n")}`);
    await page.screenshot({ path: join(pictures, `failed-${failed}.png`) }).catch(() => {});
  }
  await page.close();
}

function equal(got, expected, what) {
  if (got !== expected) {
    throw new Error(`${what}: got ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
  }
}

function truth(value, what) {
  if (!value) {
    throw new Error(what);
  }
}

const message = (page) => page.$eval("#message", (element) => element.textContent);
const output = (page) => page.$eval("#output", (element) => element.textContent);
const framesOf = (page) => page.evaluate(() => window.playground.player.frames);

async function until(page, isRight, what, most = 20000) {
  const start = Date.now();
  while (!await isRight()) {
    truth(Date.now() - start < most, `${what}: never; the page says "${await message(page)}", ` +
      `the program "${await output(page).catch(() => "")}"`);
    await wait(50);
  }
}

const goesOn = async (page) => {
  const before = await framesOf(page);
  await until(page, async () => await framesOf(page) > before + 3, "frames go on");
};

/** Begins a program of these files, beside those of the project. */
const begin = (page, main, files) => page.evaluate(async (path, texts) => {
  const all = await (await fetch("programs.json")).json();
  const { player } = window.playground;
  player.isRunning = false;
  player.begin({ files: { ...all, ...texts }, main: path, seed: 7 });
}, main, files);

/** Puts a text into the editor and runs it. */
async function edit(page, text) {
  await page.evaluate((doc) => {
    const { view } = window.playground.editor;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } });
  }, text);
  await page.click("#reset");
}

/** How many colours the picture has, and the share of pixels that are not of the commonest one. */
const measure = (page) => page.evaluate(() => {
  const { painter, picture } = window.playground.player, { gl } = painter;
  painter.paint(picture);
  const { drawingBufferWidth: w, drawingBufferHeight: h } = gl, bytes = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  const counts = new Map();
  for (const color of new Uint32Array(bytes.buffer)) {
    counts.set(color, (counts.get(color) || 0) + 1);
  }
  return { colors: counts.size, share: 1 - Math.max(...counts.values()) / (w * h) };
});

const picture = async (page, name) => {
  await page.evaluate(() => {
    const { painter, picture: last } = window.playground.player;
    painter.paint(last);
  });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
};

// --- every program ends where it ends without a page ---------------------------------------------

const native = (...args) => execFileSync(lua, args, { cwd: project, encoding: "utf8" }).trim();

const EXAMPLES = ["platformer", "barrage", "marbles", "sandbox", "swarm", "rollback", "dig",
  "bounce", "cannon"];
const scripts = Object.fromEntries(["player", "plays"].map((name) =>
  [`spec/love/${name}.lua`, read(`spec/love/${name}.lua`)]));

async function playToEnd(page) {
  let result = "";
  while (result === "") {
    result = await page.evaluate(() => window.playground.player.evaluate("return play()"));
  }
  return result;
}

async function looksRight(page, name, leastColors = 60, leastShare = 0.1) {
  const { colors, share } = await measure(page);
  truth(colors > leastColors && share > leastShare,
    `${colors} colours, ${share} is not background`);
  await picture(page, name);
}

for (const variant of variants) {
  for (const name of variant === "plain" && variants.length > 1 ? ["rollback"] : EXAMPLES) {
    const link = `?paused&seed=7${variant === "plain" ? "&plain" : ""}`;
    await check(`${name}, ${variant}`, { link },
      async (page) => {
        const main = `EXAMPLE = "${name}"\n${read("web/test/play.lua")}`;
        await begin(page, "test/main.lua", { ...scripts, "test/main.lua": main });
        equal(await playToEnd(page), native("spec/love/without.lua", name), "the state");
        await looksRight(page, `played-${name}-${variant}`);
      });
  }
}

await check("the README's game", { link: "?paused" }, async (page) => {
  await begin(page, "test/main.lua", { "test/main.lua": read("web/test/game.lua") });
  const programs = JSON.parse(readFileSync(join(folder, "programs.json"), "utf8"));
  writeFileSync(join(pictures, "game.lua"), programs["readme/main.lua"]);
  equal(await playToEnd(page), native("web/test/game.lua", join(pictures, "game.lua")), "the hash");
  await looksRight(page, "played-game", 1, 0.01);
});

// --- the page ------------------------------------------------------------------------------------

for (const name of ["game", ...EXAMPLES]) {
  await check(`${name} runs in the page`, { link: `#${name}` }, async (page) => {
    await goesOn(page);
    equal(await message(page), variants.includes("simd") ? "" : await message(page), "the message");
  });
}

await check("run, pause, step, reset", {}, async (page) => {
  await goesOn(page);
  await page.click("#run");
  await wait(300);
  const before = await framesOf(page);
  await wait(300);
  equal(await framesOf(page), before, "frames of a pause");
  await page.click("#step");
  await wait(300);
  equal(await framesOf(page), before + 1, "frames of a step");
  await page.click("#reset");
  await goesOn(page);
});

await check("a page in the background stops", {}, async (page) => {
  await goesOn(page);
  const other = await browser.newPage();
  await other.bringToFront();
  await wait(500);
  equal(await page.evaluate(() => document.visibilityState), "hidden", "the page");
  const before = await framesOf(page);
  await wait(500);
  equal(await framesOf(page), before, "frames of what is not seen");
  await other.close();
  await page.bringToFront();
  await goesOn(page);
});

const ECHO = `
function love.keypressed(key) print("press " .. key) end
function love.keyreleased(key) print("release " .. key) end
function love.mousepressed(x, y, button) print("button " .. button .. " at " .. x .. " " .. y) end
function love.draw() love.graphics.print("echo", 10, 10) end
`;

await check("keyboard and mouse", {}, async (page) => {
  await edit(page, ECHO);
  await goesOn(page);
  const box = await (await page.$("#canvas")).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  const expected = "button 1 at 400 300\npress left\nrelease left\npress space\nrelease space\n";
  await until(page, async () => await output(page) === expected, "what was pressed");
});

await check("fingers", { size: [390, 844, true] }, async (page) => {
  await edit(page, ECHO);
  await goesOn(page);
  await (await page.$("#canvas")).tap();
  await (await page.$("#keys button")).tap();
  await until(page, async () => /^button 1 at \d+ \d+\npress left\nrelease left\n$/.test(
    await output(page)), "what was touched");
});

await check("a link holds the program", {}, async (page) => {
  await edit(page, 'print("from a link")');
  await page.click("#link");
  await until(page, async () => page.url().includes("="), "the link");
  const other = await newPage(browser, page.url());
  await until(other, async () => await output(other).catch(() => "") === "from a link\n",
    "its output");
  await other.close();
  const damaged = await newPage(browser, `${page.url().slice(0, -9)}!!`);
  await until(damaged, async () => /damaged/.test(await message(damaged)), "the message");
  await goesOn(damaged);
  await damaged.close();
});

// --- programs that are up to no good -------------------------------------------------------------

for (const [name, { text, says, line, most }] of Object.entries(hostile)) {
  await check(`hostile: ${name}`, { link: "?limit=1" }, async (page) => {
    await edit(page, text);
    await until(page, async () => says.test(await message(page)), `a message like ${says}`, most);
    const marked = await page.$$eval(".cm-lint-marker-error", (list) => list.length);
    truth(line === undefined || marked === 1, "no line has a mark");
    await page.click("#original");
    await goesOn(page);
  });
}

// --- how it looks --------------------------------------------------------------------------------

for (const [width, height, isPhone] of [[390, 844, true], [1280, 900, false]]) {
  for (const scheme of ["light", "dark"]) {
    const name = `${width}-${scheme}`;
    const open = { link: "#platformer", size: [width, height, isPhone] };
    await check(`${width} pixels, ${scheme}`, open,
      async (page) => {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await goesOn(page);
        const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
        truth(wide <= width, `${wide} pixels wide`);
        await picture(page, name);
      });
  }
}

// --- examples in the pages of `make docs`, and a game alone --------------------------------------

/** Runs the example with that number, with another text if one is given. */
async function runExample(page, number, text) {
  await page.evaluate((i, changed) => {
    const pre = document.querySelectorAll("pre.live")[i];
    pre.textContent = changed ?? pre.textContent;
    document.querySelectorAll("button.live")[i].click();
  }, number, text ?? null);
  let answer = "...";
  for (let i = 0; i < 400 && answer === "..."; i++) {
    await wait(50);
    answer = await page.evaluate((k) => document.querySelectorAll("pre.answer")[k].textContent,
      number);
  }
  return answer;
}

await check("examples in pages", { page: "guides/calls.md.html" }, async (page) => {
  await page.waitForSelector("button.live");
  equal(await runExample(page, 0), "floor", "the first example");
  equal(await runExample(page, 0, "print(world:count())"), "0", "what was edited");
  equal(await runExample(page, 1, "\nerror('on purpose')"), "example.lua:2: on purpose",
    "an error");
  truth(/stopped/.test(await runExample(page, 2, "while true do end")), "a loop is stopped");
  await page.screenshot({ path: join(pictures, "pages.png") });
});

await check("a game alone", { link: "play.html?game=starter.json" }, async (page) => {
  await goesOn(page);
  await looksRight(page, "alone", 3, 0.05);
});

await browser.close();
server.close();
docs.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
