// An execution as SVG.
import type { Edge, Execution } from "../engine/types";
import { s } from "../state/dom";
import { type Placed, place } from "./place";
import { type Pairs, colour, steps } from "./relations";
import { type Arrow, type Routed, route } from "./route";
import { eventName, label } from "./words";

export interface Drawing {
  execution: Execution;
  /** Relations that are drawn. */
  relations: string[];
  /** Also arrows between events that the cycle joins already: when somebody has chosen the relations. */
  all: boolean;
  /** The cycle of a forbidden execution. */
  cycle: Edge[];
  /** Other events that stand out. */
  marked: number[];
  /** Whether initial writes have boxes. */
  initial: boolean;
  /** Only so many events, in the order of the rows; the last one is marked. */
  upTo: number | null;
  chosen?: Edge | null;
  choose?: (edge: Edge) => void;
}

export interface Layout {
  placed: Placed;
  routed: Routed[];
  frame: { left: number; top: number; width: number; height: number };
}

/** Room around arrows at the rim. */
const PADDING = 10;

/** The arrows of a drawing: those of the cycle first. */
export function layout(drawing: Drawing): Layout {
  const { execution, relations, cycle } = drawing;
  const placed = place(execution, drawing.initial);
  const arrows: Arrow[] = [];
  const add = (arrow: Arrow) => {
    if (!placed.boxes.has(arrow.from) || !placed.boxes.has(arrow.to) || arrow.from === arrow.to) return;
    if (!arrows.some((other) => other.from === arrow.from && other.to === arrow.to && other.name === arrow.name)) arrows.push(arrow);
  };
  for (const edge of cycle) add({ ...edge, cycle: true });
  const onCycle = (from: number, to: number) => cycle.some((edge) => edge.from === from && edge.to === to);
  for (const name of relations) {
    const pairs: Pairs = execution.relations.find(([own]) => own === name)?.[1] ?? [];
    for (const [from, to] of steps(pairs)) if (drawing.all || !onCycle(from, to)) add({ from, to, name, cycle: false });
  }
  const routed = route(placed, arrows);
  return { placed, routed, frame: frame(placed, routed) };
}

/** The part of the plane that has everything in it. */
function frame(placed: Placed, routed: Routed[]): Layout["frame"] {
  const left = Math.min(0, ...routed.map(({ area }) => area.x - PADDING));
  const top = Math.min(0, ...routed.map(({ area }) => area.y - PADDING));
  const right = Math.max(placed.width, ...routed.map(({ area }) => area.x + area.width + PADDING));
  const bottom = Math.max(placed.height, ...routed.map(({ area }) => area.y + area.height + PADDING));
  return { left, top, width: right - left, height: bottom - top };
}

/** The drawing; `label` tells people who do not see it what it is. */
export function draw(drawing: Drawing, title: string): SVGSVGElement {
  const { placed, routed, frame } = layout(drawing);
  const { execution, upTo } = drawing;
  const svg = s("svg", { class: "picture", viewBox: [frame.left, frame.top, frame.width, frame.height].map((n) => n.toFixed(0)).join(" "), width: frame.width.toFixed(0), height: frame.height.toFixed(0), style: `--natural: ${frame.width.toFixed(0)}px`, role: "group", "aria-label": title });
  const classes = [...new Set(routed.map((r) => (r.cycle ? "bad" : colour(r.name))))];
  const defs = s("defs");
  for (const name of classes) {
    const head = s("path", { d: "M0,0 L9,4.5 L0,9 L2,4.5 z", class: `head ${name}` });
    defs.append(s("marker", { id: `head-${name}`, viewBox: "0 0 9 9", refX: 8, refY: 4.5, markerUnits: "userSpaceOnUse", markerWidth: 11, markerHeight: 11, orient: "auto" }, head));
  }
  svg.append(defs);
  for (const head of placed.heads) svg.append(s("text", { class: "thread", x: head.x, y: 20, "text-anchor": "middle" }, head.text));
  const hidden = (index: number) => upTo !== null && index < execution.picture.events.length && index > upTo;
  const edges = s("g");
  for (const arrow of routed) {
    if (hidden(arrow.from) || hidden(arrow.to)) continue;
    edges.append(line(arrow, drawing));
  }
  svg.append(edges, boxes(drawing, placed, hidden));
  const names = s("g", { "aria-hidden": "true" });
  for (const arrow of routed) {
    if (hidden(arrow.from) || hidden(arrow.to)) continue;
    const { x, y, width } = arrow.label;
    const tone = arrow.cycle ? "bad" : colour(arrow.name);
    const choose = () => drawing.choose?.(arrow);
    names.append(
      s("rect", { class: "behind", x: x - width / 2, y: y - 8, width, height: 16, rx: 3 }),
      s("text", { class: `name ${tone}`, x, y: y + 4, "text-anchor": "middle", onclick: choose }, arrow.name),
    );
  }
  svg.append(names);
  return svg as SVGSVGElement;
}

function line(arrow: Routed, drawing: Drawing): SVGElement {
  const tone = arrow.cycle ? "bad" : colour(arrow.name);
  const { chosen, choose, execution } = drawing;
  const isChosen = chosen && chosen.from === arrow.from && chosen.to === arrow.to && chosen.name === arrow.name;
  const words = `${arrow.name} from ${eventName(execution, arrow.from)} to ${eventName(execution, arrow.to)}${arrow.cycle ? ", on the cycle" : ""}`;
  const pick = () => choose?.(arrow);
  const press = (event: Event) => {
    const key = (event as KeyboardEvent).key;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      pick();
    }
  };
  const group = s("g", { class: `edge${isChosen ? " chosen" : ""}`, tabindex: 0, role: "button", "aria-label": words, "data-edge": `${arrow.name} ${arrow.from} ${arrow.to}`, onclick: pick, onkeydown: press });
  group.append(
    s("title", {}, words),
    s("path", { class: "touch", d: arrow.path }),
    s("path", { class: `line ${tone}`, d: arrow.path, "marker-end": `url(#head-${tone})` }),
  );
  return group;
}

function boxes(drawing: Drawing, placed: Placed, hidden: (index: number) => boolean): SVGElement {
  const { execution, cycle, marked: others, upTo } = drawing;
  const group = s("g");
  for (const box of placed.boxes.values()) {
    const event = execution.picture.events[box.index];
    const marked = others.includes(box.index) || cycle.some((edge) => edge.from === box.index || edge.to === box.index);
    const now = upTo !== null && box.index === upTo;
    const whole = event ? `e${box.index}: ${label(event)}. ${event.source}` : `initial write: ${box.text}`;
    const middle = box.x + box.width / 2;
    group.append(
      s(
        "g",
        { class: `event${marked ? " marked" : ""}${now ? " now" : ""}${hidden(box.index) ? " later" : ""}${event ? "" : " initial"}`, role: "img", "aria-label": whole },
        s("title", {}, whole),
        s("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }),
        event ? s("text", { class: "number", x: box.x + 5, y: box.y + 11 }, `e${box.index}`) : null,
        s("text", { class: "label", x: middle, y: event ? box.y + 18 : box.y + 19, "text-anchor": "middle" }, box.text),
        event ? s("text", { class: "source", x: middle, y: box.y + 34, "text-anchor": "middle" }, box.source) : null,
      ),
    );
  }
  return group;
}
