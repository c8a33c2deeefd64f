// One editor for several texts: each keeps its history and its place.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { closeBrackets } from "@codemirror/autocomplete";
import { HighlightStyle, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Told } from "../engine/types";
import { cat } from "./cat";
import { type Known, completion, hover } from "./help";
import { litmus } from "./litmus";

export type Tab = "cat" | "bell" | "def" | "test";

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "hl-word" },
  { tag: tags.controlKeyword, class: "hl-check" },
  { tag: tags.comment, class: "hl-comment" },
  { tag: tags.string, class: "hl-string" },
  { tag: tags.number, class: "hl-number" },
  { tag: tags.atom, class: "hl-number" },
  { tag: tags.typeName, class: "hl-type" },
  { tag: tags.operator, class: "hl-operator" },
]);

export class Editor {
  readonly view: EditorView;
  tab: Tab = "test";
  private states = new Map<Tab, EditorState>();
  private quiet = false;

  constructor(
    parent: HTMLElement,
    private known: () => Known,
    private changed: (tab: Tab, text: string) => void,
    private keys: { run: () => void; format: () => void },
  ) {
    this.view = new EditorView({ parent, state: this.fresh("test", "") });
  }

  private fresh(tab: Tab, text: string): EditorState {
    const own: Extension[] = tab === "cat" || tab === "bell" ? [cat, completion(this.known), hover(this.known), EditorView.lineWrapping] : [litmus];
    const label = tab === "test" ? "Litmus test" : `Model, ${tab} file`;
    return EditorState.create({
      doc: text,
      extensions: [
        // First, so that its keys come before those of the editor.
        ...own,
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        search({ top: true }),
        syntaxHighlighting(colours),
        EditorView.contentAttributes.of({ "aria-label": `${label}. Escape, then Tab, leaves the editor.` }),
        keymap.of([
          { key: "Mod-Enter", run: () => (this.keys.run(), true) },
          { key: "Shift-Alt-f", run: () => (this.keys.format(), true) },
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.quiet) this.changed(this.tab, update.state.doc.toString());
        }),
      ],
    });
  }

  /** Shows another text. */
  show(tab: Tab): void {
    this.states.set(this.tab, this.view.state);
    this.tab = tab;
    this.view.setState(this.states.get(tab) ?? this.fresh(tab, ""));
  }

  /** Puts a new text in place of one, without a word to who listens. */
  set(tab: Tab, text: string): void {
    if (tab !== this.tab) {
      this.states.set(tab, this.fresh(tab, text));
    } else if (this.view.state.doc.toString() !== text) {
      this.quiet = true;
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
      this.quiet = false;
    }
  }

  /** Marks the problems of the text that is shown. */
  mark(told: Told[]): void {
    const length = this.view.state.doc.length;
    const diagnostics: Diagnostic[] = told.map((t) => {
      const from = Math.min(t.from, length);
      const to = Math.min(Math.max(t.to, from + 1), length);
      const text = t.label && t.label !== t.message ? `${t.message} (${t.label})` : t.message;
      return { from, to: Math.max(from, to), severity: t.severity, source: t.code, message: t.help ? `${text}\n${t.help}` : text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    // The list of problems takes room: what is being written stays in sight.
    const { head } = this.view.state.selection.main;
    if (this.view.hasFocus) requestAnimationFrame(() => this.view.dispatch({ effects: EditorView.scrollIntoView(Math.min(head, this.view.state.doc.length)) }));
  }

  /** Puts the cursor at a place. */
  go(at: number): void {
    const anchor = Math.min(at, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}
