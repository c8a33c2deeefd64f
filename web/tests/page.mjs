// The page in a real browser: what a reader does, and that nothing leaves the machine.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { browser } from "./browser.mjs";
import { serve } from "./serve.mjs";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const LARGE = fileURLToPath(new URL("../../tests/litmus/large/C-chain-8.litmus", import.meta.url));
const server = process.env.HMC_PAGE_ADDRESS ? { address: process.env.HMC_PAGE_ADDRESS, close() {} } : await serve(dist);
const asked = new Set();
const failures = [];
let opened;

before(async () => {
  opened = await browser({ viewport: { width: 1360, height: 860 }, permissions: ["clipboard-read", "clipboard-write"] });
});
after(async () => {
  await opened.close();
  server.close();
});

/** A fresh page; requests and errors of all pages are noted. */
async function page(fragment = "") {
  const page = await opened.context.newPage();
  page.on("request", (request) => asked.add(new URL(request.url())));
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  page.setDefaultTimeout(20_000);
  await page.goto(server.address + fragment);
  await page.waitForSelector("html[data-ready]");
  return page;
}

const answer = (page, word) => page.waitForSelector(`[data-answer="${word}"]`);
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

/** Puts a text in place of what the editor shows. */
async function write(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+v");
}

async function download(page, form) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.selectOption("#save", form)]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test("the bundle is below 6 MB compressed", () => {
  const files = readdirSync(dist, { recursive: true }).map((name) => join(dist, name)).filter((path) => statSync(path).isFile());
  const size = files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  console.log(`bundle: ${(size / 1e6).toFixed(2)} MB compressed, ${files.length} files`);
  assert.ok(size < 6e6 && existsSync(join(dist, "index.html")));
});

test("the page loads with a test, its answer and a drawn execution; the answer of a warm page takes less than a second", async () => {
  const here = await page();
  await answer(here, "Sometimes");
  assert.equal(await here.locator("svg.picture .event").count(), 4);
  assert.deepEqual(await here.locator(".picture .thread").allTextContents(), ["P0", "P1"]);
  const begin = Date.now();
  await here.selectOption("#model", "sc");
  await answer(here, "Never");
  await here.waitForSelector(".told.forbidden");
  console.log(`first answer of a warm page: ${Date.now() - begin} ms`);
  assert.ok(Date.now() - begin < 1000, `${Date.now() - begin} ms`);
  await here.close();
});

test("a model is edited so that SB changes, and the axiom stands beside the cycle", async () => {
  const here = await page();
  await answer(here, "Sometimes");
  await tab(here, "Model");
  await here.locator(".cm-content").click();
  await here.keyboard.press("Control+End");
  await here.keyboard.type("acyclic po | rf | co | fr as mine\n");
  await here.keyboard.press("Control+Enter");
  await answer(here, "Never");
  assert.equal(await here.locator(".axiom").textContent(), "acyclic po | rf | co | fr as mine");
  assert.ok((await here.locator(".picture .line.bad").count()) >= 4, "the cycle is drawn");
  assert.ok(await here.locator("#changed").isHidden());
  assert.match(await here.locator("#model option:checked").textContent(), /edited/);
  await here.close();
});

test("a typo is shown where it is, with what may be meant; a relation is explained and completed", async () => {
  const here = await page();
  await tab(here, "Model");
  await here.locator(".cm-content").click();
  await here.keyboard.press("Control+End");
  await here.keyboard.type("acyclic rff as mine\n");
  await here.waitForSelector("#messages .error");
  const told = await here.locator("#messages").textContent();
  assert.match(told, /`rff` is not defined/);
  assert.match(told, /is `rf` meant/);
  assert.equal(await here.locator(".cm-lintRange-error").textContent(), "rff");
  // The answer beside it is that of the text before.
  assert.ok(await here.locator("#changed").isVisible());
  await here.locator(".cm-lintRange-error").hover();
  await here.waitForSelector(".cm-tooltip .cm-diagnostic");
  for (let i = 0; i < 12; i++) await here.keyboard.press("Backspace");
  await here.waitForSelector("#messages .error", { state: "detached" }).catch(() => {});
  await here.keyboard.press("Control+End");
  await here.keyboard.type("\nlet a = MFEN");
  await here.waitForSelector(".cm-tooltip-autocomplete");
  assert.match(await here.locator(".cm-tooltip-autocomplete").textContent(), /MFENCE/);
  // What has just appeared is not taken yet.
  await here.waitForTimeout(200);
  await here.keyboard.press("Tab");
  assert.match(await here.locator(".cm-content").textContent(), /let a = MFENCE$/);
  // A name that is being given is not completed, and Enter is a new line.
  await here.keyboard.type("\nacyclic po as mine\nlet b = po");
  await here.waitForTimeout(300);
  await here.keyboard.press("Enter");
  await here.keyboard.type("(* end *)");
  const lines = await here.locator(".cm-line").allTextContents();
  assert.deepEqual(lines.slice(-4), ["let a = MFENCE", "acyclic po as mine", "let b = po", "(* end *)"]);
  await here.close();
});

test("a typo in a test is shown; the format button spaces a model", async () => {
  const here = await page();
  await write(here, "X86 wrong\n{ }\n P0 ;\n MOVE [x],$1 ;\nexists (x=1)\n");
  await here.waitForSelector("#messages .error");
  assert.match(await here.locator("#messages").textContent(), /line 4/);
  await tab(here, "Model");
  await write(here, '"mine"\ninclude "cos.cat"\nacyclic po|rf|co|fr as sc\n');
  await here.waitForTimeout(300);
  await here.click("#format");
  await here.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("po | rf | co | fr"));
  await here.close();
});

test("steps, candidates, relations and derivations, by keyboard", async () => {
  const here = await page();
  await answer(here, "Sometimes");
  await here.getByRole("button", { name: "First step" }).focus();
  await here.keyboard.press("Enter");
  assert.match(await here.locator(".step").textContent(), /Step 1 of 4: P0 writes x = 1/);
  for (let i = 0; i < 3; i++) await here.keyboard.press("Enter");
  assert.match(await here.locator(".step").textContent(), /Step 4 of 4: P1 reads x = 0.*old value/);
  await here.getByRole("button", { name: "Next execution" }).click();
  await here.waitForSelector('.dot[aria-pressed="true"][aria-label^="2:"]');
  const before = await here.locator(".picture .edge").count();
  await here.locator('[data-relation="po"]').uncheck();
  assert.ok((await here.locator(".picture .edge").count()) < before, "edges of po are gone");
  await here.locator('[data-edge^="fr "]').first().focus();
  await here.keyboard.press("Enter");
  await here.waitForSelector(".derived details");
  assert.match(await here.locator(".derived").textContent(), /rf/);
  assert.match(await here.locator(".derived").textContent(), /co/);
  await here.close();
});

test("a link has model, test and view", async () => {
  const here = await page();
  await tab(here, "Model");
  await write(here, '"shared"\ninclude "cos.cat"\nacyclic po-loc | rf as weak\n');
  await here.keyboard.press("Control+Enter");
  await answer(here, "Sometimes");
  await here.getByRole("button", { name: "Next execution" }).click();
  await here.waitForSelector('.dot[aria-pressed="true"][aria-label^="2:"]');
  await here.click("#share");
  await here.waitForFunction(() => document.querySelector("#told").textContent.includes("link"));
  const link = await here.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, here.url());
  await here.close();
  const there = await page(link.slice(server.address.length));
  await answer(there, "Sometimes");
  await there.waitForSelector('.dot[aria-pressed="true"][aria-label^="2:"]');
  await tab(there, "Model");
  assert.match(await there.locator(".cm-content").textContent(), /po-loc \| rf as weak/);
  await there.close();
  const broken = await page("#s=AAAA");
  await answer(broken, "Sometimes");
  await broken.close();
});

test("pictures, tests, logs and answers are saved", async () => {
  const here = await page();
  await answer(here, "Sometimes");
  const svg = await download(here, "svg");
  assert.equal(svg.name, "SB.svg");
  const drawn = svg.bytes.toString();
  assert.match(drawn, /^<\?xml[^>]*>\s*<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.ok(drawn.includes("R y = 0") && drawn.includes("<style") && !drawn.includes("tabindex"));
  assert.deepEqual([...(await download(here, "png")).bytes.subarray(1, 4)].map((b) => String.fromCharCode(b)).join(""), "PNG");
  const tex = (await download(here, "tex")).bytes.toString();
  assert.ok(tex.includes("\\begin{tikzpicture}") && tex.includes("\\end{tikzpicture}") && (tex.match(/\\draw/g) ?? []).length >= 4);
  assert.match((await download(here, "litmus")).bytes.toString(), /^X86 SB/);
  assert.match((await download(here, "log")).bytes.toString(), /Observation SB Sometimes 1 3/);
  const json = JSON.parse((await download(here, "json")).bytes.toString());
  assert.equal(json.result.observation, "Sometimes");
  assert.equal(json.candidates.list.length, 4);
  await here.close();
});

test("a lesson's question is answered by running", async () => {
  const here = await page("#lesson=1");
  const question = here.locator(".question");
  await question.getByRole("button", { name: "Never" }).click();
  await here.waitForSelector(".question .wrong");
  await question.getByRole("button", { name: "Sometimes" }).click();
  await here.waitForSelector(".question .right");
  assert.match(await question.textContent(), /hmc has run it: Sometimes/);
  await answer(here, "Sometimes");
  assert.equal(await here.locator("#model").inputValue(), "x86tso");
  await here.getByRole("button", { name: "Next ›" }).click();
  assert.match(await here.locator(".lesson h2").textContent(), /^2\. /);
  await here.close();
});

test("two models are compared on the test and on the gallery; what has no answer is not called forbidden", async () => {
  const here = await page();
  await tab(here, "Compare");
  await here.waitForFunction(() => /1\d of 1\d tests; they differ on \d+/.test(document.querySelector(".compare").textContent) && document.querySelectorAll(".compare tbody tr").length > 12);
  const rows = await here.locator(".compare table").nth(1).locator("tr.differs th").allTextContents();
  assert.ok(rows.includes("SB.litmus") && rows.includes("SB+mfence+po.litmus") && !rows.includes("MP.litmus"), rows.join());
  await here.selectOption("#against", "aarch64");
  await here.waitForFunction(() => /Error/.test(document.querySelector(".compare").textContent));
  assert.equal(await here.locator(".compare td", { hasText: "forbidden" }).count(), 0);
  assert.equal(await here.locator(".compare tr.differs").count(), 0);
  await here.close();
});

test("eight threads and thirty accesses: the page stays responsive, and a check can be stopped", async () => {
  const here = await page();
  await write(here, readFileSync(LARGE, "utf8"));
  await here.selectOption("#model", "lkmm");
  const begin = Date.now();
  // While the worker works, the page takes its turns.
  const turns = here.evaluate(async () => {
    let longest = 0;
    for (let i = 0; i < 40; i++) {
      const begin = performance.now();
      await new Promise((done) => setTimeout(done, 10));
      longest = Math.max(longest, performance.now() - begin);
    }
    return longest;
  });
  assert.ok((await turns) < 500, `${await turns} ms without a turn`);
  await answer(here, "Never");
  console.log(`eight threads, thirty accesses under lkmm: ${Date.now() - begin} ms`);
  await here.click("#run");
  await here.click("#stop");
  assert.match(await here.locator("#told").textContent(), /Stopped/);
  await here.click("#run");
  await answer(here, "Never");
  await here.close();
});

test("a model that recurses without end is told, and the page goes on", async () => {
  const here = await page();
  await tab(here, "Model");
  await write(here, '"endless"\nlet rec f(x) = f(x | po)\nacyclic f(po)\n');
  await here.keyboard.press("Control+Enter");
  await here.waitForSelector("#answer .error");
  await here.selectOption("#model", "sc");
  await answer(here, "Never");
  await here.close();
});

test("a link to another lesson is followed on the page", async () => {
  const here = await page();
  await here.evaluate(() => (location.hash = "#lesson=3"));
  await here.waitForFunction(() => /^3\. /.test(document.querySelector(".lesson h2")?.textContent ?? ""));
  await here.close();
});

test("a test is embedded in a page of another host", async () => {
  const host = await serve(fileURLToPath(new URL("./embedding/", import.meta.url)));
  const outer = await opened.context.newPage();
  outer.on("pageerror", (error) => failures.push(error.message));
  await outer.goto(`${host.address}?${encodeURIComponent(server.address)}`);
  const frame = outer.frameLocator("hmc-test iframe");
  await frame.locator('[data-answer="Never"]').waitFor();
  assert.match(await frame.locator(".answer").textContent(), /SB under sc/);
  assert.ok(!(await frame.locator("#editor").isVisible()) && (await frame.getByText("Edit", { exact: true }).isVisible()));
  await outer.close();
  host.close();
});

test("everything has a name for those who do not see it, on a narrow screen nothing sticks out", async () => {
  const here = await page();
  await answer(here, "Sometimes");
  const nameless = await here.evaluate(() => [...document.querySelectorAll("button, select, input, [role=button], [role=img]")].filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
  for (const width of [390, 800, 1920]) {
    await here.setViewportSize({ width, height: 800 });
    const over = await here.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${over} px too wide at ${width}`);
  }
  await here.emulateMedia({ colorScheme: "dark" });
  const dark = await here.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(dark, "rgb(13, 17, 23)");
  await here.click("#theme");
  assert.equal(await here.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  await here.close();
});

test("names in a picture lie over no box and over no other name, and nothing is outside", async () => {
  const here = await page();
  for (const label of ["SB", "IRIW+addrs", "WRC+lwsync+addr", "RCU+sync", "2+2W"]) {
    await here.selectOption("#test", { label });
    await here.waitForFunction((label) => document.querySelector(".answer").textContent.includes(` ${label} under`), label);
    await here.waitForTimeout(150);
    const covered = await here.evaluate(() => {
      const area = (e) => e.getBBox();
      const meet = (a, b) => a.x + 1 < b.x + b.width && b.x + 1 < a.x + a.width && a.y + 1 < b.y + b.height && b.y + 1 < a.y + a.height;
      const names = [...document.querySelectorAll(".picture .behind")].map(area);
      const boxes = [...document.querySelectorAll(".picture .event rect")].map(area);
      const frame = document.querySelector("svg.picture").viewBox.baseVal;
      const isIn = (a) => a.x >= frame.x && a.y >= frame.y && a.x + a.width <= frame.x + frame.width && a.y + a.height <= frame.y + frame.height;
      const outside = [...document.querySelectorAll(".picture .line")].map(area).concat(names, boxes).filter((a) => !isIn(a)).length;
      return outside + names.filter((name, i) => boxes.some((box) => meet(name, box)) || names.some((other, j) => j > i && meet(name, other))).length;
    });
    assert.equal(covered, 0, label);
    // A pointer in C is no comment of a test.
    assert.equal(await here.locator(".cm-content .hl-comment").count(), 0, label);
  }
  await here.close();
});

test("no request to any other host, and no error on the console", () => {
  const own = new URL(server.address).host;
  const others = [...asked].filter((url) => url.protocol.startsWith("http") && url.host !== own).map(String);
  assert.deepEqual(others, []);
  assert.ok(asked.size > 5, `${asked.size} requests were seen`);
  assert.deepEqual(failures, []);
});
