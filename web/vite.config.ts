import { defineConfig } from "vite";

// Relative addresses: the page can lie in any folder of any host.
export default defineConfig({
  base: "./",
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
});
