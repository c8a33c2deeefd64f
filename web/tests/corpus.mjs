// What WebAssembly answers is what the program answers: states, counts, flags, verdict, of the tests of this repository and those of the
// gallery. HMC_PROGRAM names the program; HMC_PAGE_CORPUS a folder with more litmus tests, by architecture of their headers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { testArch } from "../src/content/parse.js";
import { engine } from "./engine.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.HMC_PROGRAM ?? join(root, "target/debug/hmc");
const ask = engine();
const { models } = ask({ ask: "about" });

/** Litmus tests below a folder. */
function tests(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".litmus"))
    .map((name) => join(folder, name))
    .sort();
}

/** Candidates that are listed when these are all: more cost time. */
const MOST = 128;

/** What counts of a result: not its time, nor what depends on where files are. */
function essence(result) {
  const { name, verdict, kind, observation, condition, positive, negative, states, partial, hash } = result;
  const flags = result.flags.map((flag) => [flag.name, flag.executions, flag.undefined]);
  const messages = result.messages.map((message) => [message.code, message.message]);
  // A test that cannot be read has the name of its file.
  return { name: name.split("/").at(-1), verdict, kind, observation, condition, positive, negative, states, partial, hash, flags, messages, complete: result.executions.complete };
}

/** The answers of the program, by file. */
function native(model, files) {
  const run = spawnSync(program, ["--cat", model, "--format", "json", ...files], { encoding: "utf8", maxBuffer: 1 << 28 });
  const report = JSON.parse(run.stdout);
  return new Map(report.results.map((result) => [result.file, essence(result)]));
}

function web(model, file) {
  const found = models.find((one) => one.name === model);
  const name = file.split("/").at(-1);
  const told = ask({ ask: "run", model: { name: `${model}.cat`, cat: found.cat, bell: found.bell, def: found.def }, test: { name, text: readFileSync(file, "utf8") }, seconds: 120, most: MOST });
  // Where all candidates are listed, those that are allowed end as the usual check says: found in another way, judged in another way.
  const { all, list } = told.candidates;
  const wholly = all && told.result.observation;
  if (wholly) {
    const states = [...new Set(list.filter((one) => one.allowed).map((one) => one.state))].sort();
    assert.deepEqual(states, [...told.result.states].sort(), `${file}: the listed candidates and the states`);
  }
  return { ...essence(told.result), wholly };
}

const USUAL = { X86: "x86tso", X86_64: "tso", AArch64: "aarch64", ARM: "armv7", PPC: "power", RISCV: "riscv", MIPS: "mips" };

/** The model that a test is run under besides sc. */
function usual(file) {
  const text = readFileSync(file, "utf8");
  const kernel = /\b(READ_ONCE|WRITE_ONCE|smp_|rcu_|spin_|xchg|cmpxchg|atomic_(add|inc|read|set))/.test(text);
  return testArch(text) === "C" ? (kernel ? "lkmm" : "rc11") : USUAL[testArch(text)];
}

const all = [...tests(join(root, "tests/litmus")), ...tests(join(root, "web/gallery"))];
if (process.env.HMC_PAGE_CORPUS) all.push(...tests(process.env.HMC_PAGE_CORPUS));

test("there are the program and the corpus", () => {
  assert.ok(existsSync(program), `${program} is not there: cargo build makes it`);
  assert.ok(all.length > 300, `${all.length} tests`);
});

const groups = new Map();
for (const file of all) {
  const name = usual(file);
  // Large tests take minutes in a program without optimisation.
  const models = file.includes("/large/") ? [] : [name, "sc"];
  for (const model of models) if (model) groups.set(model, [...(groups.get(model) ?? []), file]);
}
for (const [model, files] of groups) {
  test(`${files.length} tests under ${model}`, () => {
    const told = native(model, files);
    let [answered, listed] = [0, 0];
    for (const file of files) {
      const [{ wholly, ...here }, there] = [web(model, file), told.get(file)];
      if (wholly) listed++;
      assert.ok(there, `${file} has a native answer`);
      assert.deepEqual(here, there, file);
      if (here.observation) answered++;
    }
    console.log(`${model}: ${answered} of ${files.length} tests have an answer, all alike; of ${listed} all candidates agree`);
    assert.ok(listed > files.length / 3, `of ${listed} all candidates are listed`);
    if (model !== "sc") assert.ok(answered > files.length / 2, `${answered} of ${files.length} have an answer`);
  });
}
