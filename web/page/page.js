// The playground: an editor beside a canvas. It runs the files as they are in the editor.

import { Editor } from "./editor.js";
import { Graphs } from "./graphs.js";
import { listen, showKeys } from "./input.js";
import { pack, unpack } from "./link.js";
import { Player } from "./player.js";
import { filesOf, programs } from "./programs.js";
import { showSliders } from "./sliders.js";

const $ = (id) => document.getElementById(id);
const settings = new URLSearchParams(location.search);

let all; // {path: text} of the project
let program, shown; // shown: the path of the file in the editor
let changed = {}; // {path: text} of edited files

const layerOf = (files) => files["web/love.lua"];

function say(text, isError) {
  $("message").textContent = text;
  $("message").classList.toggle("error", Boolean(isError));
}

function print(lines) {
  if (lines.length > 0) {
    const kept = `${$("output").textContent}${lines.join("\n")}\n`.split("\n").slice(-200);
    $("output").textContent = kept.join("\n");
    $("output").hidden = false;
    $("output").scrollTop = $("output").scrollHeight;
  }
}

const graphs = new Graphs($("graphs"));
let player;

const editor = new Editor($("editor"), {
  run: () => start(),
  changed(text) {
    if (text === all[shown]) {
      delete changed[shown];
    } else {
      changed[shown] = text;
    }
    showTabs();
  },
});

function showTabs() {
  $("files").replaceChildren(...filesOf(program, all).map((path) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.textContent = path.split("/").pop() + (path in changed ? " *" : "");
    tab.ariaSelected = String(path === shown);
    tab.onclick = () => open(path);
    return tab;
  }));
}

function open(path) {
  shown = path;
  editor.show(changed[path] ?? all[path]);
  showTabs();
}

function setRunning(isRunning) {
  player.isRunning = isRunning;
  $("run").textContent = isRunning ? "Pause" : "Run";
}

/** Starts the program again, with the files as they are in the editor. */
function start() {
  editor.clearMarks();
  graphs.clear();
  $("output").textContent = "";
  $("output").hidden = true;
  say("loading ...");
  const seed = Number(settings.get("seed") ?? (Date.now() % 100000));
  const limit = Number(settings.get("limit") || 4) * 1000;
  player.begin({ files: { ...all, ...changed }, main: program.main, seed, limit });
  setRunning(!settings.has("paused"));
}

/**
 * Marks the first place in the message that is in a file of the program: that of the error, or of a
 * caller.
 */
function markError(text) {
  for (const [, path, line] of text.matchAll(/([\w./-]+\.lua):(\d+):/g)) {
    if (filesOf(program, all).includes(path)) {
      if (path !== shown) {
        open(path);
      }
      editor.mark(Number(line), text.split("\n")[0]);
      return;
    }
  }
}

const told = {
  begun(answer) {
    say(answer.variant === "plain" ? "This browser has no SIMD: slower." : "");
    document.title = answer.title || `Broadside: ${program.title}`;
    showSliders($("sliders"), answer.sliders, player);
    told.frame(answer);
  },
  frame(answer) {
    graphs.add(answer);
    print(answer.output);
    if (answer.picture.dropped > 0) {
      say("More is drawn than this page can hold.", true);
    }
  },
  error(text) {
    setRunning(false);
    say(text.split("\nstack traceback:")[0], true);
    print(text.split("\n").slice(1));
    markError(text);
  },
  stopped() {
    setRunning(false);
    say("The program has ended. Reset begins it again.");
  },
};

async function choose(name, edits = {}) {
  program = programs.find((one) => one.name === name) || programs[0];
  changed = edits;
  $("program").value = program.name;
  showKeys($("keys"), program.keys, player);
  open(filesOf(program, all)[0]);
  start();
}

async function share() {
  const url = new URL(location.href);
  url.hash = await pack(program.name, changed);
  history.replaceState(null, "", url);
  try {
    await navigator.clipboard.writeText(url.href);
    say("The link is in the clipboard.");
  } catch (error) {
    say("The link is in the address bar.");
  }
}

function connect() {
  for (const one of programs) {
    $("program").add(new Option(one.title, one.name));
  }
  $("program").onchange = () => {
    history.replaceState(null, "", `#${$("program").value}`);
    choose($("program").value);
  };
  $("run").onclick = () => {
    if (!player.isLive && !player.waitsSince) {
      start();
      setRunning(true);
    } else {
      setRunning(!player.isRunning);
    }
    $("canvas").focus({ preventScroll: true });
  };
  $("step").onclick = () => {
    setRunning(false);
    player.step();
  };
  $("reset").onclick = () => {
    start();
    $("canvas").focus({ preventScroll: true });
  };
  $("original").onclick = () => choose(program.name);
  $("link").onclick = share;
  listen($("canvas"), player);
  window.addEventListener("hashchange", openLink);
}

async function openLink() {
  const { name, changed: edits, isDamaged } = await unpack(location.hash);
  await choose(name, edits);
  if (isDamaged) {
    say("The link is damaged: this is the program as it was.", true);
  }
}

async function main() {
  try {
    all = await (await fetch("programs.json")).json();
    const worker = settings.has("plain") ? "worker.js#plain" : "worker.js";
    player = new Player($("canvas"), worker, layerOf(all), told);
  } catch (error) {
    say(String(error.message || error), true);
    return;
  }
  window.playground = { player, choose, editor, get program() { return program; } };
  connect();
  await openLink();
}

main();
