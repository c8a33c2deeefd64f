// Two models side by side: on the test at hand, and on the gallery. The table follows the model as it is edited.
import { Client, Stopped } from "../engine/client";
import type { ModelText, RunTold, TestText } from "../engine/types";
import { h } from "../state/dom";
import { answer } from "./result";

/** Seconds that a test of the table may take. */
const SECONDS = 3;

/** Whether all executions were looked at. */
function isWhole({ result }: RunTold): boolean {
  return (result.verdict === "holds" || result.verdict === "violated") && !result.partial && result.observation !== null;
}

export interface Compared {
  left: ModelText;
  right: ModelText;
  test: TestText;
  tests: TestText[];
}

export class Compare {
  readonly element = h("section", { class: "compare", "aria-label": "Comparison of two models" });
  private round = 0;
  /** Answers that are known: a model and a test have only one. */
  private known = new Map<string, RunTold>();

  constructor(
    private client: Client,
    private open: (test: TestText) => void,
  ) {}

  private async run(model: ModelText, test: TestText): Promise<RunTold> {
    const key = JSON.stringify([model.name, model.cat, model.bell, model.def, test.text]);
    const known = this.known.get(key);
    if (known) return known;
    const told = await this.client.ask<RunTold>({ ask: "run", model, test, seconds: SECONDS, most: 0 });
    if (this.known.size > 2000) this.known.clear();
    this.known.set(key, told);
    return told;
  }

  stop(): void {
    this.round++;
    this.client.stop();
  }

  async show({ left, right, test, tests }: Compared): Promise<void> {
    const round = ++this.round;
    const names = [left, right].map((model) => model.name.replace(/\.cat$/, ""));
    if (names[0] === names[1]) names[0] += " (edited)";
    const here = h("div", {}, "…");
    const body = h("tbody");
    const summary = h("p", { "aria-live": "polite" }, `${tests.length} tests of this architecture`);
    this.element.replaceChildren(
      h("h3", {}, test.name),
      here,
      h("h3", {}, "The gallery"),
      summary,
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "test"), ...names.map((name) => h("th", { scope: "col" }, name!)))), body),
    );
    try {
      const both = [await this.run(left, test), await this.run(right, test)] as const;
      if (round !== this.round) return;
      here.replaceChildren(this.states(both, names as [string, string]));
      let [differing, unknown] = [0, 0];
      for (const [i, one] of tests.entries()) {
        const told = [await this.run(left, one), await this.run(right, one)];
        if (round !== this.round) return;
        const [a, b] = told.map(answer);
        // Of a test without an answer nothing is known, no difference either.
        const known = told.every((one) => isWhole(one));
        const differs = known && (a !== b || JSON.stringify(told[0]!.result.states) !== JSON.stringify(told[1]!.result.states));
        if (differs) differing++;
        if (!known) unknown++;
        const link = h("button", { class: "link", onclick: () => this.open(one) }, one.name);
        body.append(h("tr", { class: differs ? "differs" : "" }, h("th", { scope: "row" }, link), ...[a, b].map((word) => h("td", { class: word!.toLowerCase() }, word!))));
        summary.textContent = `${i + 1} of ${tests.length} tests; they differ on ${differing}${unknown ? `; of ${unknown} that is not known` : ""}`;
      }
    } catch (error) {
      if (!(error instanceof Stopped)) here.replaceChildren(h("p", { class: "error" }, String(error)));
    }
  }

  private states(both: readonly [RunTold, RunTold], names: [string, string]): HTMLElement {
    const [left, right] = both.map((told) => told.result.states) as [string[], string[]];
    const all = [...new Set([...left, ...right])].sort();
    const whole = both.map(isWhole) as [boolean, boolean];
    // What an unfinished check has not seen may be allowed.
    const cell = (has: boolean, isKnown: boolean) => (has || isKnown ? h("td", { class: has ? "sometimes" : "never" }, has ? "allowed" : "forbidden") : h("td", {}, "not known"));
    const differs = (state: string) => whole[0] && whole[1] && left.includes(state) !== right.includes(state);
    const row = (state: string) => h("tr", { class: differs(state) ? "differs" : "" }, h("th", { scope: "row" }, h("code", {}, state)), cell(left.includes(state), whole[0]), cell(right.includes(state), whole[1]));
    const head = h("tr", {}, h("th", { scope: "col" }, "final state"), ...names.map((name, i) => h("th", { scope: "col" }, `${name}: ${answer(both[i]!)}`)));
    return h("table", {}, h("thead", {}, head), h("tbody", {}, ...all.map(row)));
  }
}
