// Colours code away from the page's own thread: a thousand lines take longer than a frame.
import hljs from "highlight.js/lib/common";

interface Task {
  id: number;
  code: string;
  language: string;
}

self.onmessage = (event: MessageEvent<Task>) => {
  const { id, code, language } = event.data;
  // Unknown languages stay plain: guessing is slow and often wrong.
  const html = hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : null;
  self.postMessage({ id, html });
};
