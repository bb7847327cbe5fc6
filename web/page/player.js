// Plays a program in a worker on a canvas, frame by frame. It asks for a frame when the browser
// draws, so a hidden page does not run. It ends a worker that does not answer.

import { measureLetters, Painter } from "./painter.js";

const LIMIT = 4000; // milliseconds that a program has for a frame
const PATIENCE = 3000; // milliseconds after that until the worker is ended
const FRAME = 1000 / 60;
const SLOW = 2.2 * FRAME; // longer than a frame of a browser that saves its battery

export class Player {
  /** `told` has the callbacks begun(answer), frame(answer), error(text) and stopped(). */
  constructor(canvas, workerUrl, layer, told) {
    this.canvas = canvas;
    this.workerUrl = workerUrl;
    this.layer = layer;
    this.told = told;
    this.painter = new Painter(canvas);
    this.events = [];
    this.isRunning = false;
    this.last = 0;
    this.frames = 0;
    this.pace = FRAME;
    canvas.addEventListener("webglcontextrestored", () => this.program && this.begin(this.program));
    setInterval(() => this.watch(), 500);
    requestAnimationFrame((time) => this.tick(time));
  }

  /**
   * The program is {files, main, seed, limit}, where `limit` is the time for a frame in
   * milliseconds.
   */
  begin(program) {
    this.end();
    this.program = program;
    this.events = [];
    this.frames = 0;
    this.worker = new Worker(this.workerUrl, { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || "the worker could not be started");
    };
    this.send({ kind: "begin", layer: this.layer, widths: measureLetters(), ...program });
    this.waitsSince = Infinity; // no limit, because a network may be slow
  }

  end() {
    if (this.worker) {
      this.worker.terminate();
    }
    this.worker = null;
    this.waitsSince = 0;
    this.isLive = false;
  }

  send(message) {
    this.waitsSince = performance.now();
    this.worker.postMessage(message);
  }

  hear(data) {
    if (data.kind === "evaluated") {
      this.evaluated(data.text);
      return;
    }
    this.waitsSince = data.kind === "loaded" ? performance.now() : 0;
    if (data.kind === "loaded") {
      return;
    }
    if (data.kind === "error") {
      this.fail(data.text);
      return;
    }
    this.isLive = !data.hasEnded;
    this.size = [data.width, data.height];
    this.fit();
    this.picture = data.picture;
    this.painter.paint(data.picture);
    this.milliseconds = data.milliseconds;
    this.told[data.kind](data);
    if (data.hasEnded) {
      this.told.stopped();
    }
  }

  fail(text) {
    this.end();
    if (this.evaluated) {
      this.evaluated(`error: ${text}`);
    }
    this.told.error(text);
  }

  /**
   * The picture has as many pixels as the canvas on the screen, but at most twice those of the
   * program.
   */
  fit() {
    const [width, height] = this.size;
    this.canvas.style.aspectRatio = `${width} / ${height}`;
    this.canvas.style.maxWidth = `calc(${width / height} * max(68vh, 240px))`;
    const shown = (this.canvas.clientWidth * window.devicePixelRatio) / width;
    const scale = Math.max(1, Math.min(2, Math.ceil(shown * 2) / 2));
    this.painter.resize(width, height, scale);
  }

  watch() {
    const most = (this.program?.limit || LIMIT) + PATIENCE;
    if (this.waitsSince && performance.now() - this.waitsSince > most) {
      this.fail(`stopped: no answer for ${most / 1000} seconds`);
    }
  }

  tick(time) {
    requestAnimationFrame((next) => this.tick(next));
    const passed = time - this.last;
    if (this.isRunning && this.isLive && !this.waitsSince && passed > FRAME - 3) {
      this.last = time;
      this.notice(passed);
      this.step(Math.min(passed, 50) / 1000);
    }
  }

  /** Draws more simply if frames are late on average, unless the program itself is slow. */
  notice(passed) {
    const time = this.milliseconds < FRAME ? Math.min(passed, 100) : FRAME;
    this.pace += (time - this.pace) / 30;
    if (this.pace > SLOW) {
      this.painter.simplify();
    }
  }

  step(dt = FRAME / 1000) {
    if (!this.isLive || this.waitsSince) {
      return;
    }
    this.frames++;
    this.send({ kind: "frame", dt, events: this.events, wantsCounts: this.frames % 15 === 1 });
    this.events = [];
  }

  /** Adds an event for the next frame: the name of a handler in love.lua, and its arguments. */
  push(...event) {
    if (this.isLive && this.events.length < 1000) {
      this.events.push(event);
    }
  }

  /** For tests: returns the result of a chunk of Lua, which runs between two frames. */
  async evaluate(code) {
    while (this.waitsSince) {
      await new Promise((done) => setTimeout(done, 10));
    }
    return new Promise((done) => {
      this.evaluated = (text) => {
        this.evaluated = null;
        done(text);
      };
      this.send({ kind: "evaluate", code });
      this.waitsSince = 0;
    });
  }
}
