// Debian's Chromium, without what it does in the background.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A browser with a fresh profile, and how to end it. */
export async function browser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "hmc-page-"));
  const executablePath = process.env.HMC_CHROMIUM ?? "/usr/bin/chromium";
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: QUIET, acceptDownloads: true, ...options });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
}
