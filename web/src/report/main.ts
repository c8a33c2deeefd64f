// A report of hmc as a page of one file.
import type { Question, RunTold } from "../engine/types";
import { Executions } from "../panels/executions";
import { result as answered } from "../panels/result";
import { h } from "../state/dom";
import { type One, type Reported, executions } from "./data";
import { sources as shown } from "./sources";
import "../style/page.css";
import "../style/picture.css";
import "../style/report.css";

function read<Data>(id: string): Data {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null") as Data;
}

const { results } = read<{ results: Reported[] }>("results");
const sources = read<Record<string, string>>("sources");

/** What the viewer asks hmc, answered from the report. */
function answers(all: One[]) {
  return {
    explains: false,
    ask: <Answer>(question: Question): Promise<Answer> => {
      const answer = question.ask === "execution" ? all[question.index]!.execution : { derivation: null };
      return Promise.resolve(answer as Answer);
    },
  };
}

function statistics(result: Reported): HTMLElement {
  const rows = Object.entries({ executions: result.executions.complete ?? "very many", "events of the largest": result.events_max, seconds: result.seconds.toFixed(2), ...(result.explored ?? {}) });
  return h("details", {}, h("summary", {}, "Statistics"), h("table", {}, h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name.replaceAll("_", " ")), h("td", {}, String(value)))))));
}

function section(result: Reported): HTMLElement {
  const all = executions(result);
  const code = h("div", { class: "code" });
  const never = new Map((result.coverage?.files ?? []).map((f) => [f.file, f.never_run]));
  const changed = () => {
    const one = all[panel.view.index];
    code.replaceChildren(shown(result.file, one, sources, never));
  };
  const panel = new Executions(answers(all), changed, () => undefined);
  const told: RunTold = { result, log: null, warnings: [], candidates: { all: true, looked_at: all.length, list: all.map((one) => one.listed) } };
  const body = h("div", { class: "body" });
  const element = h("details", { class: `reported ${result.verdict}`, open: results.length === 1 }, h("summary", {}, h("b", { class: "word" }, result.verdict), ` ${result.file} under ${result.model}`), body);
  const fill = () => {
    if (body.childElementCount) return;
    body.append(answered(told), panel.element, code, statistics(result));
    panel.view.index = 0;
    if (all.length) void panel.show(told);
    else changed();
  };
  // Of many results, those that are looked at are drawn.
  element.addEventListener("toggle", fill);
  if (results.length === 1) fill();
  return element;
}

const counts = new Map<string, number>();
for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
document.querySelector("#page")!.append(
  h("main", { class: "report" }, h("h1", {}, "hmc"), h("p", {}, `${results.length} result${results.length === 1 ? "" : "s"}: ${[...counts].map(([verdict, n]) => `${n} ${verdict}`).join(", ")}`), ...results.map(section)),
);
document.documentElement.dataset.ready = "yes";
