// Pictures of the page to be looked at, in the folder that is named: light, dark, a phone, a projector. Not a test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { browser } from "./browser.mjs";
import { serve } from "./serve.mjs";

const folder = process.argv[2] ?? "shots";
mkdirSync(folder, { recursive: true });
const { address, close } = await serve(fileURLToPath(new URL("../dist/", import.meta.url)));
const views = {
  light: { viewport: { width: 1360, height: 860 }, colorScheme: "light" },
  dark: { viewport: { width: 1360, height: 860 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
  projector: { viewport: { width: 1920, height: 1080 }, colorScheme: "light" },
};
for (const [name, options] of Object.entries(views)) {
  const { context, close } = await browser(options);
  const page = await context.newPage();
  const shot = (what) => page.screenshot({ path: join(folder, `${name}-${what}.png`), fullPage: name === "phone" });
  const pick = async (label) => {
    await page.selectOption("#test", { label });
    await page.waitForTimeout(900);
  };
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  await page.waitForTimeout(400);
  await shot("start");
  await pick("IRIW+addrs");
  if (name !== "phone") await page.locator("[data-relation]").first().scrollIntoViewIfNeeded();
  await shot("iriw");
  await page.goto(`${address}#lesson=1`);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.getByRole("button", { name: "Run SB under sc" }).click();
  await page.waitForTimeout(900);
  await page.locator(".edge").nth(1).dispatchEvent("click");
  await page.waitForTimeout(500);
  await shot("lesson");
  await pick("RCU+sync");
  await shot("rcu");
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.waitForTimeout(2500);
  await shot("compare");
  await page.getByRole("tab", { name: "Executions" }).click();
  await page.getByRole("tab", { name: "Model" }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("acyclic poo as mine");
  await page.waitForTimeout(900);
  await shot("typo");
  await close();
}
close();
