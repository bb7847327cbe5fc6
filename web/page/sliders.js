// Shows the sliders that a program asks for. Moving one is an event of the next frame.

/** `text` has a line for each slider: name, from, to, step and value, with tabs between them. */
export function showSliders(folder, text, player) {
  folder.hidden = text === "";
  folder.replaceChildren(...text.split("\n").filter((line) => line !== "").map((line) => {
    const [name, min, max, step, value] = line.split("\t");
    const label = document.createElement("label"), number = document.createElement("output");
    const input = Object.assign(document.createElement("input"),
      { type: "range", min, max, step, value });
    number.textContent = value;
    input.addEventListener("input", () => {
      number.textContent = input.value;
      player.push("slide", name, Number(input.value));
    });
    label.append(name, input, number);
    return label;
  }));
}
