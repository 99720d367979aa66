// Builds the page of share links beside the app, and shares no file with it: what the app keeps in the browser is out of reach of its code.
import { defineConfig } from "vite";
import { compressed } from "./compressed.ts";

export default defineConfig({
  plugins: [compressed()],
  base: "./",
  publicDir: false,
  build: {
    outDir: "../../dist/web",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: { input: "shared.html" },
  },
});
