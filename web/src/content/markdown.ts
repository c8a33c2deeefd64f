// The little Markdown that lessons need. Everything is text first: no HTML passes through.
import { h } from "../state/dom";

/** `code`, **strong**, *emphasis*. */
export function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 2) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, part.slice(1, -1));
    return part;
  });
}

/** Paragraphs and lists. */
export function blocks(text: string): HTMLElement[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const lines = block.split("\n");
      if (lines.every((line) => /^\s*- /.test(line) || /^\s{2,}/.test(line))) {
        const items = block.split(/\n?^- /m).filter((item) => item.trim());
        return h("ul", {}, ...items.map((item) => h("li", {}, ...inline(item.replaceAll("\n", " ")))));
      }
      const heading = /^## (.*)$/.exec(block.trim());
      if (heading) return h("h3", {}, ...inline(heading[1]!));
      return h("p", {}, ...inline(lines.join(" ")));
    });
}
