// Questions to hmc.wasm and its answers: web/wasm/src/asked.rs and session.rs.

export interface ModelText {
  name: string;
  cat: string;
  bell?: string | null;
  def?: string | null;
}

export interface TestText {
  name: string;
  text: string;
}

export type Question =
  | { ask: "about" }
  | { ask: "names"; arch: string | null }
  | { ask: "model"; model: ModelText; arch: string | null }
  | { ask: "test"; test: TestText; def: string | null }
  | { ask: "run"; model: ModelText; test: TestText; seconds: number; most: number }
  | { ask: "execution"; index: number }
  | { ask: "derivation"; index: number; relation: string; from: number; to: number }
  | { ask: "format"; text: string };

export interface Bundled {
  name: string;
  for: string;
  paper: string;
  stronger_than: string[];
  cat: string;
  bell: string | null;
  def: string | null;
}

export interface About {
  version: string;
  models: Bundled[];
  archs: string[];
}

export interface BaseName {
  name: string;
  kind: "set" | "relation";
  meaning: string;
}

/** A problem; `from` and `to` count UTF-16 units of the file. */
export interface Told {
  severity: "error" | "warning";
  code: string;
  message: string;
  help: string;
  file: string;
  from: number;
  to: number;
  line: number;
  label: string;
}

export interface Defined {
  name: string;
  kind: string | null;
  file: string;
  bundled: boolean;
  line: number;
  text: string;
  /** The comment that belongs to it. */
  comment: string | null;
}

export interface ModelTold {
  messages: Told[];
  definitions: Defined[];
  checks: number;
}

export interface TestTold {
  messages: Told[];
  arch: string | null;
}

export interface Edge {
  from: number;
  to: number;
  name: string;
}

export interface Place {
  file: string;
  line: number;
  column: number;
}

export interface EventRow {
  thread: number;
  action: string;
  tags: string[];
  location: string | null;
  value: string | null;
  reads_from: null | "initial" | { event: number };
  atomic: boolean;
  place: Place | null;
  source: string;
}

export interface Picture {
  threads: { name: string; function: string; end: string | null }[];
  events: EventRow[];
  order: "interleaving" | "causal" | "program-order";
  initial: [string, string][];
  coherence: [string, number[]][];
}

export interface Listed {
  allowed: boolean;
  axiom: string | null;
  axiom_file: string | null;
  axiom_text: string | null;
  cycle: Edge[] | null;
  unexplained: string | null;
  state: string | null;
  satisfies: boolean | null;
  flags: string[];
  /** Of a finding of a report: what it is. */
  told?: { head: string; text: string[] };
  /** Events that it is about. */
  marked?: number[];
}

export interface Message {
  code: string;
  message: string;
  place?: Place;
  help?: string;
}

export interface Result {
  name: string;
  model: string;
  verdict: "holds" | "bounded" | "unsupported" | "violated" | "error";
  kind: string | null;
  observation: string | null;
  condition: string | null;
  positive: number | null;
  negative: number | null;
  partial?: boolean;
  states: string[];
  flags: { name: string; executions: number | null; undefined: boolean }[];
  executions: { complete: number | null };
  messages: Message[];
  notes: string[];
  seconds: number;
}

export interface RunTold {
  result: Result;
  log: string | null;
  warnings: string[];
  candidates?: { all: boolean; looked_at: number; list: Listed[] };
}

export interface Execution {
  picture: Picture;
  /** The locations of initial writes, whose numbers follow those of the picture's events. */
  initial: (string | null)[];
  relations: [string, [number, number][]][];
  shows: string[];
}

export interface Derivation {
  name: string | null;
  how: string;
  from: number;
  to: number;
  parts: Derivation[];
}
