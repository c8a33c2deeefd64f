// The page: what is edited, what is run, what is shown.
import { gallery, shelfOf } from "../content/gallery";
import { Editor, type Tab } from "../editor/editor";
import { meaning } from "../editor/help";
import type { Known } from "../editor/help";
import { Client, Stopped } from "../engine/client";
import type { About, BaseName, ModelText, ModelTold, RunTold, TestText, TestTold, Told } from "../engine/types";
import { Compare } from "../panels/compare";
import { Executions } from "../panels/executions";
import { type Form, save } from "../panels/exports";
import { Lessons } from "../panels/lessons";
import { answer, result } from "../panels/result";
import { h, later } from "../state/dom";
import { type Shared, fromFragment, toFragment } from "../state/share";
import { type Right, type Side, type Skeleton, skeleton } from "./skeleton";
import { nextTheme } from "./theme";

/** Seconds that a check may take before what it has is shown. */
const SECONDS = 60;
/** Addresses that are places of the page. */
const PLACES = /^#(right|answer)?$/;
/** Candidates that are listed. */
const MOST = 64;

export class Page {
  private parts: Skeleton;
  private runner = new Client();
  private helper = new Client();
  private editor: Editor;
  private executions: Executions;
  private compare: Compare;
  private lessons: Lessons;
  private known: Known = { names: [], definitions: [], words: [] };
  private names = new Map<string, { names: BaseName[]; words: string[] }>();
  private told: RunTold | undefined;
  private problems: Record<Tab, Told[]> = { cat: [], bell: [], def: [], test: [] };
  private model: ModelText;
  private base: string | null = "sc";
  private test: TestText;
  private against = "sc";
  private lesson: number | undefined;
  private right: Right = "executions";
  private round = 0;

  constructor(private about: About) {
    this.parts = skeleton({
      side: (side) => this.side(side),
      right: (right) => this.answers(right),
      run: () => void this.run(),
      stop: () => this.stop(),
      format: () => void this.format(),
      share: () => void this.share(),
      save: (form) => void this.save(form as Form),
      theme: nextTheme,
      model: (name) => this.choose(name),
      against: (name) => ((this.against = name), this.compared()),
      test: (which) => this.pick(which),
    });
    const { parts } = this;
    this.model = this.bundled("x86tso");
    this.base = "x86tso";
    this.test = gallery[0]!.tests[0]!;
    this.editor = new Editor(parts.editor, () => this.known, (tab, text) => this.edited(tab, text), { run: () => void this.run(), format: () => void this.format() });
    this.executions = new Executions(this.runner, () => this.remember(), (name) => meaning(name, this.known));
    this.compare = new Compare(new Client(), (test) => this.open(test));
    this.lessons = new Lessons({ run: (model, test) => this.exercise(model, test), edit: (text) => this.own(text), opened: (lesson) => ((this.lesson = lesson), this.remember()) });
    parts.executions.append(this.executions.element);
    parts.compare.append(this.compare.element);
    parts.lesson.append(this.lessons.element);
    const option = (name: string) => h("option", { value: name }, name);
    parts.model.append(...about.models.map((m) => option(m.name)));
    parts.against.append(...about.models.map((m) => option(m.name)));
    parts.test.append(...gallery.map((shelf, s) => h("optgroup", { label: shelf.title }, ...shelf.tests.map((test, t) => h("option", { value: `${s} ${t}` }, test.name.replace(/\.litmus$/, ""))))));
    this.runner.onprogress = (seen) => this.say(`Running… ${seen} executions so far`);
  }

  /** Shows what the address says, or the first test; again, when somebody follows a link to another lesson or test. */
  async start(): Promise<void> {
    addEventListener("hashchange", () => {
      if (!PLACES.test(location.hash)) void this.begin();
    });
    await this.begin();
  }

  private async begin(): Promise<void> {
    const shared = await fromFragment(location.hash).catch(() => undefined);
    if (shared) this.restore(shared);
    else if (/^#s=/.test(location.hash)) this.say("This link cannot be read; it may have been cut off.");
    const wanted = /^#lesson=(\d+)$/.exec(location.hash);
    this.fill();
    this.side(shared?.lesson !== undefined || wanted ? "lesson" : "test");
    if (wanted) this.lessons.show(Number(wanted[1]) - 1);
    this.answers("executions");
    await this.run();
  }

  private restore(shared: Shared): void {
    this.base = shared.base;
    if (shared.model) this.model = shared.model;
    else if (shared.base && this.about.models.some((m) => m.name === shared.base)) this.model = this.bundled(shared.base);
    this.test = shared.test;
    this.against = shared.against ?? this.against;
    this.lesson = shared.lesson;
    this.executions.view = { index: shared.execution ?? -1, relations: shared.relations ?? null };
  }

  private bundled(name: string): ModelText {
    const found = this.about.models.find((m) => m.name === name) ?? this.about.models[0]!;
    return { name: `${found.name}.cat`, cat: found.cat, bell: found.bell, def: found.def };
  }

  /** A model with what tests of the kernel are written in, if it has no macros of its own. */
  private withMacros(model: ModelText, test: TestText): ModelText {
    const kernel = shelfOf(test.text)?.model;
    const def = this.about.models.find((m) => m.name === kernel)?.def;
    return model.def == null && def ? { ...model, def } : model;
  }

  private isEdited(): boolean {
    const own = this.base ? this.bundled(this.base) : undefined;
    return !own || own.cat !== this.model.cat || own.bell !== this.model.bell || own.def !== this.model.def;
  }

  /** Puts model and test into the editor and the lists. */
  private fill(): void {
    const { parts } = this;
    this.editor.set("cat", this.model.cat);
    this.editor.set("bell", this.model.bell ?? "");
    this.editor.set("def", this.model.def ?? "");
    this.editor.set("test", this.test.text);
    parts.sides.buttons.get("bell")!.hidden = this.model.bell == null;
    parts.sides.buttons.get("def")!.hidden = this.model.def == null;
    this.lists();
    this.diagnose();
  }

  private lists(): void {
    const { parts } = this;
    const edited = this.isEdited();
    parts.model.querySelector("option[value='']")?.remove();
    if (edited) parts.model.prepend(h("option", { value: "" }, `${this.model.name.replace(/\.cat$/, "")} (edited)`));
    parts.model.value = edited ? "" : this.base!;
    parts.against.value = this.against;
    parts.test.querySelector("option[value='']")?.remove();
    const place = gallery.flatMap((shelf, s) => shelf.tests.map((test, t) => ({ test, key: `${s} ${t}` }))).find(({ test }) => test.text === this.test.text);
    if (!place) parts.test.prepend(h("option", { value: "" }, `${this.test.name.replace(/\.litmus$/, "")} (own)`));
    parts.test.value = place?.key ?? "";
  }

  private side(side: Side): void {
    const { parts } = this;
    parts.sides.select(side);
    const isLesson = side === "lesson";
    parts.lesson.hidden = !isLesson;
    parts.editor.hidden = parts.messages.hidden = isLesson;
    parts.format.hidden = side !== "cat" && side !== "bell";
    if (isLesson) return this.lessons.show(this.lesson ?? 0);
    if (this.lesson !== undefined) {
      this.lesson = undefined;
      this.remember();
    }
    this.editor.show(side);
    this.mark();
  }

  private answers(right: Right): void {
    const { parts } = this;
    this.right = right;
    parts.rights.select(right);
    parts.executions.hidden = right !== "executions";
    parts.compare.hidden = right !== "compare";
    if (right === "compare") this.compared();
    else this.compare.stop();
  }

  private choose(name: string): void {
    if (!name) return;
    this.base = name;
    this.model = this.bundled(name);
    this.executions.view.relations = null;
    if (this.editor.tab === "bell" || this.editor.tab === "def") this.side("cat");
    this.fill();
    void this.run();
  }

  private pick(which: string): void {
    const [s, t] = which.split(" ").map(Number);
    const shelf = gallery[s!];
    const test = shelf?.tests[t!];
    if (!shelf || !test) return;
    // A model for another architecture would say nothing of it.
    if (!this.suits(test.text) && !this.isEdited()) {
      this.base = shelf.model;
      this.model = this.bundled(shelf.model);
    }
    this.open(test);
  }

  /** Whether the model at hand is for tests of this kind: its title names no other architecture, and it is the kernel's for kernel tests. */
  private suits(text: string): boolean {
    const shelf = shelfOf(text);
    const title = /^\s*(?:\(\*[\s\S]*?\*\)\s*)*(\w+)/.exec(this.model.cat)?.[1] ?? "";
    const claimed = this.about.archs.find((arch) => arch === title);
    const fits = !claimed || claimed === /^\s*(\S+)/.exec(text)?.[1];
    return fits && (shelf?.model === "lkmm") === (this.model.name === "lkmm.cat") && (shelf?.model === "rc11" || !["rc11.cat", "rc20.cat", "c11.cat"].includes(this.model.name));
  }

  private open(test: TestText): void {
    this.test = test;
    this.executions.view = { index: -1, relations: this.executions.view.relations };
    this.fill();
    void this.run();
  }

  private edited(tab: Tab, text: string): void {
    if (tab === "test") {
      const name = /^\s*\S+\s+(\S+)/.exec(text)?.[1] ?? "test";
      this.test = { name: `${name}.litmus`, text };
    } else {
      this.model = { ...this.model, [tab]: text };
    }
    this.lists();
    this.parts.changed.hidden = this.told === undefined;
    this.diagnoseSoon();
  }

  private diagnoseSoon = later(250, () => this.diagnose());
  private compareSoon = later(700, () => this.compared());

  /** Asks the parsers what is wrong, and what names there are. */
  private diagnose(): void {
    const work = async () => {
      const test = await this.helper.ask<TestTold>({ ask: "test", test: this.test, def: this.withMacros(this.model, this.test).def ?? null });
      const model = await this.helper.ask<ModelTold>({ ask: "model", model: this.model, arch: test.arch });
      const arch = test.arch ?? "";
      if (!this.names.has(arch)) this.names.set(arch, await this.helper.ask<{ names: BaseName[]; words: string[] }>({ ask: "names", arch: test.arch }));
      const failed = model.messages.some((message) => message.severity === "error");
      this.known = { ...this.names.get(arch)!, definitions: failed && this.known.definitions.length ? this.known.definitions : model.definitions };
      const of = (tab: "cat" | "bell") => model.messages.filter((m) => m.file === this.model.name.replace(/\.cat$/, `.${tab}`) || (tab === "cat" && m.file === ""));
      const elsewhere = model.messages.filter((m) => !m.file.endsWith(".bell") && m.file !== this.model.name && m.file !== "def" && m.file !== "");
      this.problems = { cat: [...of("cat"), ...elsewhere.map((m) => ({ ...m, from: 0, to: 1 }))], bell: of("bell"), def: model.messages.filter((m) => m.file === "def"), test: test.messages };
      this.mark();
      this.remember();
      if (this.right === "compare") this.compareSoon();
    };
    work().catch((error) => this.say(String(error)));
  }

  private mark(): void {
    const { messages, sides } = this.parts;
    const { tab } = this.editor;
    const told = this.problems[tab];
    this.editor.mark(told);
    const go = (t: Told) => () => this.editor.go(t.from);
    messages.replaceChildren(...told.map((t) => h("button", { class: t.severity, onclick: go(t) }, h("b", {}, `line ${t.line}: `), t.message, t.label && t.label !== t.message ? ` (${t.label})` : "", h("small", {}, ` ${t.help}`))));
    for (const [name, button] of sides.buttons) {
      if (name === "lesson") continue;
      const errors = this.problems[name].filter((t) => t.severity === "error").length;
      button.classList.toggle("wrong", errors > 0);
      button.title = errors ? `${errors} error${errors === 1 ? "" : "s"}` : "";
    }
  }

  /** Runs the test under the model. */
  async run(): Promise<string> {
    const round = ++this.round;
    const { parts } = this;
    this.runner.stop();
    parts.stop.hidden = false;
    parts.changed.hidden = true;
    const slow = setTimeout(() => this.say("Running…"), 150);
    try {
      const told = await this.runner.ask<RunTold>({ ask: "run", model: this.withMacros(this.model, this.test), test: this.test, seconds: SECONDS, most: MOST });
      if (round !== this.round) return "";
      this.told = told;
      parts.answer.replaceChildren(result(told));
      await this.executions.show(told);
      this.say("");
      this.remember();
      if (this.right === "compare") this.compared();
      return answer(told);
    } catch (error) {
      if (round !== this.round) return "";
      const stopped = error instanceof Stopped;
      this.say(stopped ? "Stopped. What a stopped check has seen says nothing." : "");
      if (!stopped) parts.answer.replaceChildren(h("p", { class: "error", role: "alert" }, error instanceof Error ? error.message : String(error)));
      this.executions.clear();
      this.told = undefined;
      return stopped ? "Stopped" : "Error";
    } finally {
      clearTimeout(slow);
      if (round === this.round) parts.stop.hidden = true;
    }
  }

  private stop(): void {
    this.runner.stop();
    this.parts.answer.replaceChildren();
  }

  /** A lesson runs a test under a bundled model. */
  private async exercise(model: string, test: TestText): Promise<string> {
    this.base = model;
    this.model = this.bundled(model);
    this.test = test;
    this.executions.view = { index: -1, relations: null };
    this.answers("executions");
    this.fill();
    const answer = await this.run();
    if (matchMedia("(max-width: 800px)").matches) document.querySelector("#right")?.scrollIntoView({ behavior: "smooth" });
    return answer;
  }

  /** A model of one's own. */
  private own(text: string): void {
    this.base = null;
    this.model = { name: "mine.cat", cat: text, bell: null, def: null };
    this.fill();
    this.side("cat");
    void this.run();
  }

  private compared(): void {
    if (this.right !== "compare") return;
    const shelf = shelfOf(this.test.text);
    const [left, right] = [this.model, this.bundled(this.against)].map((model) => this.withMacros(model, this.test)) as [ModelText, ModelText];
    void this.compare.show({ left, right, test: this.test, tests: shelf?.tests ?? [] });
  }

  private async format(): Promise<void> {
    const { tab } = this.editor;
    if (tab !== "cat" && tab !== "bell") return;
    try {
      const { text } = await this.helper.ask<{ text: string }>({ ask: "format", text: this.model[tab] ?? "" });
      this.editor.set(tab, text);
      this.edited(tab, text);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  private state(): Shared {
    const { view } = this.executions;
    const edited = this.isEdited();
    return {
      base: this.base,
      ...(edited ? { model: this.model } : {}),
      test: this.test,
      execution: Math.max(0, view.index),
      ...(view.relations ? { relations: view.relations } : {}),
      ...(this.lesson === undefined ? {} : { lesson: this.lesson }),
      ...(this.right === "compare" ? { against: this.against } : {}),
    };
  }

  /** Keeps the state in the address. */
  private remember = later(400, () => {
    void toFragment(this.state()).then((fragment) => history.replaceState(null, "", fragment));
  });

  private async share(): Promise<void> {
    const address = location.href.split("#")[0] + (await toFragment(this.state()));
    history.replaceState(null, "", address);
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    this.say(copied ? "The link is on the clipboard; it holds model, test and view." : "The address of this page is the link: it holds model, test and view.");
  }

  private async save(form: Form): Promise<void> {
    if (!form) return;
    const why = await save(form, { drawing: this.executions.drawing, told: this.told, test: this.test }).catch((error) => String(error));
    if (why) this.say(why);
  }

  private say(text: string): void {
    this.parts.told.textContent = text;
  }
}
