// What a model says of a test: the answer, the states, messages.
import type { RunTold } from "../engine/types";
import { h } from "../state/dom";

const ANSWERS: Record<string, string> = {
  Never: "No execution satisfies the condition.",
  Sometimes: "Some executions satisfy the condition, others do not.",
  Always: "All executions satisfy the condition.",
};

export function answer(told: RunTold): string {
  const { result } = told;
  if (result.verdict === "error") return "Error";
  if (result.observation) return result.observation;
  // Of a program there is no condition to be satisfied.
  if (result.kind === null && result.verdict !== "unsupported") return result.verdict[0]!.toUpperCase() + result.verdict.slice(1);
  return result.verdict === "unsupported" ? "Unsupported" : "Undecided";
}

function count(n: number | null): string {
  return n === null ? "very many" : String(n);
}

export function result(told: RunTold): HTMLElement {
  const { result } = told;
  const word = answer(told);
  const box = h("section", { class: "result", "aria-label": "Answer" });
  const counts = result.positive !== null && result.negative !== null && result.verdict !== "error" ? `${count(result.positive)} satisfy it, ${count(result.negative)} do not.` : "";
  box.append(
    h(
      "p",
      { class: "answer", role: "status" },
      h("b", { class: `word ${word.toLowerCase()}`, "data-answer": word }, word),
      ` ${result.name} under ${result.model.replace(/\.cat$/, "")}. ${ANSWERS[word] ?? ""} ${counts}`,
      h("small", {}, ` ${result.seconds < 0.01 ? "less than 10 ms" : `${result.seconds.toFixed(2)} s`}`),
    ),
  );
  if (result.partial || result.verdict === "bounded") box.append(h("p", { class: "warn" }, "Not all executions were looked at, so what is missing here may be allowed."));
  for (const flag of result.flags) box.append(h("p", { class: "warn" }, `Flag ${flag.name}, in ${count(flag.executions)} executions${flag.undefined ? ": the behaviour is undefined" : ""}.`));
  for (const message of result.messages) {
    const place = message.place ? ` (${message.place.file}:${message.place.line})` : "";
    box.append(h("p", { class: "error" }, `${message.message}${place}`, message.help ? h("br") : null, message.help ? h("small", {}, message.help) : null));
  }
  for (const note of [...told.warnings, ...result.notes]) box.append(h("p", { class: "note" }, note));
  if (result.states.length) {
    const shown = result.states.slice(0, 200);
    box.append(
      h(
        "details",
        { class: "states", open: result.states.length <= 8 },
        h("summary", {}, `${result.states.length} final state${result.states.length === 1 ? "" : "s"}`),
        h("ul", {}, ...shown.map((state) => h("li", {}, h("code", {}, state)))),
        shown.length < result.states.length ? h("p", {}, `and ${result.states.length - shown.length} more: the log has all.`) : null,
      ),
    );
  }
  return box;
}
