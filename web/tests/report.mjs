// What the program makes of the built page: `hmc --html` and `hmc playground`, in a browser.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { browser } from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.HMC_PROGRAM ?? join(root, "target/debug/hmc");
const env = { ...process.env, HMC_PAGE: join(root, "web/dist") };
const folder = mkdtempSync(join(tmpdir(), "hmc-report-"));
const asked = [];
const failures = [];
let opened;

before(async () => {
  opened = await browser({ viewport: { width: 1360, height: 860 } });
});
after(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(address) {
  const page = await opened.context.newPage();
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  return page;
}

/** Runs the program with `--html`, and opens what it has written. */
async function report(name, code, ...args) {
  const file = join(folder, name);
  const ran = spawnSync(program, ["--html", file, ...args], { cwd: root, env, encoding: "utf8" });
  assert.equal(ran.status, code, ran.stderr);
  return { file, page: await open(pathToFileURL(file).href) };
}

test("a report of a litmus test has its witness; of a forbidden outcome, the candidates and the axiom", async () => {
  const { page, file } = await report("sb.html", 0, "--cat", "x86tso", "examples/sb.litmus");
  assert.match(await page.locator(".answer").textContent(), /^Sometimes/);
  assert.equal(await page.locator(".picture .event").count(), 4);
  assert.ok((await page.locator('.picture [data-edge^="fr "]').count()) === 2, "fr is drawn");
  assert.match(await page.locator(".lines .hit").first().textContent(), /MOV \[x\]/);
  assert.ok(readFileSync(file).length < 200_000);
  await page.close();
  const forbidden = await report("sc.html", 0, "--cat", "sc", "--explain", "examples/sb.litmus");
  assert.match(await forbidden.page.locator(".told.forbidden").textContent(), /The axiom sc fails on the red edges/);
  assert.equal(await forbidden.page.locator(".picture .line.bad").count(), 4);
  await forbidden.page.close();
});

const clang = /clang/.test(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.replace(/no clang/, ""));
if (!clang && process.env.HMC_LEFT_OUT) appendFileSync(process.env.HMC_LEFT_OUT, "Web: the report of a C program (clang is not installed)\n");

test("a report of a C program has its finding, the line, and the execution, step by step", { skip: !clang && "clang is not installed" }, async () => {
  const { page } = await report("race.html", 1, "--cat", "rc11", "examples/message_passing_broken.c");
  assert.match(await page.locator(".told.forbidden").textContent(), /Violation: race\./);
  assert.match(await page.locator(".answer").textContent(), /^Violated/);
  assert.match(await page.locator(".lines .bad").textContent(), /message = 42/);
  assert.equal(await page.locator(".picture .event.marked").count(), 2);
  assert.ok((await page.locator('.picture [data-edge^="data-race "]').count()) >= 1, "the race is drawn");
  await page.getByRole("button", { name: "First step" }).click();
  assert.match(await page.locator(".step").textContent(), /Step 1 of/);
  await page.close();
});

test("of many results each opens when it is asked for", async () => {
  const { page } = await report("many.html", 0, "--cat", "x86tso,sc", "web/gallery/x86/SB.litmus", "web/gallery/x86/MP.litmus");
  assert.match(await page.locator("main > p").textContent(), /^4 results: 4 holds$/);
  assert.equal(await page.locator(".picture").count(), 0);
  await page.locator("summary", { hasText: "SB.litmus under x86tso" }).click();
  await page.waitForSelector(".picture");
  await page.close();
});

test("hmc playground serves the page to this machine", async () => {
  const server = spawn(program, ["playground", "--port", "0", "--page", env.HMC_PAGE], { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const address = await new Promise((done) => server.stdout.once("data", (text) => done(String(text).trim())));
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await open(address);
    await page.waitForSelector('[data-answer="Sometimes"]');
    await page.close();
    const host = new URL(address).host;
    const others = asked.filter((url) => url.startsWith("http") && new URL(url).host !== host);
    assert.deepEqual(others, []);
  } finally {
    server.kill("SIGINT");
  }
});

test("without the page, the program says how it is made", () => {
  const nowhere = { ...env, HMC_PAGE: folder };
  for (const args of [["playground"], ["--html", join(folder, "no.html"), "--cat", "sc", "examples/sb.litmus"]]) {
    const ran = spawnSync(program, args, { cwd: root, env: nowhere, encoding: "utf8" });
    assert.equal(ran.status, 2);
    assert.match(ran.stderr, /no folder with the built page[\s\S]*web\/build/);
  }
});

test("no error on the console, no request from a file", () => {
  assert.deepEqual(failures, []);
  assert.ok(asked.every((url) => /^(file:|data:|blob:|http:\/\/127\.0\.0\.1)/.test(url)), asked.join());
});
