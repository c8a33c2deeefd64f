// Files of what is shown.
import type { RunTold, TestText } from "../engine/types";
import type { Drawing } from "../picture/draw";
import { draw } from "../picture/draw";
import { tikz } from "../picture/tikz";
import { download } from "../state/dom";
import pictures from "../style/picture.css?inline";

export interface Shown {
  drawing: Drawing | undefined;
  told: RunTold | undefined;
  test: TestText;
}

export const FORMS = ["svg", "png", "tex", "litmus", "log", "json"] as const;
export type Form = (typeof FORMS)[number];

/** The drawing as a file that needs no other: with its style, light, and dark where the reader prefers that. */
export function svgText(drawing: Drawing, title: string): string {
  const svg = draw({ ...drawing, choose: undefined, chosen: null }, title);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = pictures;
  svg.prepend(style);
  svg.querySelectorAll(".touch").forEach((path) => path.remove());
  svg.querySelectorAll("[tabindex]").forEach((edge) => edge.removeAttribute("tabindex"));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

async function png(drawing: Drawing, title: string): Promise<Blob> {
  const text = svgText(drawing, title);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  const context = canvas.getContext("2d")!;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

/** Saves one; the reason, if there is nothing to be saved. */
export async function save(form: Form, { drawing, told, test }: Shown): Promise<string | undefined> {
  const name = test.name.replace(/\.litmus$/, "").replaceAll(/[^\w.+-]/g, "_");
  const title = `${name} under ${told?.result.model.replace(/\.cat$/, "") ?? "no model"}`;
  if (form === "litmus") return void download(`${name}.litmus`, "text/plain", test.text);
  if (!told) return "Nothing was run yet.";
  if (form === "json") return void download(`${name}.json`, "application/json", JSON.stringify({ ...told, execution: drawing?.execution }, null, 2) + "\n");
  if (form === "log") {
    if (!told.log) return "This run has no log.";
    return void download(`${name}.log`, "text/plain", told.log);
  }
  if (!drawing) return "There is no drawn execution.";
  if (form === "svg") return void download(`${name}.svg`, "image/svg+xml", svgText(drawing, title));
  if (form === "tex") return void download(`${name}.tex`, "text/x-tex", tikz(drawing, title));
  return void download(`${name}.png`, "image/png", await png(drawing, title));
}
