import { type Plugin, defineConfig } from "vite";

/** Puts scripts and styles into the HTML file: a report is one file. */
function inlined(): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== "asset" || !page.fileName.endsWith(".html")) continue;
        let html = String(page.source);
        for (const part of Object.values(bundle)) {
          const name = part.fileName.split("/").at(-1)!;
          const escaped = name.replaceAll(".", "\\.");
          if (part.type === "chunk") {
            // The report stands before the script, and a module is run when all has been read.
            const code = part.code.replaceAll("</script", "<\\/script");
            html = html.replace(new RegExp(`\\s*<script[^>]*${escaped}"[^>]*></script>`), "");
            html = html.replace("</body>", () => `<script type="module">${code}</script>\n  </body>`);
          } else if (name.endsWith(".css")) {
            html = html.replace(new RegExp(`<link[^>]*${escaped}"[^>]*>`), () => `<style>${String(part.source)}</style>`);
          } else continue;
          delete bundle[part.fileName];
        }
        page.source = html;
      }
    },
  };
}

// The viewer for `hmc --html`: one file, beside the page.
export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [inlined()],
  build: { target: "es2022", emptyOutDir: false, modulePreload: false, rollupOptions: { input: "report.html" } },
});
