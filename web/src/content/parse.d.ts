export interface Part {
  kind: "text" | "test" | "model" | "question";
  text: string;
  /** Of a test and a question: the bundled model that it is run under. */
  model?: string;
  /** Of a test: what that says, `Never`, `Sometimes` or `Always`. Of a question: the same, not shown. */
  answer?: string;
  /** How many final states there are. */
  states?: string;
  /** Of a question: the name of the test of this lesson that it is about. */
  test?: string;
}

export interface Lesson {
  title: string;
  parts: Part[];
}

export function lesson(source: string): Lesson;
export function testName(text: string): string;
export function testArch(text: string): string;
export function subject(lesson: Lesson, question: Part): Part | undefined;
