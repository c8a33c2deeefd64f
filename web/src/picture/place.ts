// Where the boxes of an execution stand: threads as columns, program order downwards.
import type { Execution } from "../engine/types";
import { label } from "./words";

export interface Box {
  index: number;
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  source: string;
}

export interface Placed {
  boxes: Map<number, Box>;
  /** Names of threads, with the middle of their columns. */
  heads: { text: string; x: number }[];
  width: number;
  height: number;
  top: number;
}

const CHARACTER = 7.9;
const SMALL = 6.3;
const HEIGHT = 42;
const ROW = 88;
const GAP = 92;
const MARGIN = 56;
const TOP = 34;
const LONGEST = 34;

export function shorten(text: string, most: number): string {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

/** Places the events; `initial`: with the initial writes in a row of their own. */
export function place(execution: Execution, initial: boolean): Placed {
  const { events, threads } = execution.picture;
  const boxes = new Map<number, Box>();
  const heads: Placed["heads"] = [];
  const used = threads.map((_, t) => events.flatMap((event, index) => (event.thread === t ? [index] : []))).map((own, t) => ({ t, own })).filter(({ own }) => own.length);
  const init = initial ? execution.initial.map((location, i) => ({ index: events.length + i, text: `W ${location ?? ""} = ${valueOf(execution, location)}` })).filter((w) => w.text !== "W  = ") : [];
  const top = TOP + (init.length ? ROW : 0);
  let x = MARGIN;
  let rows = 0;
  for (const { t, own } of used) {
    const texts = own.map((index) => ({ text: shorten(label(events[index]!), LONGEST), source: shorten(events[index]!.source, LONGEST) }));
    const width = Math.max(96, ...texts.map(({ text, source }) => Math.max(text.length * CHARACTER, source.length * SMALL) + 34));
    heads.push({ text: threads[t]!.name, x: x + width / 2 });
    own.forEach((index, row) => {
      boxes.set(index, { index, x, y: top + row * ROW, width, height: HEIGHT, ...texts[row]! });
    });
    rows = Math.max(rows, own.length);
    x += width + GAP;
  }
  let right = x - GAP + MARGIN;
  if (init.length) {
    const width = Math.max(...init.map(({ text }) => text.length * CHARACTER + 24));
    const all = init.length * (width + 24) - 24;
    right = Math.max(right, all + 2 * MARGIN);
    let at = (right - all) / 2;
    for (const { index, text } of init) {
      boxes.set(index, { index, x: at, y: TOP, width, height: 28, text, source: "" });
      at += width + 24;
    }
  }
  return { boxes, heads, width: right, height: top + (rows - 1) * ROW + HEIGHT + 24, top };
}

function valueOf(execution: Execution, location: string | null): string {
  return execution.picture.initial.find(([name]) => name === location)?.[1] ?? "0";
}
