// The page starts here. Schemas are interpreted (jitless), because the content security policy
// forbids eval and zod would otherwise try it.
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./theme/theme.css";
import "./theme/prose.css";
import { followVisibleHeight } from "./device/visible-height.ts";
import { firstScreen } from "./first-screen.ts";
import { translate } from "./language/catalogue.ts";
import { language } from "./language/language.ts";
import { PageRoot } from "./page-root.tsx";

z.config({ jitless: true });

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
followVisibleHeight(window.visualViewport, document.documentElement);
// Not awaited up here: what is loaded later imports from this module, and would wait for it to be over.
void Promise.all([firstScreen(), inChosenLanguage()]).then(() => createRoot(root).render(<PageRoot />));

/** Without the translation, if it cannot be loaded, the page is in English. */
async function inChosenLanguage(): Promise<void> {
  if (language === "en") return;
  const loaded = await import("./german.ts").catch(() => null);
  if (loaded === null) return;
  translate(loaded.german);
  document.documentElement.lang = language;
}
