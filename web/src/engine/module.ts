// The module hmc.wasm: one question at a time, in JSON.

interface Exports {
  memory: WebAssembly.Memory;
  question(length: number): number;
  answer(): number;
  length(): number;
  seen(): number;
}

export interface Engine {
  ask(question: string): string;
}

/** Makes an instance; `tick` is called now and then while it works, with the executions seen so far. */
export async function start(module: WebAssembly.Module, tick: (seen: number) => void): Promise<Engine> {
  let last = 0;
  let exports: Exports;
  const host = {
    now: () => {
      const now = performance.now();
      if (now - last > 250) {
        last = now;
        tick(exports.seen());
      }
      return now;
    },
    failed: (at: number, length: number) => {
      throw new Error(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length)));
    },
  };
  const instance = await WebAssembly.instantiate(module, { hmc: host });
  exports = instance.exports as unknown as Exports;
  return {
    ask: (question) => {
      const text = new TextEncoder().encode(question);
      const at = exports.question(text.length);
      new Uint8Array(exports.memory.buffer, at, text.length).set(text);
      last = performance.now();
      const answer = exports.answer();
      return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer, exports.length()));
    },
  };
}
