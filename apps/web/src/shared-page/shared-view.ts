// Shows a shared session: a heading, and the passages of an export. Only what changed is replaced, so that an open card stays open while the
// agent works. Everything in it was escaped by the export.
import { exportStyle, htmlPassages, usageWords } from "@patchbay/export";
import type { SharedSession } from "@patchbay/protocol";
import { sharedPageTexts as texts } from "./texts.ts";

const ownStyle = `
.state{margin:0 0 14px;color:var(--muted);font-size:13px;display:flex;flex-wrap:wrap;gap:2px 14px}
.state .on{color:var(--accent)}
.message{max-width:520px;margin:18vh auto 0;padding:0 20px;text-align:center}
.message p{color:var(--muted);margin:0}
@media (max-width:640px){header{padding-top:20px}h1{font-size:19px}header,main{padding-left:16px;padding-right:16px}summary{min-height:44px;align-items:center}}
`;

/** As a sheet of the document or shadow root: a content security policy allows that, and no style in the markup. */
export function adoptSharedStyle(sheets: DocumentOrShadowRoot): void {
  const sheet = new CSSStyleSheet();
  // In a shadow root there is no root element and no body.
  const text = exportStyle
    .replaceAll(":root", ":root,:host")
    .replace("\nbody{", "\nbody,:host{display:block;");
  sheet.replaceSync(text + ownStyle);
  sheets.adoptedStyleSheets = [sheet];
}

export class SharedView {
  readonly #state: HTMLElement;
  readonly #title: HTMLElement;
  readonly #facts: HTMLElement;
  readonly #main: HTMLElement;
  #shown: readonly string[] = [];

  /** `root` has the styles (`adoptSharedStyle`). */
  constructor(root: HTMLElement | ShadowRoot) {
    const header = document.createElement("header");
    this.#state = element("div", "state");
    this.#title = document.createElement("h1");
    this.#facts = document.createElement("p");
    this.#main = document.createElement("main");
    header.append(this.#state, this.#title, this.#facts);
    root.replaceChildren(header, this.#main);
  }

  show(shared: SharedSession): void {
    const { session, mode, hidden, working, usage, earlier } = shared;
    this.#title.textContent = session.name;
    const model = [session.provider, session.model].filter((part) => part !== "").join("/");
    const facts = [
      session.worker,
      model,
      session.cwd ?? "",
      new Date(session.created_at).toLocaleString(),
      ...(usage === null ? [] : usageWords(usage)),
    ];
    this.#facts.replaceChildren(...facts.filter((fact) => fact !== "").map((fact) => span(fact)));
    this.#state.replaceChildren(
      span(
        mode === "live" ? (working ? texts.working : texts.live) : texts.frozen,
        mode === "live" ? "on" : "",
      ),
      span(texts.readOnly),
      ...(hidden.length === 0 ? [] : [span(texts.hides(hidden.map((part) => texts[part]).join(", ")))]),
    );
    const notes = earlier > 0 ? [note(texts.earlier(earlier))] : [];
    const passages = htmlPassages(shared, texts.person);
    this.#patch([...notes, ...(passages.length === 0 ? [note(texts.empty)] : passages)]);
  }

  /** Above what is shown; null: there is none. */
  problem(text: string | null): void {
    this.#state.querySelector(".problem")?.remove();
    if (text === null) return;
    const shown = span(text, "problem");
    shown.role = "status";
    this.#state.append(shown);
  }

  #patch(next: readonly string[]): void {
    const { children } = this.#main;
    next.forEach((html, index) => {
      if (this.#shown[index] === html) return;
      const known = children[index];
      const section = document.createElement("section");
      section.innerHTML = html;
      if (known === undefined) this.#main.append(section);
      else {
        const open = known.querySelector("details")?.open;
        const card = section.querySelector("details");
        if (card !== null && open !== undefined) card.open = open;
        known.replaceWith(section);
      }
    });
    while (children.length > next.length) this.#main.lastElementChild?.remove();
    this.#shown = next;
  }
}

/** A text of ours, without markup. */
const note = (text: string): string => `<p class="note">${text}</p>`;

function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function span(text: string, className = ""): HTMLElement {
  const made = element("span", className);
  made.textContent = text;
  return made;
}
