// The gallery: classical shapes and idioms, a folder an architecture.
import type { TestText } from "../engine/types";
import { testArch, testName } from "./parse.js";

const files = import.meta.glob<string>("../../gallery/*/*.litmus", { query: "?raw", import: "default", eager: true });

export interface Shelf {
  title: string;
  /** The model that tests of it are run under at first. */
  model: string;
  tests: TestText[];
}

const TITLES: [string, string, string][] = [
  ["x86", "x86", "x86tso"],
  ["aarch64", "Arm, 64 bits", "aarch64"],
  ["power", "Power", "power"],
  ["riscv", "RISC-V", "riscv"],
  ["c11", "C11", "rc11"],
  ["kernel", "Linux kernel", "lkmm"],
];

/** Shapes in the order in which they are usually met. */
const SHAPES = ["SB", "MP", "LB", "WRC", "IRIW", "R", "2+2W", "CoRR", "RCU"];

function rank(path: string): number {
  const shape = /([^/]+?)(\+[a-z].*)?\.litmus$/.exec(path)?.[1] ?? "";
  return (SHAPES.indexOf(shape) + 1 || SHAPES.length + 1) as number;
}

export const gallery: Shelf[] = TITLES.map(([folder, title, model]) => {
  const own = Object.keys(files).filter((path) => path.includes(`/gallery/${folder}/`)).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  return { title, model, tests: own.map((path) => ({ name: `${testName(files[path]!)}.litmus`, text: files[path]! })) };
});

/** The shelf that a test belongs to. Kernel tests and C11's have one architecture: their words tell them apart. */
export function shelfOf(text: string): Shelf | undefined {
  const arch = testArch(text);
  const kernel = /\b(READ_ONCE|WRITE_ONCE|smp_|rcu_|spin_lock)/.test(text);
  const title = arch === "C" ? (kernel ? "Linux kernel" : "C11") : gallery.find((shelf) => shelf.tests.some((test) => testArch(test.text) === arch))?.title;
  return gallery.find((shelf) => shelf.title === title);
}
