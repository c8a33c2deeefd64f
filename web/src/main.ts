// Starts the page.
import { Client } from "./engine/client";
import type { About } from "./engine/types";
import { Page } from "./page/page";
import { applyTheme } from "./page/theme";
import "./style/page.css";
import "./style/editor.css";
import "./style/picture.css";

applyTheme();
// In a frame of another page only the test and its executions are shown.
if (new URLSearchParams(location.search).has("embed")) document.documentElement.dataset.embed = "yes";
try {
  const client = new Client();
  const about = await client.ask<About>({ ask: "about" });
  client.stop();
  await new Page(about).start();
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  const told = document.createElement("p");
  told.setAttribute("role", "alert");
  told.textContent = `This page cannot start: ${error instanceof Error ? error.message : String(error)}`;
  document.querySelector("#page")!.append(told);
}
