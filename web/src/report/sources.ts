// Sources, with the lines that an execution goes through, and those that no execution reaches.
import { h } from "../state/dom";
import type { One } from "./data";

export function sources(file: string, one: One | undefined, texts: Record<string, string>, never: Map<string, number[]>): HTMLElement {
  const events = one?.execution.picture.events ?? [];
  const files = [...new Set([file, ...events.flatMap((event) => (event.place ? [event.place.file] : []))])].filter((name) => texts[name] !== undefined);
  const part = (name: string) => {
    const lines = new Map<number, string[]>();
    events.forEach((event, index) => {
      if (event.place?.file === name) lines.set(event.place.line, [...(lines.get(event.place.line) ?? []), `e${index}`]);
    });
    const unreached = new Set(never.get(name) ?? []);
    const row = (text: string, index: number) => {
      const line = index + 1;
      const bad = one?.place?.file === name && one.place.line === line;
      const kind = bad ? "bad" : lines.has(line) ? "hit" : unreached.has(line) ? "never" : "";
      return h("div", { class: `line ${kind}`, title: kind === "never" ? "never reached" : null }, h("span", { class: "at" }, String(line)), h("code", {}, text || " "), h("span", { class: "events" }, lines.get(line)?.join(" ") ?? ""));
    };
    return h("details", { open: name === file || lines.size > 0 }, h("summary", {}, name), h("div", { class: "lines" }, ...texts[name]!.replace(/\n$/, "").split("\n").map(row)));
  };
  return h("section", { "aria-label": "Sources" }, ...files.map(part));
}
