// The page of a share link starts here. The secret is behind the # of the address: the browser sends it to nobody, and this page sends it in
// a header to the one call that its content security policy allows.
import { SharedSession, shareSecretHeader } from "@patchbay/protocol";
import * as z from "zod/mini";
import { translate } from "../language/catalogue.ts";
import { adoptSharedStyle, SharedView } from "./shared-view.ts";
import { sharedPageGerman } from "./texts.de.ts";
import { sharedPageTexts as texts } from "./texts.ts";

z.config({ jitless: true }); // the content security policy forbids eval

const everyMs = 2_000;
/** After a failure; doubled up to a minute. */
const retryMs = 4_000;
const maxRetryMs = 60_000;
/** The reader is at the end if less than this is below. */
const nearEnd = 80;

if (navigator.language.startsWith("de")) {
  translate({ "shared-page": sharedPageGerman });
  document.documentElement.lang = "de";
}

const id = location.pathname.split("/").at(-1) ?? "";
const secret = location.hash.slice(1);
let view: SharedView | null = null;
let etag: string | null = null;
let failures = 0;

// Another link in the same tab: the address differs only behind the #.
window.addEventListener("hashchange", () => location.reload());
adoptSharedStyle(document);
showMessage(texts.loading, "");
void follow();

async function follow(): Promise<void> {
  for (;;) {
    if (document.hidden && etag !== null) await visible();
    const goOn = await ask().catch(() => "failed" as const);
    if (goOn === "ended") return;
    failures = goOn === "failed" ? failures + 1 : 0;
    if (view !== null) view.problem(goOn === "failed" ? texts.away : null);
    else if (goOn === "failed") showMessage(texts.away, "");
    await wait(goOn === "failed" ? Math.min(maxRetryMs, retryMs * 2 ** (failures - 1)) : everyMs);
  }
}

/** Asks the server once. */
async function ask(): Promise<"shown" | "failed" | "ended"> {
  if (secret === "") return end(texts.brokenTitle, texts.broken);
  const response = await fetch(new URL(`../api/shared/${id}`, location.href), {
    headers: { [shareSecretHeader]: secret, ...(etag === null ? {} : { "if-none-match": etag }) },
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
  });
  if (response.status === 304) return "shown";
  if (response.status === 404 || response.status === 400) return end(texts.brokenTitle, texts.broken);
  if (response.status === 410) return end(texts.endedTitle, await sentence(response));
  if (!response.ok) return "failed";
  const shared = SharedSession.parse(await response.json());
  const follows = etag !== null && distanceToEnd() < nearEnd;
  etag = response.headers.get("etag") ?? "";
  view ??= new SharedView(document.body); // in place of the message
  view.show(shared);
  document.title = shared.session.name;
  if (follows) window.scrollTo(0, document.documentElement.scrollHeight);
  return shared.mode === "frozen" ? "ended" : "shown";
}

function end(title: string, text: string): "ended" {
  showMessage(title, text);
  document.title = title;
  return "ended";
}

async function sentence(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
  const found = typeof error === "object" && error !== null && "message" in error ? error.message : null;
  return typeof found === "string" ? found : "";
}

function showMessage(title: string, text: string): void {
  const box = document.createElement("main");
  box.className = "message";
  const heading = document.createElement("h1");
  heading.textContent = title;
  const more = document.createElement("p");
  more.textContent = text;
  box.append(heading, more);
  document.body.replaceChildren(box);
}

const distanceToEnd = (): number => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  return scrollHeight - clientHeight - scrollTop;
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A tab that nobody sees asks nothing. */
const visible = (): Promise<void> =>
  new Promise((resolve) => document.addEventListener("visibilitychange", () => resolve(), { once: true }));
