// The lessons, in the order of their files.
import { type Lesson, lesson } from "./parse.js";

const files = import.meta.glob<string>("../../lessons/*.md", { query: "?raw", import: "default", eager: true });

export const lessons: Lesson[] = Object.keys(files)
  .sort()
  .map((name) => lesson(files[name]!));
