// An execution for LaTeX: a picture of TikZ.
import { type Drawing, layout } from "./draw";
import { colour } from "./relations";

const COLOURS: Record<string, string> = { po: "black!60", rf: "green!45!black", co: "blue!70!black", fr: "orange!80!black", bad: "red!80!black" };

function escape(text: string): string {
  return text.replace(/[\\{}$&#^_%~]/g, (character) => (character === "\\" ? "\\textbackslash{}" : character === "~" || character === "^" ? `\\${character}{}` : `\\${character}`));
}

export function tikz(drawing: Drawing, title: string): string {
  const { placed, routed } = layout(drawing);
  const unit = 40;
  const at = (x: number, y: number) => `(${(x / unit).toFixed(2)},${(-y / unit).toFixed(2)})`;
  const lines = [`% ${title.replaceAll("\n", " ")}`, "% needs: \\usepackage{tikz} \\usetikzlibrary{arrows.meta}", "\\begin{tikzpicture}[event/.style={draw, rounded corners, font=\\ttfamily\\small}, >=Stealth, every edge/.style={draw}]"];
  for (const head of placed.heads) lines.push(`  \\node[font=\\bfseries] at ${at(head.x, 14)} {${escape(head.text)}};`);
  for (const box of placed.boxes.values()) lines.push(`  \\node[event] (e${box.index}) at ${at(box.x + box.width / 2, box.y + box.height / 2)} {${escape(box.text)}};`);
  const between = new Map<string, number>();
  for (const arrow of routed) {
    const pair = [arrow.from, arrow.to].sort((a, b) => a - b).join(" ");
    const turn = between.get(pair) ?? 0;
    between.set(pair, turn + 1);
    const bend = turn === 0 ? 0 : (turn % 2 ? 1 : -1) * 18 * Math.ceil(turn / 2);
    const tone = COLOURS[arrow.cycle ? "bad" : colour(arrow.name)] ?? "violet";
    const style = `->, ${tone}${arrow.cycle ? ", very thick" : ""}`;
    lines.push(`  \\draw[${style}] (e${arrow.from}) to[bend left=${bend}] node[midway, fill=white, inner sep=1pt, font=\\footnotesize] {${escape(arrow.name)}} (e${arrow.to});`);
  }
  return lines.join("\n") + "\n\\end{tikzpicture}\n";
}
