// The parts of the page, still empty.
import { h } from "../state/dom";
import { FORMS } from "../panels/exports";

export type Side = "lesson" | "cat" | "bell" | "def" | "test";
export type Right = "executions" | "compare";

const SIDES: [Side, string][] = [
  ["lesson", "Lessons"],
  ["cat", "Model"],
  ["bell", "Bell"],
  ["def", "Macros"],
  ["test", "Test"],
];
const RIGHTS: [Right, string][] = [
  ["executions", "Executions"],
  ["compare", "Compare"],
];
const FORM_NAMES: Record<string, string> = { svg: "Picture (SVG)", png: "Picture (PNG)", tex: "Picture (TikZ)", litmus: "Test (litmus)", log: "Log", json: "Answer (JSON)" };

function tabs<Name extends string>(names: [Name, string][], label: string, open: (name: Name) => void) {
  const buttons = new Map<Name, HTMLButtonElement>();
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  for (const [name, text] of names) {
    const button = h("button", { role: "tab", id: `tab-${name}`, "data-tab": name, onclick: () => open(name) }, text);
    buttons.set(name, button);
    list.append(button);
  }
  // Arrows go from tab to tab, as in other programs.
  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const shown = [...buttons.values()].filter((button) => !button.hidden);
    const next = shown[(shown.indexOf(document.activeElement as HTMLButtonElement) + by + shown.length) % shown.length];
    next?.focus();
    next?.click();
  });
  const select = (name: Name) => {
    for (const [own, button] of buttons) {
      button.setAttribute("aria-selected", String(own === name));
      button.tabIndex = own === name ? 0 : -1;
    }
  };
  return { list, buttons, select };
}

export interface Acts {
  side: (side: Side) => void;
  right: (right: Right) => void;
  run: () => void;
  stop: () => void;
  format: () => void;
  share: () => void;
  save: (form: string) => void;
  theme: () => void;
  model: (name: string) => void;
  against: (name: string) => void;
  test: (which: string) => void;
}

export function skeleton(acts: Acts) {
  const sides = tabs(SIDES, "Lessons and texts", acts.side);
  const rights = tabs(RIGHTS, "Answers", acts.right);
  const model = h("select", { id: "model", "aria-label": "Bundled model", onchange: () => acts.model(model.value) });
  const test = h("select", { id: "test", "aria-label": "Test of the gallery", onchange: () => acts.test(test.value) });
  const against = h("select", { id: "against", "aria-label": "Model to compare with", onchange: () => acts.against(against.value) });
  const run = h("button", { id: "run", class: "primary", onclick: acts.run, title: "Ctrl+Enter" }, "Run");
  const stop = h("button", { id: "stop", onclick: acts.stop, hidden: true }, "Stop");
  const format = h("button", { id: "format", onclick: acts.format, title: "Shift+Alt+F" }, "Format");
  const save = h("select", { id: "save", "aria-label": "Save as", onchange: () => (acts.save(save.value), (save.value = "")) }, h("option", { value: "" }, "Save…"), ...FORMS.map((form) => h("option", { value: form }, FORM_NAMES[form]!)));
  const theme = h("button", { id: "theme", onclick: acts.theme, "aria-label": "Light or dark", title: "Light or dark" }, "◐");
  const told = h("p", { id: "told", role: "status" });
  const messages = h("div", { id: "messages", role: "log", "aria-label": "Problems of the text" });
  const editor = h("div", { id: "editor" });
  const lesson = h("div", { id: "lesson", hidden: true });
  const answer = h("div", { id: "answer" });
  const changed = h("p", { id: "changed", class: "warn", role: "status", hidden: true }, "The text has changed since this answer. Run asks again.");
  const executions = h("div", { id: "executions" });
  const compare = h("div", { id: "compare", hidden: true }, h("label", { class: "against" }, "Compare with ", against));
  const page = document.querySelector<HTMLElement>("#page")!;
  page.append(
    h("a", { class: "skip", href: "#answer" }, "To the answer"),
    h(
      "header",
      {},
      h("h1", {}, "hmc"),
      h("label", {}, h("span", {}, "Model"), model),
      h("label", {}, h("span", {}, "Test"), test),
      run,
      stop,
      h("span", { class: "space" }),
      h("a", { id: "whole", target: "_blank", rel: "noopener", href: "./", onclick: (event) => ((event.currentTarget as HTMLAnchorElement).href = location.href.replace(location.search, "")) }, "Edit"),
      h("button", { id: "share", onclick: acts.share }, "Share"),
      save,
      theme,
    ),
    told,
    h(
      "main",
      {},
      h("section", { class: "left", "aria-label": "Texts" }, h("div", { class: "bar" }, sides.list, format), lesson, editor, messages),
      h("section", { class: "right", "aria-label": "Answers", id: "right" }, changed, answer, rights.list, executions, compare),
    ),
  );
  return { sides, rights, model, test, against, run, stop, format, save, told, messages, editor, lesson, changed, answer, executions, compare };
}

export type Skeleton = ReturnType<typeof skeleton>;
