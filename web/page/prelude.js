// The variables that doc/api.md promises to each example in the pages. They are set in the
// example's first line, so its line numbers stay right.

export const PRELUDE = 'local broadside = require("broadside") ' +
  "local world = broadside.newWorld() " +
  "local pool = broadside.newPool({ capacity = 100, w = 2, h = 2 }) ";
