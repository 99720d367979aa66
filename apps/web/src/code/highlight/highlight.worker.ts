// Colours code away from the page's own thread: a thousand lines take longer than a frame. A language's grammar is
// loaded when the first code in it is shown.
import hljs from "highlight.js/lib/core";
import { grammars } from "./highlight-grammars.ts";

interface Task {
  id: number;
  code: string;
  language: string;
}

const loaded = new Map<string, Promise<boolean>>();

async function load(language: string): Promise<boolean> {
  const grammar = grammars[language];
  // Unknown languages stay plain: guessing is slow and often wrong.
  if (grammar === undefined) return false;
  hljs.registerLanguage(language, (await grammar()).default);
  return true;
}

self.onmessage = async (event: MessageEvent<Task>) => {
  const { id, code, language } = event.data;
  const name = language.toLowerCase();
  const known = loaded.get(name) ?? load(name).catch(() => false);
  loaded.set(name, known);
  const html = (await known) ? hljs.highlight(code, { language: name, ignoreIllegals: true }).value : null;
  self.postMessage({ id, html });
};
