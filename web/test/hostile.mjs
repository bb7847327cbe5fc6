// Programs that try to hang the page or to use up its memory. says: the page's message; line:
// whether the editor marks a line; most: milliseconds until then; limit: seconds that a frame may
// take.

const LATE = /^(readme.main.lua:[12]: )+stopped: this ran for more than 1 s/;

export const hostile = {
  "a loop without an end": { text: "while true do end", says: LATE, line: true },
  "in a frame": { text: "function love.update() repeat until false end", says: LATE, line: true },
  "that catches errors": {
    text: "while true do pcall(function() while true do end end) end", says: LATE, line: true,
  },
  "in a coroutine": {
    text: "coroutine.wrap(function() while true do end end)()", says: LATE, line: true,
  },
  "in a function of Lua's": {
    text: 'print((("a"):rep(60)):find(("a*"):rep(40) .. "b"))', says: /no answer for 4 seconds/,
  },
  "memory without an end": {
    text: "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end",
    says: /not enough memory/,
  },
  "a long string": { text: 'print(#("x"):rep(1e9))', says: /not enough memory/ },
  "boxes without an end": {
    text: 'local w = require("broadside").newWorld() while true do w:insert(0, 0, 1e-3, 1e-3) end',
    says: /not enough memory|stopped/,
  },
  "calls without an end": {
    text: "local function f() return 1 + f() end f()", says: /stack overflow/, line: true, limit: 9,
  },
  "pictures without an end": {
    text: "function love.draw()\nwhile true do love.graphics.circle('fill', 9, 9, 9) end\nend",
    says: LATE, line: true,
  },
  "an error": { text: 'local a\n\nerror("on purpose")', says: /:3: on purpose/, line: true },
  "an error that is no text": { text: "error({})", says: /table: / },
  "an error in a frame": {
    text: "function love.update()\nlocal a = nil + 1\nend",
    says: /:2: attempt to perform/, line: true,
  },
  "a wrong argument": {
    text: 'local w = require("broadside").newWorld()\nw:insert(1, 2, -3, 4)',
    says: /:2: .*insert/, line: true,
  },
  "what is no Lua": { text: "x = = 1", says: /:1: unexpected symbol/, line: true },
  "an end": { text: "love.event.quit()", says: /has ended/ },
  "no LÖVE left": { text: "love = nil", says: /./ },
};
