// A Chromium with as little attached to it as can be, for measuring how long a first visit takes. A browser under
// Playwright notes for every request where in the script it came from, for which V8 reads the whole script a second
// time: a tenth of a second on a slow processor that no visitor ever waits for.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArguments } from "@patchbay/testing/chromium";
import { WebSocket } from "ws";

type Params = Record<string, unknown>;
type Send = (method: string, params?: Params) => Promise<Params>;

/** One tab in a profile of its own: nothing is cached, nobody was here before. */
interface BareTab extends AsyncDisposable {
  send: Send;
  /** Resolves with the next event of that name. */
  event(method: string): Promise<void>;
  /** The value of an expression; a promise is waited for. */
  evaluate(expression: string): Promise<unknown>;
}

export interface BareBrowser extends AsyncDisposable {
  /** `cookie`: as a server sets it. */
  tab(url: string, cookie: string): Promise<BareTab>;
}

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  result?: Params;
  error?: { message: string };
}

export async function openBareBrowser(executable: string): Promise<BareBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  const child = spawn(
    executable,
    [
      "--headless=new",
      ...chromiumArguments,
      "--disable-extensions",
      "--no-first-run",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const socket = new WebSocket(await address(child.stderr, exited), { maxPayload: 2 ** 28 });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const waiting = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  const events = new Map<string, () => void>();
  let next = 0;
  socket.on("message", (data: Buffer) => {
    const { id, method, sessionId, result, error }: Message = JSON.parse(data.toString());
    if (id === undefined) return events.get(`${sessionId} ${method}`)?.();
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result ?? {});
    else asked?.reject(new Error(error.message));
  });
  const sendIn =
    (sessionId?: unknown): Send =>
    (method, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++next, { resolve, reject });
        socket.send(JSON.stringify({ id: next, method, params, sessionId }));
      });
  const browser = sendIn();
  return {
    async tab(url, cookie) {
      const { browserContextId } = await browser("Target.createBrowserContext");
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      await browser("Storage.setCookies", { browserContextId, cookies: [{ name, value, url }] });
      const { targetId } = await browser("Target.createTarget", { url: "about:blank", browserContextId });
      const { sessionId } = await browser("Target.attachToTarget", { targetId, flatten: true });
      const send = sendIn(sessionId);
      await send("Page.enable");
      return {
        send,
        event: (method) => new Promise((resolve) => events.set(`${String(sessionId)} ${method}`, resolve)),
        async evaluate(expression) {
          const options = { expression, awaitPromise: true, returnByValue: true };
          return ((await send("Runtime.evaluate", options))["result"] as Params)["value"];
        },
        async [Symbol.asyncDispose]() {
          await browser("Target.closeTarget", { targetId });
          await browser("Target.disposeBrowserContext", { browserContextId });
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await browser("Browser.close").catch(() => child.kill("SIGKILL"));
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Where it listens, which is the first thing that it says. */
function address(stderr: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`Chromium did not start: ${said}`)));
  });
}
