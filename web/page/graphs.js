// Numbers that change. Each has a graph of its last two hundred values.

const KEPT = 200, HEIGHT = 32;

const KINDS = [
  { name: "frame", unit: "ms", of: (answer) => answer.milliseconds, digits: 1 },
  { name: "boxes", unit: "", of: (answer) => answer.boxes, digits: 0 },
  { name: "pairs", unit: "", of: (answer) => answer.pairs, digits: 0 },
  { name: "memory", unit: "MB", of: (answer) => answer.bytes / 1e6, digits: 2 },
];

export class Graphs {
  constructor(folder) {
    this.rows = KINDS.map((kind) => {
      const row = document.createElement("div");
      row.innerHTML = `<span>${kind.name}</span> <b></b><svg viewBox="0 0 ${KEPT} ${HEIGHT}"
        preserveAspectRatio="none"><path></path></svg>`;
      folder.append(row);
      return { kind, value: row.querySelector("b"), path: row.querySelector("path"), list: [] };
    });
  }

  clear() {
    this.rows.forEach((row) => { row.list = []; });
  }

  /** Only some answers have counts. For the others a graph repeats its last value. */
  add(answer) {
    for (const row of this.rows) {
      let value = row.kind.of(answer);
      if (value < 0) {
        value = row.list.length ? row.list[row.list.length - 1] : 0;
      }
      row.list.push(value);
      row.list.splice(0, row.list.length - KEPT);
      this.draw(row, value);
    }
  }

  draw({ path, list, kind, value: text }, value) {
    const most = Math.max(1e-9, ...list) * 1.1;
    text.textContent =
      `${value.toLocaleString("en", { maximumFractionDigits: kind.digits })} ${kind.unit}`;
    const tops = list.map((one) => HEIGHT - Math.max(1, Math.round((one / most) * HEIGHT)));
    path.setAttribute("d", `M0 ${HEIGHT}${tops.map((top) => `V${top}h1`).join("")}V${HEIGHT}z`);
  }
}
