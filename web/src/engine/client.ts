// Asks hmc in a worker. A worker that was stopped, or has failed, is replaced.
import type { Question } from "./types";
import wasm from "./hmc.wasm?url";

let compiled: Promise<WebAssembly.Module> | undefined;

function module(): Promise<WebAssembly.Module> {
  const load = async () => {
    const response = await fetch(wasm);
    if (!response.ok) throw new Error(`hmc.wasm cannot be loaded: ${response.status}`);
    // Hosts that do not know the type are common.
    return WebAssembly.compile(await response.arrayBuffer());
  };
  return (compiled ??= load());
}

/** The check was stopped. */
export class Stopped extends Error {}

interface Waiting {
  question: Question;
  settle: (answer: unknown) => void;
  fail: (error: Error) => void;
}

export class Client {
  readonly explains = true;
  onprogress: (seen: number) => void = () => {};
  private worker: Worker | undefined;
  private waiting: Waiting[] = [];
  private asked: Waiting | undefined;

  ask<Answer>(question: Question): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.waiting.push({ question, settle: settle as (answer: unknown) => void, fail });
      void this.next();
    });
  }

  /** Ends what is under way and all that waits. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    const all = [...(this.asked ? [this.asked] : []), ...this.waiting];
    this.asked = undefined;
    this.waiting = [];
    for (const one of all) one.fail(new Stopped("stopped"));
  }

  get busy(): boolean {
    return this.asked !== undefined;
  }

  private async next(): Promise<void> {
    if (this.asked) return;
    const next = this.waiting.shift();
    if (!next) return;
    this.asked = next;
    try {
      const worker = await this.ready();
      if (this.asked === next) worker.postMessage({ id: 0, question: JSON.stringify(next.question) });
    } catch (error) {
      this.asked = undefined;
      next.fail(error as Error);
    }
  }

  private async ready(): Promise<Worker> {
    if (this.worker) return this.worker;
    const code = await module();
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.postMessage({ module: code });
    worker.onmessage = (event: MessageEvent) => {
      if (worker !== this.worker) return;
      const { seen, answer, failed } = event.data as { seen?: number; answer?: string; failed?: string };
      if (seen !== undefined) return this.onprogress(seen);
      const asked = this.asked;
      this.asked = undefined;
      if (failed !== undefined) {
        worker.terminate();
        this.worker = undefined;
        const deep = /stack|recursion/i.test(failed);
        asked?.fail(new Error(deep ? "the browser has too little stack for this: use hmc on a machine" : `hmc failed: ${failed}`));
      } else {
        const told = JSON.parse(answer!) as { error?: string };
        if (told.error) asked?.fail(new Error(told.error));
        else asked?.settle(told);
      }
      void this.next();
    };
    return worker;
  }
}
