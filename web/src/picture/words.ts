// Executions in words.
import type { EventRow, Execution } from "../engine/types";

export function letter(event: EventRow): string {
  const known: Record<string, string> = { read: "R", write: "W", fence: "F" };
  return (known[event.action] ?? event.action) + (event.atomic ? "*" : "");
}

/** The tags that say most: annotations, not the sets that every access is in. */
export function tags(event: EventRow): string {
  const shown = event.tags.filter((tag) => !["M", "R", "W", "Exp", "A", "P"].includes(tag));
  return shown.length ? `[${shown.slice(0, 3).join(",")}]` : "";
}

export function label(event: EventRow): string {
  const at = event.location ? ` ${event.location}` : "";
  const value = event.value === null ? "" : event.location ? ` = ${event.value}` : ` ${event.value}`;
  return letter(event) + tags(event) + at + value;
}

export function eventName(execution: Execution, index: number): string {
  const { events } = execution.picture;
  if (index < events.length) return `e${index}`;
  return `initial ${execution.initial[index - events.length] ?? ""}`.trim();
}

/** What a step of an execution does. */
export function step(execution: Execution, index: number): string {
  const { events, threads, coherence } = execution.picture;
  const event = events[index]!;
  const thread = threads[event.thread]?.name ?? `P${event.thread}`;
  if (event.action === "write") return `${thread} writes ${event.location} = ${event.value}.`;
  if (event.action !== "read") return `${thread}: ${label(event)}.`;
  const from = event.reads_from;
  const read = `${thread} reads ${event.location} = ${event.value}`;
  const source = from === "initial" ? "the initial value" : from ? `from e${from.event}` : "";
  // A later value is there already, and is not seen.
  const order = coherence.find(([name]) => name === event.location)?.[1] ?? events.flatMap((e, i) => (e.action === "write" && e.location === event.location ? [i] : []));
  const rest = from && from !== "initial" ? order.slice(order.indexOf(from.event) + 1) : order;
  const newer = rest.filter((write) => write < index && !(event.atomic && write === index + 1));
  const old = newer.length ? ` It is an old value: e${newer.at(-1)} has overwritten it, and ${thread} does not see that yet.` : "";
  return `${read}${source ? `, ${source}` : ""}.${old}`;
}

export const ORDERS: Record<string, string> = {
  interleaving: "The threads take turns: each read gives the latest write of the steps before.",
  causal: "No taking of turns explains this. The steps are in program order, and each value is written before it is read; some reads give old values.",
  "program-order": "A value is read before it is written: program order and reads-from form a cycle. The steps are in program order only.",
};
