// <hmc-test>: a litmus test in another page, with its answer and its executions. docs/teaching.md describes it.
//
// <script src="https://…/hmc-embed.js" defer></script>
// <hmc-test model="x86tso" height="600">X86 SB …</hmc-test>
"use strict";

// No module: those of another host need its consent.
const home = new URL("./", document.currentScript.src);

/** The address of the page with this state: as in src/state/share.ts. */
async function address(state, query) {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return `${home}${query}#s=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

class HmcTest extends HTMLElement {
  async connectedCallback() {
    if (this.querySelector("iframe")) return;
    const text = this.textContent.replace(/^\s*\n/, "").trimEnd() + "\n";
    const name = /^\s*\S+\s+(\S+)/.exec(text)?.[1] ?? "test";
    const state = { base: this.getAttribute("model") ?? "sc", test: { name: `${name}.litmus`, text } };
    const frame = document.createElement("iframe");
    frame.title = `${name}, a litmus test`;
    frame.style.cssText = `width: 100%; border: 1px solid #8c959f; border-radius: 6px; height: ${Number(this.getAttribute("height") ?? 600)}px`;
    frame.allow = "clipboard-write";
    frame.src = await address(state, "?embed");
    this.replaceChildren(frame);
  }
}

customElements.define("hmc-test", HmcTest);
