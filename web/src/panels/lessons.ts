// Lessons: texts with tests that run, and questions that are answered by running.
import { blocks, inline } from "../content/markdown";
import { lessons } from "../content/lessons";
import { type Lesson, type Part, subject, testName } from "../content/parse.js";
import type { TestText } from "../engine/types";
import { h } from "../state/dom";

export interface Host {
  /** Opens a test under a bundled model, and runs it; the answer. */
  run: (model: string, test: TestText) => Promise<string>;
  /** Opens a model of one's own. */
  edit: (text: string) => void;
  opened: (lesson: number) => void;
}

export class Lessons {
  readonly element = h("article", { class: "lesson" });
  at = 0;

  constructor(private host: Host) {}

  show(index: number): void {
    this.at = Math.max(0, Math.min(lessons.length - 1, index));
    const lesson = lessons[this.at]!;
    const choose = h("select", { "aria-label": "Lesson", onchange: (event) => this.show(Number((event.target as HTMLSelectElement).value)) }, ...lessons.map((l, i) => h("option", { value: i, selected: i === this.at }, `${i + 1}. ${l.title}`)));
    const turn = (by: number, text: string) => h("button", { onclick: () => this.show(this.at + by), disabled: this.at + by < 0 || this.at + by >= lessons.length }, text);
    this.element.replaceChildren(
      h("div", { class: "chooser" }, choose),
      h("h2", {}, `${this.at + 1}. ${lesson.title}`),
      ...lesson.parts.flatMap((part) => this.part(part, lesson)),
      h("nav", { "aria-label": "Lessons" }, turn(-1, "‹ Previous"), turn(1, "Next ›")),
    );
    this.element.parentElement?.scrollTo(0, 0);
    this.host.opened(this.at);
  }

  private part(part: Part, lesson: Lesson): HTMLElement[] {
    switch (part.kind) {
      case "text":
        return blocks(part.text);
      case "test":
        return [this.test(part)];
      case "model":
        return [h("div", { class: "exercise" }, h("pre", {}, part.text), h("button", { onclick: () => this.host.edit(part.text) }, "Edit this model"))];
      case "question":
        return [this.question(part, lesson)];
    }
  }

  private test(part: Part): HTMLElement {
    const name = testName(part.text);
    const test = { name: `${name}.litmus`, text: part.text };
    const told = h("span", { role: "status" });
    const run = async () => {
      told.textContent = "…";
      told.replaceChildren(" ", h("b", {}, await this.host.run(part.model!, test)));
    };
    return h("div", { class: "exercise" }, h("pre", {}, part.text), h("button", { onclick: () => void run() }, `Run ${name} under ${part.model}`), told);
  }

  private question(part: Part, lesson: Lesson): HTMLElement {
    const about = subject(lesson, part);
    const told = h("p", { role: "status" });
    const check = async (guess: string, button: HTMLElement) => {
      told.textContent = "…";
      const truth = await this.host.run(part.model!, { name: `${part.test}.litmus`, text: about!.text });
      button.parentElement!.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(b === button)));
      told.replaceChildren(h("b", { class: guess === truth ? "right" : "wrong" }, guess === truth ? "Right. " : "No. "), `hmc has run it: ${truth}. The execution is drawn beside.`);
      told.dataset.truth = truth;
    };
    const choice = (guess: string) => h("button", { "aria-pressed": "false", onclick: (event) => void check(guess, event.currentTarget as HTMLElement) }, guess);
    return h("div", { class: "question" }, h("p", {}, h("b", {}, "Question. "), ...inline(part.text.trim().replaceAll("\n", " "))), h("div", { role: "group", "aria-label": "Answers" }, choice("Never"), choice("Sometimes"), choice("Always")), told);
  }
}
