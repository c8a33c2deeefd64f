// hmc.wasm for tests in Node: questions and answers as in web/src/engine/module.ts.
import { readFileSync } from "node:fs";

export function engine() {
  const bytes = readFileSync(new URL("../src/engine/hmc.wasm", import.meta.url));
  let memory;
  const host = {
    now: () => performance.now(),
    failed: (at, length) => {
      throw new Error(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length)));
    },
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { hmc: host });
  memory = exports.memory;
  return (question) => {
    const text = new TextEncoder().encode(JSON.stringify(question));
    const at = exports.question(text.length);
    new Uint8Array(memory.buffer, at, text.length).set(text);
    const answer = exports.answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, answer, exports.length())));
  };
}
