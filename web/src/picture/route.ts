// How arrows run between boxes, and where their names stand.
import type { Box, Placed } from "./place";

export interface Arrow {
  from: number;
  to: number;
  name: string;
  cycle: boolean;
}

export interface Routed extends Arrow {
  path: string;
  label: { x: number; y: number; width: number };
  /** What the arrow covers, its name included. */
  area: Area;
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

type Curve = [Point, Point, Point];

const middle = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** Where the way from a box's middle to a point leaves the box. */
function border(box: Box, to: Point): Point {
  const from = middle(box);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const scale = Math.min(dx ? (box.width / 2 + 2) / Math.abs(dx) : Infinity, dy ? (box.height / 2 + 2) / Math.abs(dy) : Infinity);
  return { x: from.x + dx * scale, y: from.y + dy * scale };
}

function overlaps(a: Area, b: Area): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const on = (a: Point, c: Point, b: Point, t: number): Point => ({
  x: (1 - t) ** 2 * a.x + 2 * t * (1 - t) * c.x + t ** 2 * b.x,
  y: (1 - t) ** 2 * a.y + 2 * t * (1 - t) * c.y + t ** 2 * b.y,
});

/** Whether a curve goes through a box that it has nothing to do with. */
function crosses(curve: Curve, boxes: Box[], arrow: Arrow): number {
  let count = 0;
  for (const box of boxes) {
    if (box.index === arrow.from || box.index === arrow.to) continue;
    for (let t = 0.04; t < 1; t += 0.04) {
      const p = on(...curve, t);
      if (p.x > box.x - 4 && p.x < box.x + box.width + 4 && p.y > box.y - 4 && p.y < box.y + box.height + 4) count++;
    }
  }
  return count;
}

/** Finds a way for each arrow; arrows between the same events, and names, keep apart. */
export function route(placed: Placed, arrows: Arrow[]): Routed[] {
  const boxes = [...placed.boxes.values()];
  const used = new Map<string, number[]>();
  const curves: { arrow: Arrow; curve: Curve }[] = [];
  for (const arrow of arrows) {
    const [a, b] = [placed.boxes.get(arrow.from), placed.boxes.get(arrow.to)];
    if (!a || !b || a === b) continue;
    const pair = [arrow.from, arrow.to].sort((x, y) => x - y).join(" ");
    const taken = used.get(pair) ?? [];
    const { curve, offset } = bend(a, b, taken, boxes, arrow);
    used.set(pair, [...taken, offset]);
    curves.push({ arrow, curve });
  }
  const covered: Area[] = boxes.map((box) => ({ x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4 }));
  return curves.map(({ arrow, curve }) => {
    const width = arrow.name.length * 7.4 + 8;
    const others = curves.filter((other) => other.curve !== curve).map((other) => other.curve);
    const label = name(curve, width, covered, others);
    covered.push({ x: label.x - width / 2, y: label.y - 8, width, height: 16 });
    const [from, control, to] = curve;
    const path = `M${from.x.toFixed(1)},${from.y.toFixed(1)} Q${control.x.toFixed(1)},${control.y.toFixed(1)} ${to.x.toFixed(1)},${to.y.toFixed(1)}`;
    return { ...arrow, path, label: { ...label, width }, area: area(curve, label, width) };
  });
}

/** The smallest area around a curve and its name. */
function area(curve: Curve, label: Point, width: number): Area {
  const points = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((t) => on(...curve, t));
  const xs = [...points.map((p) => p.x), label.x - width / 2, label.x + width / 2];
  const ys = [...points.map((p) => p.y), label.y - 8, label.y + 8];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The least bent way that crosses the fewest boxes. `taken`: the ways of arrows that there are between the two already. */
function bend(a: Box, b: Box, taken: number[], boxes: Box[], arrow: Arrow): { curve: Curve; offset: number } {
  const [start, end] = [middle(a), middle(b)];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy) || 1;
  // Always to the same side of the two, whichever is the first.
  const side = arrow.from < arrow.to ? 1 : -1;
  const normal = { x: (-dy / length) * side, y: (dx / length) * side };
  const isColumn = Math.abs(dx) < 1;
  const offsets = isColumn && length < 100 ? [0, 34, -34, 62, -62, 90, -90] : isColumn ? [70, -70, 100, -100, 130, -130, 160, -160] : [12, -12, 44, -44, 76, -76, 110, -110, 150, -150];
  let best: { cost: number; curve: Curve; offset: number } | undefined;
  offsets.forEach((offset, rank) => {
    const wide = isColumn && offset !== 0 ? Math.sign(offset) * (a.width / 2 + Math.abs(offset)) : offset;
    const control = { x: (start.x + end.x) / 2 + normal.x * wide, y: (start.y + end.y) / 2 + normal.y * wide };
    const curve: Curve = [border(a, control), control, border(b, control)];
    const cost = crosses(curve, boxes, arrow) * 10 + rank + (taken.includes(offset) ? 1000 : 0);
    if (!best || cost < best.cost) best = { cost, curve, offset };
  });
  return best!;
}

/** The place on the curve, or a little beside it, where a name covers nothing, no other arrow either if that can be. */
function name([from, control, to]: Curve, width: number, covered: Area[], others: Curve[]): Point {
  const at = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8];
  let best: { cost: number; point: Point } | undefined;
  for (const shift of [0, 14, -14, 24, -24]) {
    at.forEach((t, rank) => {
      const p = on(from, control, to, t);
      const point = { x: p.x + shift, y: p.y };
      const area = { x: point.x - width / 2, y: point.y - 8, width, height: 16 };
      const hidden = covered.filter((other) => overlaps(area, other)).length;
      const cost = hidden * 1000 + under(area, others) * 20 + Math.abs(shift) + rank * 2;
      if (!best || cost < best.cost) best = { cost, point };
    });
  }
  return best!.point;
}

/** How many other arrows a name would lie over. */
function under(area: Area, others: Curve[]): number {
  const isIn = (p: Point) => p.x > area.x && p.x < area.x + area.width && p.y > area.y && p.y < area.y + area.height;
  const hits = (curve: Curve) => {
    for (let t = 0; t <= 1; t += 0.03) if (isIn(on(...curve, t))) return true;
    return false;
  };
  return others.filter(hits).length;
}
