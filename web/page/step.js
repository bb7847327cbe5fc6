// Plays the program of a step of the tutorial in the tutorial's page. Only one step plays at a
// time, and only while it is visible.

import { listen, showKeys } from "./input.js";
import { Player } from "./player.js";
import { programs } from "./programs.js";

let current; // the player of the step that plays

function make(kind, properties, ...children) {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

const button = (text, onclick) => make("button", { type: "button", textContent: text, onclick });

function run(player, toggle, isRunning) {
  if (isRunning && current && current.player !== player) {
    run(current.player, current.toggle, false);
  }
  current = isRunning ? { player, toggle } : current;
  player.isRunning = isRunning;
  toggle.textContent = isRunning ? "Pause" : "Play";
}

/** place: the element to fill; home: the folder of the playground. */
export function playStep(place, step, files, home) {
  const program = programs.find((one) => one.name === `tutorial${step}`);
  const canvas = make("canvas", { tabIndex: 0, width: 800, height: 600,
    ariaLabel: `the picture of step ${step}` });
  const message = make("p", { role: "status" }), keys = make("div", { className: "keys" });
  const show = ({ output }) => message.append(...output.map((line) => `${line}\n`));
  const player = new Player(canvas, new URL("worker.js", home), files["web/love.lua"], {
    begun(answer) {
      show(answer);
      run(player, toggle, true);
      place.scrollIntoView({ block: "nearest" });
    },
    frame: show,
    error(text) {
      message.textContent = text;
      run(player, toggle, false);
    },
    stopped: () => run(player, toggle, false),
  });
  const begin = () => {
    message.textContent = "";
    player.begin({ files, main: program.main, seed: -1 });
    canvas.focus({ preventScroll: true });
  };
  const toggle = button("Pause", () => {
    run(player, toggle, !player.isRunning);
    canvas.focus({ preventScroll: true });
  });
  const change = make("a", { href: new URL(`index.html#${program.name}`, home) }, "Change it");
  place.replaceChildren(canvas, keys, make("div", { className: "buttons" }, toggle,
    button("Again", begin), change), message);
  place.player = player; // for tests
  listen(canvas, player);
  showKeys(keys, program.keys, player);
  new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting && player.isRunning) {
      run(player, toggle, false);
    }
  }).observe(canvas);
  begin();
}
