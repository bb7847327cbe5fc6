// The programs of the playground. The build puts the texts of all their files into programs.json,
// by their paths in the project. It makes a file of the README's game.

/** keys: the buttons for touch screens, each with its label and its key. */
const ARROWS = [["←", "left"], ["→", "right"]];
const ALL_ARROWS = [...ARROWS, ["↑", "up"], ["↓", "down"]];

/** The game of doc/tutorial.md after each step, and its test after the last one. */
const tutorial = [1, 2, 3, 4, 5, 6, 7].map((step) => {
  const names = [...step < 7 ? [] : ["spec/game_spec.lua"], "game.lua", "main.lua"];
  return {
    name: `tutorial${step}`, title: `tutorial, step ${step}`, main: `tutorial/${step}/main.lua`,
    files: names.map((name) => `tutorial/${step}/${name}`),
    keys: step > 1 && step < 7 ? [...ARROWS, ["jump", "space"]] : [],
  };
});

/** The recipes of doc/walker-recipes.md, in the scenes of web/programs/recipes. */
const recipes = ["coyote", "wall jump", "ladder", "drop", "crouch", "conveyor", "crumbling",
  "gaps", "patrol", "knock-back", "crates", "crushing", "checkpoint", "belts from above", "sideways",
  "swimming",
].map((title) => {
  const name = title.replace(/\W/g, "-");
  return {
    name: `recipe-${name}`, title: `recipe: ${title}`, main: `recipes/${name}/main.lua`,
    files: [`recipes/${name}.lua`, "recipes/setting.lua"],
    keys: [...ALL_ARROWS, ["jump", "space"], ["again", "r"]],
  };
});

export const programs = [
  { name: "game", title: "The README's game", main: "readme/main.lua", files: ["readme/main.lua"],
    keys: [...ARROWS, ["jump", "space"]] },
  { name: "platformer", keys: [...ARROWS, ["jump", "space"], ["again", "r"], ["keys", "f1"]] },
  { name: "topdown", keys: [...ALL_ARROWS, ["save", "k"], ["load", "l"], ["again", "r"],
    ["keys", "f1"]] },
  { name: "barrage", keys: [...ALL_ARROWS, ["again", "r"], ["keys", "f1"]] },
  { name: "marbles", keys: [["again", "r"], ["pause", "space"], ["draw", "d"], ["keys", "f1"]] },
  { name: "sandbox", keys: [["shape", "t"], ["static", "s"], ["go", "g"], ["draw", "d"],
    ["again", "r"]] },
  { name: "swarm", keys: [["brute", "2"], ["sweep", "3"], ["grid", "4"], ["tree", "5"],
    ["draw", "d"], ["keys", "f1"]] },
  { name: "rollback", keys: [["join", "return"], ...ALL_ARROWS, ["shoot", "space"],
    ["again", "r"]] },
  { name: "walker", title: "the walker's options", main: "web/programs/walker/main.lua",
    files: ["web/programs/walker/main.lua"],
    keys: [...ARROWS, ["jump", "space"], ["again", "r"]] },
  { name: "billiards", keys: [["robot", "p"], ["again", "r"], ["keys", "f1"]] },
  { name: "pinball", keys: [["left", "left"], ["right", "right"], ["pull", "space"], ["again", "r"],
    ["keys", "f1"]] },
  { name: "jar", keys: [["robot", "p"], ["again", "r"], ["keys", "f1"]] },
  { name: "dig", keys: [...ARROWS, ["jump", "up"], ["build", "e"], ["undo", "z"], ["again", "r"]] },
  { name: "rooms", files: ["rooms/game", "hero/hero", "rooms/view", "rooms/robot"]
    .map((path) => `examples/${path}.lua`),
    keys: [...ALL_ARROWS, ["jump", "space"], ["dash", "lshift"], ["save", "k"], ["load", "l"],
      ["again", "r"], ["keys", "f1"]] },
  { name: "bounce", keys: [...ALL_ARROWS, ["again", "r"], ["keys", "f1"]] },
  { name: "cannon", keys: [["back end", "b"], ["draw", "d"], ["keys", "f1"]] },
  ...recipes,
  ...tutorial,
].map((program) => ({
  title: program.name,
  main: `examples/${program.name}/main.lua`,
  folder: `examples/${program.name}/`,
  ...program,
}));

/** The files that the playground shows, with the most interesting ones first. */
export function filesOf(program, all) {
  const first = ["main.lua", "simulation.lua", "view.lua"];
  const place = (path) => (first.indexOf(path.split("/").pop()) + 4) % 4;
  if (program.files) {
    return program.files;
  }
  return Object.keys(all)
    .filter((path) => path.startsWith(program.folder) && !/(conf|main|run|demo)\.lua$/.test(path))
    .sort((a, b) => (place(a) || 9) - (place(b) || 9) || (a < b ? -1 : 1));
}
