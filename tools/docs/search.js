// A search field in the pages of `make docs`. The index, search-pages.js, is a script that is loaded
// at the first search, so the search also works in files, without a server.

(() => {

const MOST = 30; // results shown
const AROUND = 70; // characters of text around a match, on each side
const isPage = typeof document !== "undefined"; // not where tests rank without a page
const home = isPage ? document.currentScript.src.replace(/[^/]*$/, "") : ""; // of all pages

const STYLE = `
form.search { margin: 0.8rem 0 0; position: relative; }
form.search input { width: 100%; font: inherit; font-size: 0.9rem; color: var(--ink);
  background: var(--shade); border: 1px solid var(--line); border-radius: 6px;
  padding: 0.35rem 0.6rem; min-height: 2.2rem; }
form.search input:focus { outline: 2px solid var(--link); outline-offset: 0; }
.found { position: absolute; z-index: 9; top: calc(100% + 0.3rem); left: 0; margin: 0;
  width: min(36rem, 70vw); max-height: 70vh; overflow-y: auto; background: var(--paper);
  border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 8px 24px #0004; }
.found[hidden] { display: none; }
.found a, .found p { display: block; margin: 0; padding: 0.5rem 0.8rem; color: var(--soft);
  font-size: 0.85rem; line-height: 1.4; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
.found a:hover { text-decoration: none; }
.found a:hover, .found [aria-selected="true"] { background: var(--shade);
  box-shadow: inset 3px 0 var(--link); }
.found b { display: block; color: var(--link); font-size: 0.95rem; }
.found mark { color: var(--ink); background: none; font-weight: 700; }
@media (max-width: 800px) {
  header { flex-wrap: wrap; }
  form.search { flex: 1 0 100%; margin-top: 0.5rem; }
  form.search input { font-size: 1rem; min-height: 2.6rem; }
  .found { width: 100%; }
}
`;

/** Removes accents and case, so "love" finds LÖVE. */
const simple = (word) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Without the s of a plural, so "sensor" finds Sensors. */
const singular = (word) => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word);

/** The terms that find a word: queryCircle is also found by query and by circle. */
const termsOf = (word) => [word, ...word.split(/(?<=[a-z])(?=[A-Z])/)].map(simple).map(singular);

const wordsOf = (text) => text.match(/[\p{L}\p{N}_]+/gu) || [];
const allTerms = (text) => [...new Set(wordsOf(text).flatMap(termsOf))];

/**
 * Ranks the description of a call above pages that mention it, 2D above 3D, worlds above those of
 * broadside.bump, and the changelog last.
 */
const weightOf = (link) => (link.includes("changes.md") ? 0.4 : 1) *
  (/^(modules|classes)/.test(link) ? 1.6 : 1) * (/^[^#]*(3\b|bump)/i.test(link) ? 0.8 : 1);

/** The name of the call that a heading is about: "push" for world:push(box, x, y). */
const nameOf = (heading) =>
  singular((heading.match(/(?:^|[.:])(\w+)(\(|$)/) || ["", ""])[1].toLowerCase());

const SMALL = /^(a|an|the|of|and|or|in|to|for|with|by|on|it|\d+)$/;

/** The words of a heading, without small ones: a heading of one word is about that. */
const largeOf = (heading) => wordsOf(heading).filter((word) => !SMALL.test(word.toLowerCase()));

/** How many letters differ, or are swapped with their neighbours; `most` + 1 if more do. */
function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) {
    return most + 1;
  }
  let before = [], last = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let k = 1; k <= b.length; k++) {
      row[k] = Math.min(last[k] + 1, row[k - 1] + 1, last[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]) {
        row[k] = Math.min(row[k], before[k - 2] + 1);
      }
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

/** How well a word of the query is found among terms: 1 as it is, less as a part, 0 not at all. */
function match(word, terms, isLoose) {
  let best = /.{3}ing$/.test(word) ? 0.8 * match(word.slice(0, -3), terms, false) : 0;
  for (const term of terms) {
    if (term === word) {
      return 1;
    }
    if (term.startsWith(word)) {
      best = Math.max(best, 0.6);
    } else if (isLoose && word.length > 4 && best < 0.3 &&
        distance(word, term, word.length > 7 ? 2 : 1) <= (word.length > 7 ? 2 : 1)) {
      best = 0.3;
    }
  }
  return best;
}

/** rows: [link, page, heading, text] for each section. */
function newIndex(rows) {
  return rows.map(([link, page, heading, text]) => ({ link, page, heading, text,
    inHeading: allTerms(heading), inPage: allTerms(page), inText: allTerms(`${link} ${text}`),
    weight: weightOf(link) * (heading === page ? 1.3 : 1), name: nameOf(heading),
    large: largeOf(heading).length }));
}

/** Returns the sections that have all words, or if none has, some of them; the best ones first. */
function rank(index, query) {
  const words = [...new Set(wordsOf(query).map(simple).map(singular))];
  const found = index.map((row) => {
    let score = 0, count = 0, share = 0;
    for (const word of words) {
      const heading = match(word, row.inHeading, true);
      const points = 8 * heading + 2 * match(word, row.inPage, false) +
        match(word, row.inText, false);
      count += points > 0 ? 1 : 0;
      score += points * (row.name === word ? 3 : 1);
      share += heading === 1 ? 1 / Math.max(1, row.large) : 0;
    }
    const about = row.name ? 1 : 1 + 2 * Math.min(1, share);
    return { ...row, count, score: score * row.weight * about, terms: words };
  }).filter((row) => row.count > 0);
  const most = found.some((row) => row.count === words.length) ? words.length : 1;
  return found.filter((row) => row.count >= most).sort((a, b) => b.score - a.score);
}

if (!isPage) {
  globalThis.broadsideSearch = { newIndex, rank };
  return;
}

let index; // a promise of the index

function load() {
  index = index || new Promise((done, fail) => {
    window.broadsidePages = (rows) => done(newIndex(rows));
    const script = document.createElement("script");
    script.src = `${home}search-pages.js`;
    script.onerror = () => fail(new Error("the pages' texts could not be loaded"));
    document.head.append(script);
  });
  return index;
}

/** Returns the text around the first word that matches, with the words marked. */
function excerpt(text, words) {
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|"), "giu");
  const at = Math.max(0, text.search(pattern)), from = Math.max(0, at - AROUND);
  let piece = text.slice(from, at + 2 * AROUND); // whole words of it
  piece = from > 0 ? piece.replace(/^\S*\s/, "") : piece;
  piece = at + 2 * AROUND < text.length ? piece.replace(/\s\S*$/, "") : piece;
  const nodes = [from > 0 ? "… " : ""];
  let last = 0;
  for (const match of piece.matchAll(pattern)) {
    const mark = document.createElement("mark");
    mark.textContent = match[0];
    nodes.push(piece.slice(last, match.index), mark);
    last = match.index + match[0].length;
  }
  return [...nodes, piece.slice(last), at + 2 * AROUND < text.length ? " …" : ""];
}

function optionOf({ link, page, heading, text, terms }, i) {
  const option = document.createElement("a"), title = document.createElement("b");
  option.href = new URL(link, home).href;
  option.id = `found-${i}`;
  option.role = "option";
  option.tabIndex = -1; // the arrow keys move the focus here
  option.ariaSelected = "false";
  title.textContent = heading === page ? page : `${heading} · ${page}`;
  option.append(title, ...excerpt(text, terms));
  return option;
}

function build() {
  const form = document.createElement("form");
  form.className = "search";
  form.role = "search";
  form.innerHTML = `<input type="search" placeholder="Search  ( / )" aria-label="Search all pages"
    role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"
    autocomplete="off" spellcheck="false"><div id="found" class="found" role="listbox"
    aria-label="Found" hidden></div>`;
  document.querySelector("header").append(form);
  return [form, form.querySelector("input"), form.querySelector(".found")];
}

const style = document.createElement("style");
style.textContent = STYLE;
document.head.append(style);
const [form, input, found] = build();
let chosen = -1;

function show(isShown) {
  found.hidden = !isShown;
  input.ariaExpanded = String(isShown);
}

function choose(i) {
  const options = found.querySelectorAll("a");
  chosen = options.length ? (i + options.length) % options.length : -1;
  options.forEach((option, k) => { option.ariaSelected = String(k === chosen); });
  input.setAttribute("aria-activedescendant", chosen < 0 ? "" : options[chosen].id);
  options[chosen]?.scrollIntoView({ block: "nearest" });
}

function tell(text) {
  const line = document.createElement("p");
  line.role = "status";
  line.textContent = text;
  found.replaceChildren(line);
}

async function search() {
  const query = input.value.trim();
  show(query !== "");
  if (query === "") {
    return;
  }
  try {
    const ready = await load();
    if (query !== input.value.trim()) {
      return; // the query has changed while the index was loaded
    }
    const results = rank(ready, query);
    if (results.length === 0) {
      tell(`Nothing is called “${query}”.`);
    } else {
      found.replaceChildren(...results.slice(0, MOST).map(optionOf));
      found.scrollTop = 0;
    }
    choose(0);
  } catch (error) {
    tell(String(error.message || error));
  }
}

const keys = {
  ArrowDown: () => choose(chosen + 1),
  ArrowUp: () => choose(chosen - 1),
  Escape() {
    if (found.hidden) {
      input.value = "";
    }
    show(false);
  },
};

input.addEventListener("input", search);
input.addEventListener("focus", () => { load().catch(() => {}); search(); });
input.addEventListener("keydown", (event) => {
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelectorAll("a")[chosen]?.click();
});
found.addEventListener("click", () => show(false)); // a link to this page does not load another one
document.addEventListener("pointerdown", (event) => form.contains(event.target) || show(false));
document.addEventListener("keydown", (event) => {
  const isText = event.target.isContentEditable || /^(input|textarea|select|canvas)$/i.test(
    event.target.tagName);
  if (event.key === "/" && !isText && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
  }
});

})();
