// Plays one game in a page of its own: the file game.json beside the page, or the one that ?game=
// names. web/pack.mjs writes such files.

import { listen, showKeys } from "./input.js";
import { Player } from "./player.js";

const message = document.getElementById("message");
const canvas = document.getElementById("canvas");

async function fetchJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) {
    throw new Error(`${path}: ${answer.status}`);
  }
  return answer.json();
}

async function main() {
  const name = new URLSearchParams(location.search).get("game") || "game.json";
  const game = await fetchJson(name);
  const say = (text) => { message.textContent = text; };
  const player = new Player(canvas, "worker.js", game.layer, {
    begun(answer) {
      document.title = answer.title || document.title;
      player.isRunning = true;
    },
    frame(answer) {
      answer.output.forEach((line) => console.log(line));
    },
    error: (text) => say(text),
    stopped: () => say("The game has ended."),
  });
  window.playground = { player };
  listen(canvas, player);
  showKeys(document.getElementById("keys"), game.keys, player);
  player.begin({ files: game.files, main: "main.lua", seed: -1 });
  canvas.focus();
}

main().catch((error) => { message.textContent = String(error.message || error); });
