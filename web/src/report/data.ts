// Results of hmc as the viewer of executions takes them: docs/reports.md has the form of the report.
import type { Edge, Execution, Listed, Picture, Place, Result } from "../engine/types";
import type { Pairs } from "../picture/relations";

/** A picture of a report has its edges, and the model's relations are not in it. */
export interface Drawn extends Picture {
  edges: Edge[];
  dependencies?: Edge[];
  related?: Edge[];
}

export interface Finding {
  kind: string;
  message: string;
  place: Place | null;
  events: number[];
  notes: string[];
  orders?: { cycle?: Edge[] } | null;
  execution: Drawn;
}

export interface Reported extends Result {
  file: string;
  violation: Finding | null;
  more_violations: Finding[];
  warnings?: Finding[];
  witness?: Drawn;
  explanation?: { rejections: { axiom: string; cycle: Edge[]; unexplained?: string; execution: Drawn }[] };
  listed?: { forbidden: boolean; executions: { state?: string; wrong?: boolean; axiom?: string; cycle?: Edge[]; unexplained?: string; execution: Drawn }[] };
  coverage?: { files: { file: string; lines: number; never_run: number[] }[] };
  explored?: Record<string, number>;
  events_max: number;
}

/** An execution of a report. */
export interface One {
  listed: Listed;
  execution: Execution;
  place: Place | null;
}

/** From each read to the write that comes next in coherence after what it reads: as src/verdict/picture.rs. */
function fromReads(picture: Drawn): Pairs {
  const pairs: Pairs = [];
  picture.events.forEach((event, read) => {
    if (!event.reads_from || !event.location) return;
    const ordered = picture.coherence.find(([name]) => name === event.location)?.[1];
    const writes = ordered ?? picture.events.flatMap((e, i) => (e.action === "write" && e.location === event.location ? [i] : []));
    const from = event.reads_from;
    const next = from === "initial" ? writes[0] : writes.includes(from.event) ? writes[writes.indexOf(from.event) + 1] : undefined;
    if (next !== undefined && !(event.atomic && next === read + 1)) pairs.push([read, next]);
  });
  return pairs;
}

/** The relations that a picture has. */
export function execution(picture: Drawn): Execution {
  const relations = new Map<string, Pairs>();
  const add = (name: string, pair: [number, number]) => relations.set(name, [...(relations.get(name) ?? []), pair]);
  const last = new Map<number, number>();
  picture.events.forEach((event, index) => {
    const before = last.get(event.thread);
    if (before !== undefined) add("po", [before, index]);
    last.set(event.thread, index);
  });
  for (const edge of [...picture.edges, ...(picture.dependencies ?? []), ...(picture.related ?? [])]) add(edge.name, [edge.from, edge.to]);
  if (!relations.has("fr")) for (const pair of fromReads(picture)) add("fr", pair);
  return { picture, initial: [], relations: [...relations], shows: [...relations.keys()].filter((name) => !["po", "rf", "co", "fr"].includes(name)) };
}

const NOTHING: Listed = { allowed: true, axiom: null, axiom_file: null, axiom_text: null, cycle: null, unexplained: null, state: null, satisfies: null, flags: [] };

/** All executions that a result has, with what is to be said of each. */
export function executions(result: Reported): One[] {
  const finding = (kind: string) => (f: Finding): One => ({
    listed: { ...NOTHING, allowed: false, told: { head: `${kind}: ${f.kind}.`, text: [f.message, ...f.notes] }, cycle: f.orders?.cycle ?? [], marked: f.events },
    execution: execution(f.execution),
    place: f.place,
  });
  const witness = (result.witness ? [result.witness] : []).map((picture): One => ({ listed: { ...NOTHING, satisfies: true }, execution: execution(picture), place: null }));
  const rejected = (result.explanation?.rejections ?? []).map((r): One => ({ listed: { ...NOTHING, allowed: false, axiom: r.axiom, cycle: r.cycle, unexplained: r.unexplained ?? null }, execution: execution(r.execution), place: null }));
  const shown = (result.listed?.executions ?? []).map((one): One => ({ listed: { ...NOTHING, allowed: !result.listed!.forbidden, axiom: one.axiom ?? null, cycle: one.cycle ?? null, unexplained: one.unexplained ?? null, state: one.state ?? null }, execution: execution(one.execution), place: null }));
  const found = [...(result.violation ? [result.violation] : []), ...result.more_violations].map(finding("Violation"));
  return [...found, ...(result.warnings ?? []).map(finding("Warning")), ...witness, ...shown, ...rejected];
}
