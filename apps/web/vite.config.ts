// Builds the page into <root>/dist/web. Asset paths are relative to the <base> that the server writes into
// index.html, so that one build works below any path a reverse proxy shows it under.
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed } from "./compressed.ts";
import { firstGroups, firstLoad } from "./first-load.ts";

const server = process.env["PATCHBAY_DEV_SERVER"] ?? "http://127.0.0.1:7171";

export default defineConfig({
  plugins: [react(), tailwindcss(), firstLoad(), compressed()],
  base: "./",
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // A data: font would need its own hole in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: firstGroups } } },
  },
  worker: { format: "es" },
  server: {
    proxy: {
      "/api": {
        target: server,
        ws: true,
        changeOrigin: true,
        rewriteWsOrigin: true,
        // The server refuses pages of other origins, and in development this is one.
        configure: (proxy) => proxy.on("proxyReq", (request) => request.setHeader("origin", server)),
      },
    },
  },
});
