// In the pages of `make docs`, adds a button to each example that can be run, and makes it
// editable. In the tutorial, each step gets a button that plays the program so far.

import { PRELUDE } from "./prelude.js";

const PATIENCE = 20000; // milliseconds, to load and to run
const home = new URL(".", import.meta.url);

const STYLE = `
pre.live { position: relative; padding-right: 4.5rem; }
pre.live:focus { outline: 2px solid var(--link); }
button.live { float: right; margin: 0.4rem; position: relative; z-index: 1; font: inherit;
  font-size: 0.85rem; color: var(--link); background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; padding: 0.1rem 0.7rem; cursor: pointer; }
pre.answer { margin-top: -0.6rem; border-left: 3px solid var(--link); white-space: pre-wrap; }
pre.answer.wrong { border-color: #c62828; }
div.play { margin: 1rem 0; }
div.play button { font: inherit; font-size: 0.9rem; color: var(--link); background: var(--paper);
  border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.9rem; min-height: 2.4rem;
  cursor: pointer; touch-action: manipulation; }
div.play canvas { display: block; width: 100%; background: #120f26; border-radius: 6px;
  margin-bottom: 0.5rem; touch-action: none; }
div.play canvas:focus-visible, div.play button:focus-visible { outline: 2px solid var(--link); }
div.play .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
div.play .keys { display: none; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 0.5rem; }
div.play .keys button { touch-action: none; user-select: none; -webkit-user-select: none;
  min-width: 3.2rem; min-height: 2.8rem; }
@media (any-pointer: coarse), (max-width: 800px) { div.play .keys { display: flex; } }
div.play p { margin: 0.4rem 0; color: var(--soft); white-space: pre-wrap; }
`;

let all; // a promise of the files

async function fetchFiles() {
  return (await fetch(new URL("programs.json", home))).json();
}

/** Runs a program in a worker of its own, and returns {text, isWrong}. */
async function run(code) {
  all = all || fetchFiles();
  const files = await all;
  const worker = new Worker(new URL("worker.js", home), { type: "module" });
  const result = await new Promise((done) => {
    const wrong = (text) => done({ text, isWrong: true });
    setTimeout(() => wrong("stopped: it does not answer"), PATIENCE);
    worker.onerror = (event) => wrong(event.message || "the worker could not be started");
    worker.onmessage = ({ data }) => {
      if (data.kind === "error") {
        wrong(data.text.split("\nstack traceback:")[0]);
      } else if (data.kind === "begun") {
        done({ text: data.output.join("\n"), isWrong: false });
      }
    };
    worker.postMessage({ kind: "begin", layer: files["web/love.lua"], widths: Array(95).fill(0.6),
      main: "example.lua", seed: -1, files: { ...files, "example.lua": PRELUDE + code } });
  });
  worker.terminate();
  return result;
}

function enliven(pre) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "live";
  button.textContent = "Run";
  button.title = "run it here; then it can be edited";
  const answer = document.createElement("pre");
  answer.className = "answer";
  answer.setAttribute("role", "status");
  answer.hidden = true;
  pre.before(button);
  pre.after(answer);
  button.onclick = async () => {
    pre.contentEditable = "plaintext-only";
    pre.spellcheck = false;
    answer.hidden = false;
    answer.textContent = "...";
    const { text, isWrong } = await run(pre.textContent).catch((error) =>
      ({ text: String(error.message || error), isWrong: true }));
    answer.textContent = text || "(nothing is printed)";
    answer.classList.toggle("wrong", isWrong);
  };
}

/**
 * Adds the button of a step of the tutorial. The code that plays it is loaded only when it is
 * clicked.
 */
function enlivenStep(place) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `Play step ${place.dataset.step}`;
  place.append(button);
  button.onclick = async () => {
    button.disabled = true;
    try {
      all = all || fetchFiles();
      const { playStep } = await import("./step.js");
      playStep(place, place.dataset.step, await all, home);
    } catch (error) {
      place.append(String(error.message || error));
    }
  };
}

const style = document.createElement("style");
style.textContent = STYLE;
document.head.append(style);
document.querySelectorAll("pre.live").forEach(enliven);
document.querySelectorAll("div.play").forEach(enlivenStep);
