// What every part of the page's bench stands on: the built server with a worker that writes much, a real Chromium,
// a page that is logged in, and Chromium's own figures.

import { chromiumArguments } from "@patchbay/testing/chromium";
import { fixtureWorker, type RunningServer, startServer } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";

export interface Stage extends AsyncDisposable {
  server: RunningServer;
  /** A new session, and somebody who prompts in it without being the page. */
  session(): Promise<{ id: string; viewer: TestViewer }>;
  /** A fresh browser context that is logged in. */
  page(): Promise<{ page: Page; cdp: CDPSession }>;
}

export const chromiumPath = process.env["PATCHBAY_CHROMIUM"] ?? "/usr/bin/chromium";

export async function openStage(): Promise<Stage> {
  const server = await startServer({
    config: {
      default_worker: "writer",
      workers: { writer: { dialect: "zot", command: fixtureWorker("writer") } },
    },
  });
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [...chromiumArguments, "--js-flags=--expose-gc"],
  });
  const viewers: TestViewer[] = [];
  return {
    server,
    async session() {
      const { body } = await server.call("POST", "/api/sessions", {});
      const id = (body as { session: { id: string } }).session.id;
      const viewer = new TestViewer(server.url, server.token, id).countOnly();
      viewers.push(viewer);
      await viewer.caughtUp();
      return { id, viewer };
    },
    async page() {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        colorScheme: "dark",
        serviceWorkers: "block", // a first visit has none
      });
      const page = await context.newPage();
      await page.goto(await server.loginUrl());
      await page.getByRole("navigation", { name: "Sessions" }).waitFor();
      const cdp = await context.newCDPSession(page);
      // The thread's own time: other programs on the machine make nothing slower by this clock.
      await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
      return { page, cdp };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      for (const viewer of viewers) viewer.cut();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Prompts and waits until the turn that it began is over. */
export async function runTurn(viewer: TestViewer, message: string): Promise<void> {
  const before = viewer.lines.length;
  await viewer.ask({ type: "prompt", message });
  await viewer.until(() =>
    viewer.lines
      .slice(before)
      .some(({ session }) => (session as { state?: string } | undefined)?.state === "busy"),
  );
  await viewer.state("idle");
}

/** Chromium's counters, in seconds and bytes: `ScriptDuration`, `LayoutDuration`, `JSHeapUsedSize`, `Nodes`, … */
export async function metrics(cdp: CDPSession): Promise<Record<string, number>> {
  const { metrics: all } = await cdp.send("Performance.getMetrics");
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

/** The heap after everything that can go is gone. */
export async function heapAfterGc(cdp: CDPSession): Promise<number> {
  for (let round = 0; round < 3; round++) await cdp.send("HeapProfiler.collectGarbage");
  return (await metrics(cdp))["JSHeapUsedSize"] ?? Number.NaN;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string; chrome_mojo_event_info?: { mojo_interface_tag?: string } };
}

/**
 * Records the tasks of the page's thread; the answer ends it and tells how long each took, in milliseconds. What the
 * inspector asks of the page, as when Playwright looks for a button by its name, runs on that thread too and is left out.
 */
export async function recordTasks(cdp: CDPSession): Promise<() => Promise<{ wall: number; cpu: number }[]>> {
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline", "toplevel"] },
  });
  return async () => {
    const complete = new Promise<void>((resolve) => cdp.once("Tracing.tracingComplete", () => resolve()));
    await cdp.send("Tracing.end");
    await complete;
    const threads = events.filter(
      ({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain",
    );
    const main = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
    const ofMain = events
      .filter(({ ph, pid, tid }) => ph === "X" && main.has(`${pid} ${tid}`))
      .toSorted((a, b) => a.ts - b.ts);
    const tasks: { wall: number; cpu: number }[] = [];
    let end = Number.NEGATIVE_INFINITY; // of the newest task, which holds what begins before it
    for (const { name, ts, dur = 0, tdur = dur, args } of ofMain) {
      if (name === "RunTask") {
        tasks.push({ wall: dur / 1000, cpu: tdur / 1000 });
        end = ts + dur;
      } else if (isInspectors(args) && ts < end) {
        tasks.pop();
        end = ts;
      }
    }
    return tasks;
  };
}

const isInspectors = (args: TraceEvent["args"]): boolean =>
  args?.chrome_mojo_event_info?.mojo_interface_tag === "blink.mojom.DevToolsSession";

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
