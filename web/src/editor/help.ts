// What the editor knows of names: completion, and what is shown under the pointer.
import { type Completion, type CompletionContext, type CompletionResult, acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { type Tooltip, hoverTooltip, keymap } from "@codemirror/view";
import type { BaseName, Defined } from "../engine/types";
import { h } from "../state/dom";

/** What can be named in the model at hand. */
export interface Known {
  names: BaseName[];
  definitions: Defined[];
  /** Words of the language. */
  words: string[];
}

const NAME = /[A-Za-z_][A-Za-z0-9_.-]*/g;

function place(defined: Defined): string {
  return `${defined.file}, line ${defined.line}`;
}

export function completion(known: () => Known) {
  const source = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[A-Za-z_][A-Za-z0-9_.-]*/);
    if (!word && !context.explicit) return null;
    // Names that are being given are nobody else's.
    if (context.matchBefore(/\b(as|let|rec|and|procedure)\s+[A-Za-z0-9_.-]*/)) return null;
    const { names, definitions, words } = known();
    const own: Completion[] = definitions.map((d) => ({
      label: d.name,
      type: d.kind === "function" ? "function" : "variable",
      detail: d.kind ?? undefined,
      info: place(d),
      boost: d.bundled ? 0 : 2,
    }));
    const base: Completion[] = names.map((n) => ({ label: n.name, type: n.kind === "set" ? "class" : "property", detail: n.kind, info: n.meaning, boost: 1 }));
    const plain: Completion[] = words.map((label) => ({ label, type: "keyword" }));
    return { from: word?.from ?? context.pos, options: [...own, ...base, ...plain], validFor: /^[A-Za-z0-9_.-]*$/ };
  };
  // Enter is a new line, whatever is offered; Tab takes the offer.
  return [autocompletion({ override: [source], defaultKeymap: false }), keymap.of([{ key: "Tab", run: acceptCompletion }, ...completionKeymap.filter(({ key }) => key !== "Enter")])];
}

/** What a name is, as far as that is known. */
export function meaning(name: string, { names, definitions }: Known): HTMLElement | undefined {
  const defined = definitions.filter((d) => d.name === name);
  const base = names.find((n) => n.name === name);
  if (!defined.length && !base) return undefined;
  const box = h("div", { class: "meaning" });
  for (const d of defined.slice(-3)) {
    box.append(h("div", {}, h("b", {}, name), ` ${d.kind ?? ""}, defined in ${place(d)}`), h("code", {}, d.text.length > 400 ? d.text.slice(0, 400) + "…" : d.text));
    if (d.comment) box.append(h("div", {}, d.comment));
  }
  if (base) box.append(h("div", {}, h("b", {}, name), ` ${base.kind} of the execution: ${base.meaning}`));
  return box;
}

export function hover(known: () => Known) {
  return hoverTooltip((view, at): Tooltip | null => {
    const line = view.state.doc.lineAt(at);
    for (const match of line.text.matchAll(NAME)) {
      const from = line.from + match.index;
      const to = from + match[0].length;
      if (at < from || at > to) continue;
      const dom = meaning(match[0], known());
      return dom ? { pos: from, end: to, above: true, create: () => ({ dom }) } : null;
    }
    return null;
  });
}
