// What the costs page asks, over HTTP of the shipped server, with a million entries of 30 days in the ledger:
// eight sessions at work around the clock, ten calls a turn, eight turns a session.
import { readFileSync } from "node:fs";
import { chromiumArguments } from "@patchbay/testing/chromium";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { chromium } from "@playwright/test";
import type { LedgerEntry } from "../../apps/server/src/store/ledger-types.ts";
import { SqliteStore } from "../../apps/server/src/store/sqlite/sqlite-store.ts";
import { type Findings, figure, median, type Setting } from "../part.ts";

const days = 30;
const dayMs = 86_400_000;
const lanes = 8;
const models = ["sonnet", "opus", "haiku", "codex", "gemini", "qwen"];
const barMs = 100;
const pageBarMs = 500;
const warmUpMiB = 15;
/** Garbage of some steps; a million rows are 150 to 400 MiB. */
const streamBarMiB = 64;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const count = quick ? 20_000 : 1_000_000;
  const now = Date.now();
  await using server = await startServer({
    prepare: async (home) => {
      say(`writing ${count.toLocaleString("en-US")} ledger entries`);
      await fill(home, count, now);
    },
  });
  const rows: string[][] = [];
  let slowest = 0;
  for (const [what, path] of questions(now)) {
    const times: number[] = [];
    for (let round = 0; round < (quick ? 5 : 20); round++) times.push(await timed(server, path));
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95) - 1] ?? Number.NaN;
    slowest = Math.max(slowest, p95);
    rows.push([what, figure(median(times)), figure(p95)]);
  }
  const pages: string[][] = [];
  let slowestPage = 0;
  for (const [what, path] of callPages(now)) {
    const times: number[] = [];
    for (let round = 0; round < (quick ? 5 : 20); round++) times.push(await timed(server, path));
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95) - 1] ?? Number.NaN;
    slowestPage = Math.max(slowestPage, p95);
    pages.push([what, figure(median(times)), figure(p95)]);
  }
  const streams: string[][] = [];
  let mostGrown = 0;
  for (const file of ["calls.csv", "focus.csv"]) {
    const stream = await streamed(server, `/api/usage/${file}`);
    mostGrown = Math.max(mostGrown, stream.grownMiB);
    streams.push([file, figure(stream.seconds), figure(stream.mib), figure(stream.grownMiB)]);
  }
  const shown = await firstNumbers(server, quick ? 2 : 7);
  return {
    tables: [
      {
        title:
          "From the navigation to the first numbers of the costs page, in a browser that was here before",
        header: ["median, ms", "all rounds, ms"],
        rows: [[figure(median(shown)), shown.map((ms) => Math.round(ms)).join(", ")]],
      },
      {
        title: `The costs page with ${count.toLocaleString("en-US")} ledger entries`,
        header: ["question", "median, ms", "p95, ms"],
        rows,
      },
      {
        title: "A page of 100 calls (`GET /api/usage/calls`), wherever it is in the ledger",
        header: ["page", "median, ms", "p95, ms"],
        rows: pages,
      },
      {
        title: "Every call as a file",
        header: ["file", "seconds", "MiB", "most memory beyond that after 15 MiB, MiB"],
        rows: streams,
      },
    ],
    bars: [
      {
        what: "p95 of the slowest question of the costs page",
        measured: `${figure(slowest)} ms`,
        bar: `${barMs} ms`,
        met: slowest < barMs,
      },
      {
        what: "p95 of the slowest page of calls",
        measured: `${figure(slowestPage)} ms`,
        bar: `${barMs} ms`,
        met: slowestPage < barMs,
      },
      {
        what: "what a file of every call takes of the server's memory while it is written",
        measured: `${figure(mostGrown)} MiB`,
        bar: `${streamBarMiB} MiB`,
        met: mostGrown < streamBarMiB,
      },
      {
        what: "the first numbers of the costs page are shown in",
        measured: `${figure(median(shown))} ms`,
        bar: `${pageBarMs} ms`,
        met: median(shown) < pageBarMs,
      },
    ],
  };
}

function questions(now: number): [string, string][] {
  const midnight = Math.floor(now / dayMs) * dayMs;
  const range = new URLSearchParams({
    from: new Date(midnight - (days - 1) * dayMs).toISOString(),
    to: new Date(midnight + dayMs).toISOString(),
    tz: "UTC",
  }).toString();
  const of = (call: string, more = ""): string => `/api/usage${call}?${range}${more}`;
  return [
    ["the four numbers", "/api/usage/summary?tz=Europe/Berlin"],
    ["what runs now", "/api/usage/now"],
    ["spend by day and model", of("", "&group_by=day,model")],
    ["spend by day and project, of one model", of("", "&group_by=day,cwd&model=opus")],
    ["projects", of("", "&group_by=cwd")],
    ["branches of one project", of("", "&group_by=branch&cwd=/w/3")],
    ["sessions", of("/sessions")],
    ["sessions of one model", of("/sessions", "&model=opus")],
    ["turns", of("/turns")],
    ["costs per turn", of("/distribution")],
    ["cache", of("/cache")],
  ];
}

/** The first page, and pages that begin somewhere: a later page must not cost more. `after` is as `next` of a page says it. */
function callPages(now: number): [string, string][] {
  const page = (more: string): string => `/api/usage/calls?limit=100${more}`;
  const at = (share: number): string => page(`&after=${Math.round(now - (1 - share) * days * dayMs)}.1.s`);
  return [
    ["the first", page("")],
    ["behind a tenth", at(0.1)],
    ["behind the half", at(0.5)],
    ["behind nine tenths", at(0.9)],
    ["the last", at(1)],
    ["the first of a day", page(`&from=${new Date(now - 5 * dayMs).toISOString()}`)],
    ["the first of one project of twelve", page("&cwd=/w/3")],
    ["the first of one model and branch", page("&model=opus&branch=b7")],
    ["the first of a session", page("&session=s3-700")],
    ["of a project that has no calls", page("&cwd=/w/none")],
  ];
}

async function streamed(server: RunningServer, path: string) {
  const pid = server.process.pid ?? 0;
  let before = Number.NaN;
  const began = performance.now();
  const { body } = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.token}` } });
  let bytes = 0;
  let most = 0;
  let looked = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes < looked) continue;
    looked = bytes + 1024 * 1024;
    // The heap grows with the first rows to what a step leaves for the next collection. After them it must not grow.
    if (bytes <= warmUpMiB * 1024 * 1024) before = memoryMiB(pid);
    most = Math.max(most, memoryMiB(pid));
  }
  return {
    seconds: (performance.now() - began) / 1_000,
    mib: bytes / 1024 / 1024,
    grownMiB: most - before,
  };
}

const memoryMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

async function timed(server: RunningServer, path: string): Promise<number> {
  const began = performance.now();
  const { status, text } = await server.call("GET", path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return performance.now() - began;
}

async function firstNumbers(server: RunningServer, rounds: number): Promise<number[]> {
  const browser = await chromium.launch({
    executablePath: process.env["PATCHBAY_CHROMIUM"] ?? "/usr/bin/chromium",
    args: chromiumArguments,
  });
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!/\$\d/.test(document.querySelector("main")?.textContent ?? "")) return;
        observer.disconnect();
        requestAnimationFrame(() => Reflect.set(window, "shownAt", performance.now()));
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(await server.loginUrl());
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      await page.goto(`${server.url}/costs`);
      await page.waitForFunction(() => Reflect.get(window, "shownAt") !== undefined);
      if (round > 0) times.push(await page.evaluate(() => Number(Reflect.get(window, "shownAt"))));
    }
    return times;
  } finally {
    await browser.close();
  }
}

async function fill(home: string, count: number, now: number): Promise<void> {
  const store = await SqliteStore.open({ home, segmentBytes: 1 << 20, onWriteError: () => {} });
  const step = (days * dayMs) / (count / lanes);
  let batch: LedgerEntry[] = [];
  for (let index = 0; index < count; index++) {
    const lane = index % lanes;
    const call = Math.floor(index / lanes);
    const session = Math.floor(call / 80);
    const within = call % 80;
    const choice = (session * 7 + lane * 3) % 97;
    const model = models[choice % models.length] ?? "";
    batch.push({
      session: `s${lane}-${session}`,
      seq: within * 3 + 3,
      time: new Date(now - days * dayMs + call * step).toISOString(),
      turn: Math.floor(within / 10) * 30 + 1,
      person: `p${choice % 10}`,
      cwd: `/w/${choice % 12}`,
      branch: `b${choice % 40}`,
      worker: "builtin",
      provider: "anthropic",
      model,
      input: 900,
      output: 300,
      cache_read: 40_000,
      cache_write: 900,
      thinking: 0,
      cost_nanos: (((index * 7_919) % 60_000) + 1) * 1_000,
      price: model === "qwen" ? "none" : "worker",
    });
    if (batch.length < 20_000 && index < count - 1) continue;
    await store.record(batch);
    batch = [];
  }
  await store.close();
}
