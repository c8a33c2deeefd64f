// Reads lessons and galleries: also by the tests, in Node. docs/teaching.md describes the form.

/** Words behind a fence: `model=tso answer=Never`. */
function words(text) {
  const found = {};
  for (const word of text.trim().split(/\s+/)) {
    const at = word.indexOf("=");
    if (at > 0) found[word.slice(0, at)] = word.slice(at + 1);
  }
  return found;
}

/**
 * A lesson: its title and its parts. A part is text, a test (`test`), a model to begin with (`model`) or a question.
 * @param {string} source
 */
export function lesson(source) {
  const title = /^# (.*)$/m.exec(source)?.[1] ?? "";
  const parts = [];
  const fence = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm;
  let at = source.indexOf("\n") + 1;
  for (const match of source.matchAll(fence)) {
    const text = source.slice(at, match.index).trim();
    if (text) parts.push({ kind: "text", text });
    parts.push({ kind: match[1], ...words(match[2]), text: match[3] });
    at = match.index + match[0].length;
  }
  const rest = source.slice(at).trim();
  if (rest) parts.push({ kind: "text", text: rest });
  return { title, parts };
}

/** The name in a test's header. */
export function testName(text) {
  return /^\s*\S+\s+(\S+)/.exec(text)?.[1] ?? "test";
}

/** The architecture in a test's header. */
export function testArch(text) {
  return /^\s*(\S+)/.exec(text)?.[1] ?? "";
}

/**
 * The test that a question of a lesson is about: of several of that name, the one under its model.
 * @param {{ parts: { kind: string, text: string, model?: string }[] }} lesson
 * @param {{ test?: string, model?: string }} question
 */
export function subject(lesson, question) {
  const all = lesson.parts.filter((part) => part.kind === "test" && testName(part.text) === question.test);
  return all.find((part) => part.model === question.model) ?? all[0];
}
