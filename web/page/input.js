// Turns keyboard, mouse and touch events of the canvas into events of a program, with LÖVE's names.

const NAMES = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", " ": "space",
  Enter: "return", Escape: "escape", Tab: "tab", Backspace: "backspace", Shift: "lshift",
  Control: "lctrl", Alt: "lalt", Delete: "delete",
};
const BUTTONS = [1, 3, 2]; // LÖVE's numbers of the left, middle and right button

export function nameOfKey(event) {
  if (event.code === "NumpadAdd" || event.code === "NumpadSubtract") {
    return event.code === "NumpadAdd" ? "kp+" : "kp-";
  }
  return NAMES[event.key] || event.key.toLowerCase();
}

export function listen(canvas, player) {
  const held = new Set();
  const place = (event) => {
    const box = canvas.getBoundingClientRect(), [w, h] = player.size || [1, 1];
    return [Math.floor(((event.clientX - box.left) * w) / box.width),
      Math.floor(((event.clientY - box.top) * h) / box.height)];
  };
  const move = (event) => player.push("move", "", ...place(event));

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.key === "Tab" && event.shiftKey) {
      return; // this is a shortcut of the browser
    }
    event.preventDefault();
    const name = nameOfKey(event);
    held.add(name);
    player.push("press", name, event.repeat ? 1 : 0);
  });
  canvas.addEventListener("keyup", (event) => {
    held.delete(nameOfKey(event));
    player.push("release", nameOfKey(event));
  });
  canvas.addEventListener("blur", () => {
    held.forEach((name) => player.push("release", name));
    held.clear();
  });
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    move(event);
    player.push("button", "", BUTTONS[event.button] || 1, 1);
  });
  const lift = (event) => player.push("button", "", BUTTONS[event.button] || 1, 0);
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement === canvas) {
      event.preventDefault();
      player.push("wheel", "", 0, -Math.sign(event.deltaY));
    }
  }, { passive: false });
}

/** Shows buttons for touch screens, each of which holds a key down. */
export function showKeys(folder, keys, player) {
  folder.replaceChildren(...keys.map(([label, key]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = `the key ${key}`;
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      player.push("press", key, 0);
    });
    const lift = () => player.push("release", key);
    button.addEventListener("pointerup", lift);
    button.addEventListener("pointercancel", lift);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    return button;
  }));
}
