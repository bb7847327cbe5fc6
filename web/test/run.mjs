// node web/test/run.mjs FOLDER LUA PAGES [PICTURES]: tests the playground in FOLDER, and the
// examples in PAGES, in a browser without a window. The final states of games must be the same as
// with LUA outside a page. Screenshots go to the folder PICTURES.

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

/** Runs one check in a page of its own, in which the console must stay empty. */
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

/** Starts a program that consists of these files and those of the project. */
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

/**
 * Counts the colours of the picture, and the share of pixels that differ from the most common
 * colour.
 */
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
  "bounce", "cannon", "billiards", "pinball", "topdown", "jar", "rooms"];
const scripts = Object.fromEntries(["player", "plays"].map((name) =>
  [`spec/love/${name}.lua`, read(`spec/love/${name}.lua`)]));

async function playToEnd(page) {
  let result = "";
  while (result === "") {
    result = await page.evaluate(() => window.playground.player.evaluate("return play()"));
  }
  return result;
}

/** Takes a picture of the frame that LÖVE draws when playToEnd ends. */
function nativePicture(name) {
  const path = join(pictures, `love-${name}.png`);
  const env = { ...process.env, SDL_VIDEODRIVER: "offscreen" };
  delete env.LUA_PATH; // so that it finds the build for LuaJIT
  delete env.LUA_CPATH;
  execFileSync("love", ["spec/love", name, path, "-"], { cwd: project, env, stdio: "pipe" });
  return path;
}

/**
 * Compares the canvas with a picture: squares of 8 pixels by the mean of their colours, as letters
 * and edges are not drawn alike to the pixel. Returns the share of pixels and of squares that
 * differ.
 */
const compare = (page, path) => page.evaluate(async (data) => {
  const SQUARE = 8, MOST = 24; // of 255
  const { painter, picture: last, size: [w, h] } = window.playground.player, { gl } = painter;
  painter.resize(w, h, 1);
  painter.paint(last);
  const got = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, got); // from the bottom row up
  const image = new Image();
  image.src = data;
  await image.decode();
  const context = new OffscreenCanvas(w, h).getContext("2d");
  context.drawImage(image, 0, 0);
  const expected = context.getImageData(0, 0, w, h).data;
  const columns = Math.ceil(w / SQUARE);
  const sums = new Float64Array(3 * columns * Math.ceil(h / SQUARE));
  let pixels = 0, squares = 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const square = columns * Math.floor(y / SQUARE) + Math.floor(x / SQUARE);
      let most = 0;
      for (let part = 0; part < 3; part++) {
        const more = got[4 * ((h - 1 - y) * w + x) + part] - expected[4 * (y * w + x) + part];
        sums[3 * square + part] += more / SQUARE ** 2;
        most = Math.max(most, Math.abs(more));
      }
      pixels += most > MOST ? 1 : 0;
    }
  }
  for (let i = 0; i < sums.length; i += 3) {
    squares += Math.max(...sums.subarray(i, i + 3).map(Math.abs)) > MOST ? 1 : 0;
  }
  return { size: [image.width, image.height, w, h], pixels: pixels / (w * h),
    squares: squares / (sums.length / 3) };
}, `data:image/png;base64,${readFileSync(path).toString("base64")}`);

/**
 * At most this share of the squares may differ, because of numbers that show times, and of letters.
 */
const MOST_SQUARES = 0.01;

async function looksAsNative(page, name) {
  const { size: [w, h, ...ours], pixels, squares } = await compare(page, nativePicture(name));
  const percent = (share) => `${(100 * share).toFixed(2)}%`;
  console.log(`   ${name}: unlike LÖVE's picture are ${percent(pixels)} of the pixels, ` +
    `${percent(squares)} of squares of 8 x 8`);
  equal(String(ours), String([w, h]), "the size of the picture");
  truth(squares <= MOST_SQUARES, `${squares} of the picture is not as in LÖVE`);
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
        await looksAsNative(page, name);
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

const TUTORIAL = [1, 2, 3, 4, 5, 6, 7].map((step) => `tutorial${step}`);
for (const name of ["game", ...EXAMPLES, "walker", "recipe-ladder",
  "recipe-belts-from-above", ...TUTORIAL]) {
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

await check("late frames are drawn more simply", { link: "?paused#platformer" }, async (page) => {
  const notice = (passed, took) => page.evaluate((...given) => {
    const { player } = window.playground;
    player.milliseconds = given[1];
    for (let i = 0; i < 200; i++) {
      player.notice(given[0]);
    }
    return player.painter.samples;
  }, passed, took);
  equal([await notice(17, 1), await notice(34, 1), await notice(60, 50)].join(), "4,4,4", "samples");
  const before = await measure(page);
  equal(await notice(60, 1), 0, "samples");
  const { colors, share } = await measure(page);
  truth(colors < before.colors && colors > 10, `${colors} colours after ${before.colors}`);
  truth(Math.abs(share - before.share) < 0.01, `${share} is not background, ${before.share} before`);
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

const LOOK = `
web.sliders = {
  { "size", 0, 10, 0.5, 3, function(value) print("size " .. value) end },
  { "speed", -5, 5, 1, 0, function(value) print("speed " .. value) end },
}
`;

await check("sliders", {}, async (page) => {
  equal(await page.$eval("#sliders", (folder) => folder.hidden), true, "no sliders");
  await edit(page, LOOK);
  await goesOn(page);
  await page.waitForSelector("#sliders input");
  equal(await page.$eval("#sliders", (folder) => folder.innerText.split(/\s+/).join(" ").trim()),
    "size 3 speed 0", "sliders and values");
  await page.focus("#sliders input");
  await page.keyboard.press("ArrowRight");
  await page.focus("#sliders label:last-child input");
  await page.keyboard.press("ArrowLeft");
  await until(page, async () => await output(page) === "size 3.5\nspeed -1.0\n", "what was moved");
});

const WALK = `
web.handlers.press("right", 0)
for _ = 1, 300 do
  web.handlers.update("", 1 / 60)
end
for i = 1, 20 do
  local name, value = debug.getupvalue(love.update, i)
  if name == "hero" then
    return math.floor(value.box:getRect())
  end
end
`;

await check("the walker's options", { link: "?paused#walker" }, async (page) => {
  await until(page, () => page.$("#sliders input"), "sliders");
  const walk = () => page.evaluate((code) => window.playground.player.evaluate(code), WALK);
  const slide = async (number, value) => {
    await page.evaluate((i, text) => {
      const input = document.querySelectorAll("#sliders input")[i];
      input.value = text;
      input.dispatchEvent(new Event("input"));
    }, number, value);
    await page.click("#step");
  };
  equal(await walk(), "413", "stopped by the slope of 60 degrees");
  await slide(0, "70"); // maxSlope
  equal(await walk(), "520", "stopped by the first step");
  await slide(2, "20"); // stepHeight
  equal(await walk(), "598", "stopped by the step of 24 pixels");
  await slide(2, "32");
  equal(await walk(), "884", "as far as the wall");
});

// --- programs that are up to no good -------------------------------------------------------------

for (const [name, { text, says, line, most, limit = 1 }] of Object.entries(hostile)) {
  await check(`hostile: ${name}`, { link: `?limit=${limit}` }, async (page) => {
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

/** Runs the example with that number; `text` replaces its program. */
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

await check("examples in pages", { page: "guides/api.md.html" }, async (page) => {
  await page.waitForSelector("button.live");
  equal(await runExample(page, 0), "floor", "the first example");
  equal(await runExample(page, 0, "print(world:count())"), "0", "what was edited");
  equal(await runExample(page, 1, "\nerror('on purpose')"), "example.lua:2: on purpose",
    "an error");
  truth(/stopped/.test(await runExample(page, 2, "while true do end")), "a loop is stopped");
  await page.screenshot({ path: join(pictures, "pages.png") });
});

const field = "form.search input";
const results = (page) => page.$$eval("#found a", (list) => list.map((one) => one.innerText));

for (const [width, height, isPhone] of [[390, 844, true], [1280, 900, false]]) {
  for (const scheme of ["light", "dark"]) {
    const open = { page: "guides/walker.md.html", size: [width, height, isPhone] };
    await check(`search, ${width} pixels, ${scheme}`, open, async (page) => {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.keyboard.press("/");
      await page.keyboard.type("contacts changes");
      await page.waitForSelector("#found a mark");
      const box = await (await page.$("#found")).boundingBox();
      truth(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height,
        `the results are beyond the screen: ${JSON.stringify(box)}`);
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
      truth(wide <= width, `${wide} pixels wide`);
      await page.screenshot({ path: join(pictures, `search-${width}-${scheme}.png`) });
    });
  }
}

// A search first finds the page that has the words as its heading. A part of a name also finds it,
// and so does a name with a typing error.
const FOUND = { "queryCircle": /^world:queryCircle/, "circle quer": /^world:queryCircle/,
  "queryCircel": /queryCircle/, "one-way": /way/i, "x + y =": /./, "LDtk": /LDtk/i,
  "options of a walker": /^Options of a walker/, "sensor": /^Sensors/, "lift": /lift/i,
  "moving platform": /^The hero falls through/, "newWorld": /^newWorld/ };

await check("search", { page: "index.html" }, async (page) => {
  await page.keyboard.press("/");
  for (const [query, expected] of Object.entries(FOUND)) {
    await page.$eval(field, (input) => { input.value = ""; });
    await page.type(field, query);
    let first;
    for (let i = 0; i < 200 && !expected.test(first); i++) {
      await wait(50);
      [first] = await results(page);
    }
    truth(expected.test(first), `${query}: the first result is ${first}`);
  }
  await page.$eval(field, (input) => { input.value = ""; });
  await page.type(field, "xyzzyx");
  await page.waitForSelector("#found p");
  await page.keyboard.press("Escape");
  equal(await page.$eval("#found", (list) => list.hidden), true, "closed by Escape");
  await page.$eval(field, (input) => { input.value = ""; });
  await page.type(field, "walker");
  await page.waitForSelector("#found a");
  await page.keyboard.press("ArrowDown");
  const link = await page.$eval('#found [aria-selected="true"]', (one) => one.href);
  equal(link, (await page.$$eval("#found a", (list) => list.map((one) => one.href)))[1],
    "the second one is chosen");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  equal(page.url(), link, "where Enter leads");
});

await check("search without a server", { page: "index.html" }, async () => {
  const page = await newPage(browser, `file://${join(pages, "modules/broadside.walker.html")}`);
  await page.type(field, "rollback");
  await page.waitForSelector("#found a");
  await page.close();
});

await check("what a search finds is there", { page: "index.html" }, async (page) => {
  const missing = await page.evaluate(async () => {
    let rows;
    window.broadsidePages = (all) => { rows = all; };
    await new Promise((done) => {
      const script = document.createElement("script");
      script.src = "search-pages.js";
      script.onload = done;
      document.head.append(script);
    });
    const homes = {}, list = [];
    for (const [link] of rows) {
      const [path, id] = link.split("#");
      homes[path] ??= new DOMParser().parseFromString(await (await fetch(path)).text(),
        "text/html");
      if (id && !homes[path].getElementById(id)) {
        list.push(link);
      }
    }
    return rows.length > 400 ? list : ["too few rows", rows.length];
  });
  equal(missing.join(" "), "", "links without a place");
});

/** Plays a step in the tutorial's page for some frames. */
async function playStep(page, step) {
  const button = await page.$(`div.play[data-step="${step}"] button`);
  await button.scrollIntoView();
  await button.click();
  const frames = () => page.$eval(`div.play[data-step="${step}"]`, (place) => place.player?.frames);
  for (let i = 0; i < 400 && !(await frames() > 20); i++) {
    await wait(50);
  }
  truth(await frames() > 20, `step ${step} does not go on: ` +
    await page.$eval(`div.play[data-step="${step}"]`, (place) => place.textContent));
}

for (const [width, height, isPhone] of [[390, 844, true], [1280, 900, false]]) {
  const open = { page: "guides/tutorial.md.html", size: [width, height, isPhone] };
  await check(`the tutorial, ${width} pixels`, open, async (page) => {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme",
      value: isPhone ? "dark" : "light" }]);
    equal(await page.$$eval("div.play button", (list) => list.length), 7, "steps");
    for (let step = 1; step <= 7; step++) {
      await playStep(page, step);
      const running = await page.$$eval("div.play", (list) =>
        list.filter((place) => place.player?.isRunning).map((place) => place.dataset.step));
      equal(running.join(" "), String(step), "what runs");
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
      truth(wide <= width, `${wide} pixels wide`);
      if (step === 6 || step === 7) {
        await page.screenshot({ path: join(pictures, `tutorial-${step}-${width}.png`) });
      }
    }
    equal(await page.$eval('div.play[data-step="7"] p', (text) => text.textContent),
      "5 successes / 0 failures / 0 errors\n", "the test of the game");
  });
}

await check("a game alone", { link: "play.html?game=starter.json" }, async (page) => {
  await goesOn(page);
  await looksRight(page, "alone", 3, 0.05);
});

await browser.close();
server.close();
docs.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
