// Which relations of an execution are drawn, and how.
import type { Execution } from "../engine/types";

export type Pairs = [number, number][];

/** Relations that most readers know by their colours. */
const COLOURS: Record<string, string> = { po: "po", rf: "rf", co: "co", fr: "fr", mo: "co", rb: "fr" };
const PALETTE = 6;

export function colour(name: string): string {
  const known = COLOURS[name];
  if (known) return known;
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
  return `other${sum % PALETTE}`;
}

/** Sets are identities: they are no arrows. */
function isArrows(pairs: Pairs): boolean {
  return pairs.some(([from, to]) => from !== to);
}

/** Of an order, the steps from one to the next; other relations as they are, without loops. */
export function steps(pairs: Pairs): Pairs {
  const arrows = pairs.filter(([from, to]) => from !== to);
  const has = new Set(arrows.map(([from, to]) => `${from} ${to}`));
  const after = new Map<number, number[]>();
  for (const [from, to] of arrows) after.set(from, [...(after.get(from) ?? []), to]);
  for (const [from, to] of arrows) {
    if (has.has(`${to} ${from}`)) return arrows;
    for (const next of after.get(to) ?? []) if (!has.has(`${from} ${next}`)) return arrows;
  }
  return arrows.filter(([from, to]) => !(after.get(from) ?? []).some((middle) => middle !== to && has.has(`${middle} ${to}`)));
}

/** Relations that say nothing in a picture: every pair of events of a kind has them. */
const DULL = new Set(["int", "ext", "loc", "id", "si", "sm", "same-instance", "po-loc", "id-on"]);

export interface Choice {
  name: string;
  pairs: Pairs;
  /** Whether it is among those that are offered first. */
  first: boolean;
}

/** Relations that have edges, those of most interest first. */
export function choices(execution: Execution, cycle: string[]): Choice[] {
  const usual = ["po", "rf", "co", "fr"];
  const dependencies = ["addr", "data", "ctrl", "rmw", "amo", "lxsx"];
  const first = [...usual, ...execution.shows, ...cycle, ...dependencies];
  const all = execution.relations.filter(([, pairs]) => isArrows(pairs)).map(([name, pairs]) => ({ name, pairs, first: first.includes(name) }));
  const rank = (choice: Choice) => {
    const at = first.indexOf(choice.name);
    return at >= 0 ? at : DULL.has(choice.name) ? 9999 : 1000;
  };
  return all.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** More arrows than this would hide the others. */
const MANY = 6;

/** What is drawn at first: communication, dependencies, and what the model shows, where that is not much. */
export function usual(execution: Execution): string[] {
  const count = (name: string) => steps(execution.relations.find(([own]) => own === name)?.[1] ?? []).length;
  const isFew = execution.shows.reduce((sum, name) => sum + count(name), 0) <= MANY;
  return ["po", "rf", "co", "fr", "addr", "data", "ctrl", ...(isFew ? execution.shows : [])];
}
