// CodeMirror for Lua, which marks the lines of errors.

import { basicSetup } from "codemirror";
import { indentWithTab } from "@codemirror/commands";
import { HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting }
  from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The colours are those of the page, in its light and dark variants. */
const COLORS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--word)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.standard(tags.variableName), color: "var(--link)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace',
  },
  ".cm-gutters": { backgroundColor: "var(--shade)", color: "var(--soft)", border: "0" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selected) !important",
  },
  ".cm-panels, .cm-tooltip": { backgroundColor: "var(--shade)", color: "var(--ink)" },
});

export class Editor {
  /** `told` has the callbacks changed(text) and run(). */
  constructor(parent, told) {
    this.extensions = [
      keymap.of([{ key: "Mod-Enter", run: () => { told.run(); return true; } }, indentWithTab]),
      basicSetup,
      StreamLanguage.define(lua),
      indentUnit.of("  "),
      syntaxHighlighting(COLORS),
      lintGutter(),
      THEME,
      EditorView.contentAttributes.of({ "aria-label": "program" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          told.changed(update.state.doc.toString());
        }
      }),
    ];
    this.view = new EditorView({ parent, extensions: this.extensions });
  }

  show(text) {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  mark(line, message) {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch(setDiagnostics(this.view.state, [{ from, to, severity: "error", message }]),
      { effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  clearMarks() {
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }
}
