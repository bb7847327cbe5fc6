// Makes the index for the search of the pages: one row for each heading, with the text below it.

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The text of a piece of HTML. */
export const plain = (html) => html.replace(/<[^>]*>/g, "")
  .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]);

// Puts spaces between cells and paragraphs, but not within a word of code.
const flat = (html) => plain(html.replace(/<\/?(p|li|td|th|tr|pre|div|dd|dt|h\d)\b/g, " $&"))
  .replace(/\s+/g, " ").trim();

/** Returns [link, page, heading, text] for each section of a page. */
export function sectionsOf(html, link) {
  const main = html.match(/<main>([^]*)<\/main>/)[1]
    .replace(/<ul class="contents">[^]*?<\/ul>/, "");
  const parts = main.split(/<h([1-4])(?: id="([^"]*)")?>([^]*?)<\/h\1>/);
  const rows = [];
  let page = flat(html.match(/<title>([^]*?)<\/title>/)[1]).replace(/ - Broadside$/, "");
  for (let i = 1; i < parts.length; i += 4) {
    const [level, id, heading, text] = parts.slice(i, i + 4);
    page = level === "1" ? flat(heading) : page;
    if (level === "1" || id) {
      rows.push([id && level !== "1" ? `${link}#${id}` : link, page, flat(heading), flat(text)]);
    } else if (rows.length > 0) { // a part of a section, such as the results of a call
      rows[rows.length - 1][3] += ` ${flat(heading)} ${flat(text)}`;
    }
  }
  return rows;
}
