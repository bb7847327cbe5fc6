// What each example of the pages finds, as doc/calls.md says; on one line, so that lines keep their
// numbers.

export const PRELUDE = 'local broadside = require("broadside") ' +
  "local world = broadside.newWorld() " +
  "local pool = broadside.newPool({ capacity = 100, w = 2, h = 2 }) ";
