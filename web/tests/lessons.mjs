// What lessons say is so: each test has the answer and the number of states that stand beside it, each question the answer that is right,
// each picture the candidates that the text counts on, and each model of one's own is one. The gallery's tests all run.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { lesson, subject, testArch, testName } from "../src/content/parse.js";
import { engine } from "./engine.mjs";

const ask = engine();
const { models } = ask({ ask: "about" });
const here = (path) => new URL(`../${path}`, import.meta.url);

function bundled(name) {
  const model = models.find((one) => one.name === name);
  assert.ok(model, `there is a model ${name}`);
  return { name: `${name}.cat`, cat: model.cat, bell: model.bell, def: model.def };
}

function run(model, text) {
  return ask({ ask: "run", model, test: { name: `${testName(text)}.litmus`, text }, seconds: 60, most: 64 });
}

const names = readdirSync(here("lessons")).sort();

/** The final states of the candidates that are allowed: those of the test. */
const allowed = ({ list }) => [...new Set(list.filter((one) => one.allowed).map((one) => one.state))].sort();

test("there are eight lessons, and one on models of one's own", () => {
  assert.equal(names.length, 9);
  assert.match(lesson(readFileSync(here(`lessons/${names[8]}`), "utf8")).title, /own model/);
});

for (const name of names) {
  const { title, parts } = lesson(readFileSync(here(`lessons/${name}`), "utf8"));
  test(`lesson ${name}: ${title}`, () => {
    const tests = parts.filter((part) => part.kind === "test");
    const questions = parts.filter((part) => part.kind === "question");
    assert.ok(title && tests.length >= 1);
    assert.equal(questions.length, 1, "a question each");
    for (const part of parts) assert.ok(["text", "test", "model", "question"].includes(part.kind), part.kind);
    for (const part of tests) {
      const what = `${testName(part.text)} under ${part.model}`;
      const told = run(bundled(part.model), part.text);
      assert.equal(told.result.observation, part.answer, what);
      if (part.states) assert.equal(told.result.states.length, Number(part.states), what);
      assert.deepEqual(allowed(told.candidates), told.result.states, what);
      assert.ok(told.candidates.all && told.candidates.list.length > 0, `${what}: all candidates are drawn`);
      // What is forbidden is explained: the candidate that satisfies the condition has an axiom, its text and a cycle.
      for (const one of told.candidates.list.filter((one) => one.satisfies)) {
        assert.equal(one.allowed, part.answer !== "Never", what);
        if (!one.allowed) assert.ok(one.axiom && one.axiom_text && one.cycle.length > 0, `${what}: ${one.axiom}`);
      }
    }
    for (const part of questions) {
      const about = subject({ parts }, part);
      assert.ok(about, `the question is about a test of the lesson, ${part.test}`);
      assert.equal(run(bundled(part.model), about.text).result.observation, part.answer, part.test);
    }
    for (const part of parts.filter((one) => one.kind === "model")) {
      const told = ask({ ask: "model", model: { name: "mine.cat", cat: part.text }, arch: "X86" });
      assert.deepEqual(told.messages.filter((m) => m.severity === "error"), []);
    }
  });
}

test("what the texts say of single executions and axioms", () => {
  const text = (path) => readFileSync(here(`gallery/${path}.litmus`), "utf8");
  const refused = (model, path) => run(bundled(model), text(path)).candidates.list.map((one) => one.axiom);
  // Lesson 1: the forbidden execution is number 1, on a cycle of po and fr.
  const [first] = run(bundled("sc"), text("x86/SB")).candidates.list;
  assert.deepEqual([first.allowed, ...first.cycle.map((edge) => edge.name)], [false, "po", "fr", "po", "fr"]);
  // Lesson 2: execution 1 is allowed, and no taking of turns explains it.
  assert.ok(run(bundled("x86tso"), text("x86/SB")).candidates.list[0].allowed);
  assert.equal(ask({ ask: "execution", index: 0 }).picture.order, "causal");
  assert.match(bundled("x86tso").cat, /let ppo = po & \(\(R \* M\) \| \(W \* W\)\)/);
  // Lesson 3: the axiom, and the relation that is shown.
  assert.ok(refused("rc11", "c11/MP+rel+acq").includes("coherence"));
  assert.ok(ask({ ask: "execution", index: 0 }).shows.includes("hb"));
  // Lesson 4: a value is read before it is written.
  const lb = run(bundled("aarch64"), text("aarch64/LB")).candidates.list.findIndex((one) => one.satisfies);
  assert.equal(ask({ ask: "execution", index: lb }).picture.order, "program-order");
  assert.ok(refused("rc11", "c11/LB+relaxed").includes("no-thin-air"));
  // Lesson 7: the flag. Lesson 8: the axiom.
  assert.deepEqual(run(bundled("rc11"), text("c11/race")).result.flags.map((flag) => flag.name), ["data-race"]);
  assert.deepEqual(run(bundled("rc11"), text("c11/no-race")).result.flags, []);
  assert.ok(refused("lkmm", "kernel/RCU+sync").includes("rcu"));
});

test("lesson 9: the model that comes out is TSO on x86 tests of the gallery", () => {
  const { parts } = lesson(readFileSync(here("lessons/9-own.md"), "utf8"));
  const mine = { name: "mine.cat", cat: parts.filter((part) => part.kind === "model").at(-1).text };
  const differing = readdirSync(here("gallery/x86")).filter((file) => {
    const text = readFileSync(here(`gallery/x86/${file}`), "utf8");
    const [own, tso] = [mine, bundled("x86tso")].map((model) => run(model, text).result);
    return JSON.stringify(own.states) !== JSON.stringify(tso.states);
  });
  // The model to begin with allows what coherence forbids, and the first exercise mends that.
  const first = parts.find((part) => part.kind === "model").text;
  const corr = readFileSync(here("gallery/x86/CoRR.litmus"), "utf8");
  const answers = [first, `${first}acyclic po-loc | rf | co | fr as coherence\n`].map((cat) => run({ name: "mine.cat", cat }, corr).result.observation);
  assert.deepEqual(answers, ["Sometimes", "Never"]);
  // Locked instructions are left for the reader.
  assert.deepEqual(differing, ["SB+xchgs.litmus"]);
});

test("every test of the gallery has an answer under its model, and a name of its own", () => {
  const of = { x86: "x86tso", aarch64: "aarch64", power: "power", riscv: "riscv", c11: "rc11", kernel: "lkmm" };
  for (const [folder, model] of Object.entries(of)) {
    for (const file of readdirSync(here(`gallery/${folder}`))) {
      const text = readFileSync(here(`gallery/${folder}/${file}`), "utf8");
      assert.equal(`${testName(text)}.litmus`, file);
      assert.ok(testArch(text));
      const { result, candidates } = run(bundled(model), text);
      assert.deepEqual([result.messages, result.verdict], [[], "holds"], file);
      assert.deepEqual(allowed(candidates), result.states, file);
    }
  }
});
