// Home with 5 and with 500 sessions: from the navigation to the composer and the sessions on the screen.
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { SqliteStore } from "../../apps/server/src/store/sqlite/sqlite-store.ts";
import { type Findings, figure, type Setting } from "../part.ts";
import { type BareBrowser, openBareBrowser } from "./bare-browser.ts";
import { chromiumPath } from "./stage.ts";

const few = 5;
const many = 500;
/** Sessions of so many directories, as of a person who works on several projects. */
const directories = 12;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const rounds = quick ? 3 : 9;
  await using small = await startServer({ prepare: (home) => fill(home, few) });
  await using large = await startServer({ prepare: (home) => fill(home, many) });
  await using browser = await openBareBrowser(chromiumPath);
  const visits = { few: [] as Visit[], many: [] as Visit[] };
  await visit(browser, small); // the files of the page are in the system's cache then
  for (let round = 0; round < rounds; round++) {
    visits.few.push(await visit(browser, small));
    visits.many.push(await visit(browser, large));
  }
  const best = (all: readonly Visit[], which: keyof Visit) => Math.min(...all.map((one) => one[which]));
  const ratio = best(visits.many, "ready") / best(visits.few, "ready");
  const threadRatio = best(visits.many, "thread") / best(visits.few, "thread");
  say(`home with ${many} sessions takes ${figure(ratio)} × as long as with ${few}`);
  const row = (count: number, all: readonly Visit[]) => [
    String(count),
    figure(best(all, "ready")),
    figure(best(all, "thread")),
    all.map(({ ready }) => Math.round(ready)).join(", "),
  ];
  return {
    tables: [
      {
        title: "Home, from the navigation to the sessions on the screen and a prompt that can be written",
        header: ["sessions", "best ms", "best thread ms", "all rounds, ms"],
        rows: [row(few, visits.few), row(many, visits.many)],
      },
    ],
    bars: [
      {
        what: `home with ${many} sessions, against ${few}`,
        measured: `${figure(ratio)} ×`,
        bar: "≤ 1.2 ×",
        met: ratio <= 1.2,
      },
      {
        what: `the same, in time of the page's thread`,
        measured: `${figure(threadRatio)} ×`,
        bar: "≤ 1.2 ×",
        met: threadRatio <= 1.2,
      },
    ],
  };
}

interface Visit {
  ready: number;
  thread: number;
}

async function fill(home: string, count: number): Promise<void> {
  const store = await SqliteStore.open({ home, segmentBytes: 1024 * 1024, onWriteError: () => {} });
  for (let number = 0; number < count; number++) {
    const time = new Date(Date.now() - (count - number) * 60_000).toISOString();
    await store.createSession({
      id: number.toString(16).padStart(16, "0"),
      name: `Find out why test number ${number} fails now and then`,
      worker: "builtin",
      dialect: "zot",
      cwd: `/srv/projects/project-${number % directories}`,
      provider: "demo",
      model: "offline-demo",
      created_at: time,
      updated_at: time,
      seq: 40,
      message_count: 8,
      process: null,
      pinned: false,
      archived: false,
      deletes_at: null,
      summary: {
        last_line: "The test raced the timer. It now waits for the event itself.",
        last_turn: "done",
      },
    });
  }
  await store.close();
}

/** A first visit by a person who is logged in. */
async function visit(browser: BareBrowser, server: RunningServer): Promise<Visit> {
  const login = await fetch(`${server.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: server.token }),
  });
  const { secret } = (await login.json()) as { secret: string };
  await using tab = await browser.tab(server.url, login.headers.get("set-cookie") ?? "");
  const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
  await tab.send("Emulation.setDeviceMetricsOverride", size);
  await tab.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  const keepSecret = `localStorage.setItem("patchbay.login", ${JSON.stringify(secret)});`;
  await tab.send("Page.addScriptToEvaluateOnNewDocument", { source: keepSecret + noteWhenReady });
  await tab.send("Performance.enable", { timeDomain: "threadTicks" });
  const thread = async (): Promise<number> => {
    const { metrics } = await tab.send("Performance.getMetrics");
    const all = metrics as { name: string; value: number }[];
    return 1000 * (all.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const before = await thread();
  const loaded = tab.event("Page.loadEventFired");
  await tab.send("Page.navigate", { url: `${server.url}/` });
  await loaded;
  const ready = Number(await tab.evaluate("window.ready"));
  return { ready, thread: (await thread()) - before };
}

/** The list, the recent sessions and a field with a directory. */
const noteWhenReady = `window.ready = new Promise((resolve) => {
  new MutationObserver((_changes, observer) => {
    const isThere = (selector) => document.querySelector(selector) !== null;
    if (!isThere("main textarea") || !isThere("main section li a") || !isThere("nav li a")) return;
    if (!isThere("[data-home] [data-directory]")) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now()));
  }).observe(document, { subtree: true, childList: true });
})`;
