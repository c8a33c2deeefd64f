// The executions of a test: a list, the drawn one, its relations, its steps, and why an edge is there.
import type { Derivation, Edge, Execution, Listed, Question, RunTold } from "../engine/types";
import { type Drawing, draw } from "../picture/draw";
import { choices, colour, usual } from "../picture/relations";
import { ORDERS, eventName, step } from "../picture/words";
import { h } from "../state/dom";
import { derivation } from "./derivation";

/** Who knows the executions of a list. */
export interface Source {
  /** Whether it knows what an edge is made of. */
  readonly explains: boolean;
  ask<Answer>(question: Question): Promise<Answer>;
}

export interface View {
  index: number;
  /** Relations that are drawn; nothing: the usual ones. */
  relations: string[] | null;
}

export class Executions {
  readonly element = h("section", { class: "executions", "aria-label": "Executions" });
  view: View = { index: -1, relations: null };
  drawing: Drawing | undefined;
  private list: Listed[] = [];
  private all = true;
  private execution: Execution | undefined;
  private initial = false;
  private upTo: number | null = null;
  private chosen: Edge | null = null;
  private derived: Derivation | null = null;

  constructor(
    private client: Source,
    private changed: () => void,
    private meaning: (name: string) => HTMLElement | undefined,
  ) {}

  clear(): void {
    this.list = [];
    this.drawing = this.execution = undefined;
    this.element.replaceChildren();
  }

  /** Shows the executions of a run. */
  async show(told: RunTold): Promise<void> {
    this.list = told.candidates?.list ?? [];
    this.all = told.candidates?.all ?? true;
    if (this.view.index < 0 || this.view.index >= this.list.length) this.view.index = this.interesting();
    await this.open(this.view.index);
  }

  /** Where to begin: an execution that satisfies the condition, allowed ones first. */
  interesting(): number {
    const best = [(e: Listed) => e.allowed && e.satisfies, (e: Listed) => e.satisfies, (e: Listed) => e.allowed];
    for (const is of best) {
      const at = this.list.findIndex((e) => is(e));
      if (at >= 0) return at;
    }
    return 0;
  }

  async open(index: number): Promise<void> {
    if (!this.list.length) return this.clear();
    this.view.index = index;
    this.upTo = this.chosen = this.derived = null;
    this.execution = await this.client.ask<Execution>({ ask: "execution", index });
    this.render();
    this.changed();
  }

  private go(by: number): void {
    const next = this.view.index + by;
    if (next >= 0 && next < this.list.length) void this.open(next);
  }

  private step(to: number | null): void {
    const most = (this.execution?.picture.events.length ?? 1) - 1;
    this.upTo = to === null ? null : Math.max(0, Math.min(most, to));
    this.render();
    this.element.querySelector<HTMLElement>(".steps [data-step=next]")?.focus();
  }

  private async choose(edge: Edge): Promise<void> {
    if (!this.client.explains) return;
    this.chosen = edge;
    this.derived = null;
    const name = edge.name.replace(/\^-1$/, "");
    const [from, to] = name === edge.name ? [edge.from, edge.to] : [edge.to, edge.from];
    const answer = await this.client.ask<{ derivation: Derivation | null }>({ ask: "derivation", index: this.view.index, relation: name, from, to });
    this.derived = answer.derivation;
    this.render();
    this.element.querySelector<HTMLElement>(".derived")?.focus({ preventScroll: true });
  }

  private render(): void {
    const { execution } = this;
    const listed = this.list[this.view.index];
    if (!execution || !listed) return;
    const cycle = listed.cycle ?? [];
    const wanted = this.view.relations ?? usual(execution);
    const offered = choices(execution, cycle.map((edge) => edge.name));
    this.drawing = {
      execution,
      relations: offered.map((o) => o.name).filter((name) => wanted.includes(name)),
      all: this.view.relations !== null,
      cycle,
      marked: listed.marked ?? [],
      initial: this.initial,
      upTo: this.upTo,
      chosen: this.chosen,
      choose: (edge) => void this.choose({ from: edge.from, to: edge.to, name: edge.name }),
    };
    const title = `Execution ${this.view.index + 1} of ${this.list.length}, ${listed.told?.head ?? (listed.allowed ? "allowed" : "forbidden")}`;
    const parts = [
      this.numbers(),
      this.verdict(listed),
      h("div", { class: "canvas", tabindex: 0, role: "region", "aria-label": "The drawn execution" }, draw(this.drawing, title)),
      this.steps(),
      this.switches(offered.map((o) => ({ name: o.name, first: o.first })), wanted),
      this.why(),
      this.words(),
    ];
    this.element.replaceChildren(...parts.filter((part) => part !== null));
  }

  private numbers(): HTMLElement {
    const dot = (e: Listed, i: number) => {
      const what = `${i + 1}: ${e.told?.head ?? (e.allowed ? "allowed" : `forbidden by ${e.axiom}`)}${e.state ? `, ${e.state}` : ""}`;
      const kind = `${e.allowed ? "allowed" : "forbidden"}${e.satisfies ? " satisfies" : ""}`;
      return h("button", { class: `dot ${kind}`, "aria-pressed": i === this.view.index ? "true" : "false", "aria-label": what, title: what, onclick: () => void this.open(i) }, String(i + 1));
    };
    const allowed = this.list.filter((e) => e.allowed).length;
    const candidates = this.list.some((e) => e.told) ? `${this.list.length} execution${this.list.length === 1 ? "" : "s"}` : undefined;
    const count = candidates ?? `${this.all ? "" : "the first "}${this.list.length} candidate execution${this.list.length === 1 ? "" : "s"}: ${allowed} allowed, ${this.list.length - allowed} forbidden`;
    return h(
      "div",
      { class: "numbers" },
      h("button", { "aria-label": "Previous execution", onclick: () => this.go(-1), disabled: this.view.index === 0 }, "‹"),
      h("div", { class: "dots", role: "group", "aria-label": count }, ...this.list.map(dot)),
      h("button", { "aria-label": "Next execution", onclick: () => this.go(1), disabled: this.view.index === this.list.length - 1 }, "›"),
      h("span", { class: "count" }, count),
    );
  }

  private verdict(listed: Listed): HTMLElement {
    const state = listed.state ? h("code", {}, listed.state) : null;
    const mark = listed.satisfies ? h("span", { class: "mark" }, "satisfies the condition") : null;
    if (listed.told) {
      const [message, ...notes] = listed.told.text;
      return h("div", { class: "told forbidden" }, h("p", {}, h("b", {}, listed.told.head), ` ${message}`), ...notes.map((note) => h("p", { class: "note" }, note)));
    }
    if (listed.allowed) {
      const flags = listed.flags.length ? ` It raises ${listed.flags.join(", ")}.` : "";
      return h("p", { class: "told allowed" }, h("b", {}, "Allowed. "), state, " ", mark, flags);
    }
    const text = listed.axiom_text ? h("pre", { class: "axiom" }, listed.axiom_text) : null;
    const place = listed.axiom_file ? ` (${listed.axiom_file})` : "";
    const why = listed.unexplained ? ` ${listed.unexplained}` : listed.cycle?.length ? " fails on the red edges:" : " fails.";
    return h("div", { class: "told forbidden" }, h("p", {}, h("b", {}, "Forbidden. "), state, " ", mark, h("br"), "The axiom ", h("b", {}, listed.axiom ?? "without a name"), place, why), text);
  }

  private steps(): HTMLElement {
    const { execution, upTo } = this;
    const last = execution!.picture.events.length - 1;
    const button = (text: string, label: string, name: string, to: () => number | null, disabled: boolean) =>
      h("button", { "aria-label": label, title: label, "data-step": name, disabled, onclick: () => this.step(to()) }, text);
    const told = upTo === null ? ORDERS[execution!.picture.order]! : `Step ${upTo + 1} of ${last + 1}: ${step(execution!, upTo)}`;
    return h(
      "div",
      { class: "steps" },
      h(
        "div",
        { class: "buttons", role: "group", "aria-label": "Steps of this execution" },
        button("❙◀", "First step", "first", () => 0, false),
        button("◀", "Step back", "back", () => (upTo ?? 1) - 1, upTo === null || upTo === 0),
        button("▶", "Next step", "next", () => (upTo === null ? 0 : upTo + 1), upTo === last),
        button("Whole", "The whole execution", "all", () => null, upTo === null),
      ),
      h("p", { "aria-live": "polite", class: "step" }, told),
    );
  }

  private switches(offered: { name: string; first: boolean }[], wanted: string[]): HTMLElement {
    const one = ({ name }: { name: string }) => {
      const toggle = (event: Event) => {
        const on = (event.target as HTMLInputElement).checked;
        this.view.relations = on ? [...wanted, name] : wanted.filter((other) => other !== name);
        this.render();
        this.changed();
        this.element.querySelector<HTMLElement>(`[data-relation="${CSS.escape(name)}"]`)?.focus();
      };
      return h("label", { class: `switch ${colour(name)}` }, h("input", { type: "checkbox", "data-relation": name, checked: wanted.includes(name), onchange: toggle }), name);
    };
    const more = offered.filter((o) => !o.first);
    const initial = h("input", { type: "checkbox", "data-relation": " initial", checked: this.initial, onchange: () => ((this.initial = !this.initial), this.render()) });
    const open = more.some((o) => wanted.includes(o.name));
    return h(
      "fieldset",
      { class: "relations" },
      h("legend", {}, "Relations"),
      ...offered.filter((o) => o.first).map(one),
      h("label", { class: "switch" }, initial, "initial writes"),
      more.length ? h("details", { open }, h("summary", {}, `${more.length} more`), h("div", {}, ...more.map(one))) : null,
    );
  }

  private why(): HTMLElement | null {
    const { chosen, execution } = this;
    if (!chosen) return this.client.explains ? h("p", { class: "hint" }, "Choose an edge to see how it comes about.") : null;
    const head = h("p", {}, h("b", {}, chosen.name), ` from ${eventName(execution!, chosen.from)} to ${eventName(execution!, chosen.to)}`);
    const body = this.derived ? derivation(this.derived, execution!) : (this.meaning(chosen.name) ?? h("p", {}, "It is part of the execution itself."));
    return h("div", { class: "derived", tabindex: -1, "aria-label": "How this edge comes about" }, head, body);
  }

  private words(): HTMLElement {
    const execution = this.execution!;
    const { relations } = this.drawing!;
    const edges = relations.flatMap((name) => {
      const pairs = execution.relations.find(([own]) => own === name)?.[1] ?? [];
      return pairs.length ? [h("li", {}, `${name}: ${pairs.map(([from, to]) => `${eventName(execution, from)} → ${eventName(execution, to)}`).join(", ")}`)] : [];
    });
    return h("details", { class: "words" }, h("summary", {}, "This execution in words"), h("ol", { start: 0 }, ...execution.picture.events.map((_, i) => h("li", {}, step(execution, i)))), h("ul", {}, ...edges));
  }
}
