// The TextMate grammars: what they make of every bundled model, and of tests. Run by `editors/test`.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const here = (path) => new URL(path, import.meta.url);
const root = here("../../../");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns), createOnigString: (text) => new oniguruma.OnigString(text) }),
  loadGrammar: async (scope) => textmate.parseRawGrammar(readFileSync(here(`../syntaxes/${scope.split(".")[1]}.tmLanguage.json`), "utf8"), "x.json"),
});

/** Each word of a text with its innermost scope; comments and strings as a whole. */
async function words(scope, text) {
  const grammar = await registry.loadGrammar(scope);
  let state = textmate.INITIAL;
  const found = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) found.push([line.slice(token.startIndex, token.endIndex), token.scopes.at(-1), token.scopes.length]);
  }
  return { found, open: state.depth > 1 };
}

const scopeOf = ({ found }, word) => found.find(([text]) => text.trim() === word)?.[1];

test("a model", async () => {
  const all = await words("source.cat", '"x"\n(* a (* nested *) let comment *)\nlet rec hb = po-loc | rf^-1 ; [\'once]\nacyclic hb as order\ninclude "cos.cat"');
  assert.equal(scopeOf(all, "hb"), "entity.name.function.cat");
  assert.equal(scopeOf(all, "po-loc"), "variable.other.cat");
  assert.equal(scopeOf(all, "acyclic"), "keyword.control.check.cat");
  assert.equal(scopeOf(all, "'once"), "constant.other.tag.cat");
  assert.equal(scopeOf(all, "^-1"), "keyword.operator.cat");
  assert.ok(all.found.filter(([text]) => text.includes("let comment")).every(([, scope]) => scope === "comment.block.cat"));
  assert.ok(!all.open);
});

test("tests", async () => {
  const arm = await words("source.litmus", "AArch64 MP+dmb\n{ 0:X1=x; }\n P0 | P1 ;\n MOV W0,#1 | LDAR W0,[X1] ;\nexists (1:X0=1 /\\ [x]=0)");
  assert.equal(scopeOf(arm, "AArch64"), "keyword.other.architecture.litmus");
  assert.equal(scopeOf(arm, "MP+dmb"), "entity.name.section.litmus");
  assert.equal(scopeOf(arm, "P1"), "entity.name.type.thread.litmus");
  assert.equal(scopeOf(arm, "#1"), "constant.numeric.litmus");
  assert.equal(scopeOf(arm, "exists"), "keyword.control.condition.litmus");
  const c = await words("source.litmus", "C MP\n{ }\nP0(atomic_int *x) { atomic_store_explicit(x, 1, memory_order_release); int r = (*x); }\n~exists (x=0)");
  assert.equal(scopeOf(c, "memory_order_release"), "support.constant.order.litmus");
  assert.equal(scopeOf(c, "atomic_store_explicit"), "support.function.primitive.litmus");
  assert.ok(c.found.every(([, scope]) => !scope.startsWith("comment")));
});

test("every bundled model is read to its end, and each name in it has a colour", async () => {
  const files = readdirSync(new URL("cat/", root)).filter((name) => /\.(cat|bell)$/.test(name));
  assert.ok(files.length > 20);
  for (const name of files) {
    const all = await words("source.cat", readFileSync(new URL(`cat/${name}`, root), "utf8"));
    assert.ok(!all.open, name);
    const bare = all.found.filter(([text, , depth]) => depth === 1 && /[A-Za-z]/.test(text));
    assert.deepEqual(bare, [], name);
  }
});
