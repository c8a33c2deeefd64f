// The state of the page in its address: deflated JSON behind `#s=`. Nothing is sent anywhere: browsers keep this part to themselves.
import type { ModelText, TestText } from "../engine/types";

export interface Shared {
  /** The bundled model that this is, or began as. */
  base: string | null;
  /** Its texts, where they are not those of the bundled one. */
  model?: ModelText;
  test: TestText;
  execution?: number;
  relations?: string[];
  lesson?: number;
  against?: string;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const body = new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>));
  return new Uint8Array(await body.arrayBuffer());
}

export async function toFragment(state: Shared): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return "#s=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What an address says; nothing, where it says nothing that can be read. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  const packed = new URLSearchParams(fragment.replace(/^#/, "")).get("s");
  if (!packed) return undefined;
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const plain = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  const state = JSON.parse(plain) as Shared;
  if (typeof state.test?.text !== "string" || typeof state.test.name !== "string") return undefined;
  return state;
}
