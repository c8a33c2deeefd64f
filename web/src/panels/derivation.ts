// Why an edge is there, as nested lists.
import type { Derivation, Execution } from "../engine/types";
import { eventName } from "../picture/words";
import { h } from "../state/dom";

const HOW: Record<string, string> = {
  itself: "",
  "one-of": "by one part of a union",
  "all-of": "by all parts of an intersection",
  without: "by the first part, without the second",
  sequence: "in these steps",
  path: "by a path of these steps",
  converse: "the other way round",
  on: "an event of this set",
  sets: "from the first set to the second",
  same: "the event itself",
};

/** Unions without a name say nothing that their part does not say. */
function plain(d: Derivation): Derivation {
  const only = d.parts[0];
  return d.name === null && d.parts.length === 1 && only && (d.how === "one-of" || d.how === "all-of") ? plain(only) : d;
}

function text(d: Derivation, execution: Execution): HTMLElement {
  const where = d.from === d.to ? `at ${eventName(execution, d.from)}` : `${eventName(execution, d.from)} → ${eventName(execution, d.to)}`;
  return h("span", {}, d.name ? h("b", {}, d.name) : null, d.name ? " " : "", h("span", { class: "where" }, where), HOW[d.how] ? `, ${HOW[d.how]}` : "");
}

export function derivation(given: Derivation, execution: Execution, depth = 0): HTMLElement {
  const d = plain(given);
  if (!d.parts.length) return h("div", {}, text(d, execution));
  const parts = d.how === "without" ? d.parts.slice(0, 1) : d.parts;
  const rest = d.how === "without" && d.parts[1]?.name ? h("li", {}, "not ", h("b", {}, d.parts[1].name)) : null;
  return h("details", { open: depth < 3 }, h("summary", {}, text(d, execution)), h("ul", {}, ...parts.map((part) => h("li", {}, derivation(part, execution, depth + 1))), rest));
}
