// Builds the page into <root>/dist/web. Asset paths are absolute, because the same index.html answers
// at /sessions/:id, where relative ones would point nowhere.
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env["PATCHBAY_DEV_SERVER"] ?? "http://127.0.0.1:7171";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  base: "/",
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // A data: font would need its own hole in the content security policy.
    assetsInlineLimit: 0,
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
