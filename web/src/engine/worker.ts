// A thread of its own for hmc.wasm, so that the page stays responsive.
import { type Engine, start } from "./module";

let engine: Promise<Engine> | undefined;

self.onmessage = async (event: MessageEvent) => {
  const { module, id, question } = event.data as { module?: WebAssembly.Module; id: number; question: string };
  if (module) {
    engine = start(module, (seen) => self.postMessage({ seen }));
    return;
  }
  try {
    const answer = (await engine!).ask(question);
    self.postMessage({ id, answer });
  } catch (error) {
    // What the module held is lost with its stack.
    self.postMessage({ id, failed: error instanceof Error ? error.message : String(error) });
  }
};
