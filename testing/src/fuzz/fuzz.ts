// The fuzzer: mutated lines of workers of every dialect and of a daemon, mutated commands of viewers, and HTTP calls of any form, all
// at once against one server. The server must survive, must not be blocked, must have no uncaught error, and another session on it must
// not be affected.
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import WebSocket from "ws";
import { replyByScene } from "../fake-model/by-scene.ts";
import { startFakeModel } from "../fake-model/server.ts";
import { fixtureWorker, type RunningServer, repository, startServer } from "../server-process.ts";
import { TestViewer } from "../socket-client.ts";
import { Watchdog } from "../watchdog.ts";
import { ZeroclawDaemon } from "../zeroclaw-daemon.ts";
import { type FuzzRandom, Mutator, randomFrom } from "./mutate.mjs";

export interface FuzzOptions {
  seed: number;
  seconds: number;
  print(text: string): void;
}

export interface FuzzReport {
  problems: string[];
  prompts: number;
  viewerLines: number;
  calls: number;
  /** Answered prompts of the unaffected session. */
  bystander: number;
}

const dialects = ["zot", "pi", "omp", "acp", "zeroclaw"] as const;

export async function runFuzz({ seed, seconds, print }: FuzzOptions): Promise<FuzzReport> {
  const place = mkdtempSync(join(tmpdir(), "patchbay-fuzz-"));
  const watchdog = new Watchdog();
  const model = await startFakeModel();
  model.defaultReply = replyByScene();
  const daemon = await ZeroclawDaemon.at(join(place, "daemon.sock"));
  const proxy = await mutatingProxy(join(place, "proxy.sock"), join(place, "daemon.sock"), seed);
  const mutated = (...command: string[]): string[] => [
    process.execPath,
    join(repository, "testing/workers/mutator.mjs"),
    String(seed),
    ...command,
  ];
  const server = await startServer({
    config: {
      default_worker: "actor",
      limits: {
        workers: 100,
        attaches_per_minute: 100_000,
        worker_abort_ms: 2_000,
        worker_stop_ms: 500,
        worker_start_ms: 5_000,
      },
      workers: {
        actor: { command: fixtureWorker("actor") },
        zot: { dialect: "zot", command: mutated(...fixtureWorker("zot-player")) },
        pi: { dialect: "pi", command: mutated(...fixtureWorker("pi-player", "pi")) },
        omp: { dialect: "omp", command: mutated(...fixtureWorker("pi-player", "omp")) },
        acp: { dialect: "acp", command: mutated(...fixtureWorker("acp-agent", "compacts")) },
        zeroclaw: { dialect: "zeroclaw", socket: join(place, "proxy.sock") },
      },
    },
    nodeArgs: watchdog.options.nodeArgs,
    env: {
      ...watchdog.options.env,
      ANTHROPIC_API_KEY: "not-a-real-key",
      ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
    },
  });
  watchdog.longestBlock(); // the start does not count
  const run = new FuzzRun(server, seed, performance.now() + seconds * 1_000);
  try {
    await run.play(print);
    const blocked = watchdog.excessiveBlock();
    if (blocked !== undefined) run.report.problems.push(`the event loop was blocked for ${blocked} ms`);
    await run.check();
    return run.report;
  } finally {
    await server[Symbol.asyncDispose]();
    proxy.close();
    await daemon[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    rmSync(place, { recursive: true, force: true });
  }
}

/** Mutates some lines of the daemon, and forwards those of the server. */
function mutatingProxy(path: string, to: string, seed: number): Promise<Server> {
  const mutator = new Mutator(seed);
  const random = randomFrom(seed);
  const server = createServer((socket) => {
    const daemon = connect(to);
    let rest = "";
    let lines = 0;
    socket.pipe(daemon);
    daemon.setEncoding("utf8").on("data", (text) => {
      const parts = (rest + String(text)).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts)
        socket.write(++lines > 3 && random.next() < 0.2 ? mutator.line(part) : `${part}\n`);
    });
    for (const side of [socket, daemon]) side.on("error", () => {}); // `close` follows
    socket.on("close", () => daemon.destroy());
    daemon.on("close", () => socket.destroy());
  });
  return new Promise((resolve) => server.listen(path, () => resolve(server)));
}

/** The scenes that workers play: every kind of turn. */
const scenes = [
  [{ say: ["One ", "two ", "three."] }],
  [{ think: "Let me see." }, { say: ["I see."] }],
  [{ run: ["echo one", "echo two"] }, { say: ["Both ran."] }],
  [{ ask: 200 }, { say: ["Never mind."] }],
  [{ ask: true }, { say: ["Thank you."] }],
  [{ newer: true }, { say: ["After."] }],
  [{ retry: true }, { say: ["At last."] }],
  [{ fail: true }],
  [{ wait: true }],
];

const viewerCommands = [
  { type: "prompt", id: "a", message: "say x", images: [{ mime_type: "image/png", data: "AAAA" }] },
  { type: "steer", id: "b", message: "x" },
  { type: "follow_up", id: "c", message: "x" },
  { type: "abort_and_prompt", message: "x" },
  { type: "abort", hold_queue: true },
  { type: "compact", customInstructions: "x" },
  { type: "queue_move", item: "x", to: 1 },
  { type: "queue_remove", item: "x" },
  { type: "queue_edit", item: "x", message: "y" },
  { type: "queue_retry", item: "x" },
  { type: "queue_resume" },
  { type: "extension_ui_response", id: "x", value: "y", reason: "z" },
  { type: "get_state", id: "d" },
  { type: "get_messages", id: "e" },
  { type: "get_models" },
  { type: "get_branches" },
  { type: "get_session_stats" },
  { type: "set_model", model: "x", provider: "y", modelId: "z" },
  { type: "set_thinking_level", level: "high" },
  { type: "set_approval_mode", mode: "ask" },
  { type: "set_session_name", name: "x" },
  { type: "switch_branch", branch: "main" },
  { type: "branch", entryId: "x" },
  { type: "bash", command: "true" },
  { type: "run_command", name: "x", args: "y" },
  { type: "panel_key", panel: "x", key: "up" },
  { type: "steer_remove", index: 0, text: "x" },
  { type: "hello", token: "x" },
];

const paths = [
  "/api/sessions",
  "/api/workers",
  "/api/usage",
  "/api/usage.csv",
  "/api/usage/calls",
  "/api/usage/calls.csv",
  "/api/usage/calls.jsonl",
  "/api/usage/focus.csv",
  "/api/usage/turns",
  "/api/usage/sessions",
  "/api/usage/distribution",
  "/api/usage/summary",
  "/api/usage/now",
  "/api/usage/cache",
  "/api/search",
  "/api/budgets",
  "/api/prices",
  "/api/imports",
  "/api/imports/costs",
  "/metrics",
  "/healthz",
  "/",
  "/sessions/x",
];
const below = [
  "",
  "/messages",
  "/export",
  "/changes",
  "/changes/diff",
  "/files",
  "/files/text",
  "/paths",
  "/stop",
  "/restore",
];

class FuzzRun {
  readonly report: FuzzReport = {
    problems: [],
    prompts: 0,
    viewerLines: 0,
    calls: 0,
    bystander: 0,
  };
  readonly #server: RunningServer;
  readonly #until: number;
  readonly #random: FuzzRandom;
  readonly #mutator: Mutator;
  readonly #pid: number | undefined;
  readonly #sessions: string[] = [];

  constructor(server: RunningServer, seed: number, until: number) {
    this.#server = server;
    this.#until = until;
    this.#random = randomFrom(seed);
    this.#mutator = new Mutator(seed + 1);
    this.#pid = server.process.pid;
  }

  get #isRunning(): boolean {
    return performance.now() < this.#until && this.#server.process.exitCode === null;
  }

  async play(print: (text: string) => void): Promise<void> {
    const reporting = setInterval(() => print(JSON.stringify(this.report)), 60_000);
    await Promise.all([
      this.#bystander(),
      this.#callHttp(),
      ...dialects.map((worker) => this.#drive(worker)),
      ...dialects.map(() => this.#sendLines()),
    ]);
    clearInterval(reporting);
  }

  /** At the end: the same process runs, and every session can be opened, also after a restart. */
  async check(): Promise<void> {
    const { problems } = this.report;
    if (this.#server.process.pid !== this.#pid || this.#server.process.exitCode !== null)
      problems.push("the server ended");
    const unexpected = this.#server
      .stderr()
      .split("\n")
      .filter((line) => line.includes("unexpected error; the server continues"));
    problems.push(...unexpected.slice(0, 5).map((line) => line.slice(0, 1_500)));
    await this.#server.kill();
    await this.#server.start();
    const { body } = await this.#server.call("GET", "/api/sessions");
    const ids = (body as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
    for (const id of ids) {
      const { status, text } = await this.#server.call("GET", `/api/sessions/${id}/messages`);
      if (status !== 200) problems.push(`${id} cannot be opened again: ${text.slice(0, 500)}`);
    }
  }

  /** The unaffected session: every prompt is answered, in order. */
  async #bystander(): Promise<void> {
    const viewer = new TestViewer(this.#server.url, this.#server.token, await this.#create("actor"));
    await viewer.caughtUp();
    while (this.#isRunning) {
      const message = `say number-${this.report.bystander}`;
      const turns = viewer.transcript.marks.length;
      await viewer.ask({ type: "prompt", message });
      await viewer.until(() => viewer.transcript.marks.length > turns && viewer.session?.state === "idle");
      const answer = JSON.stringify(viewer.transcript.messages.at(-1));
      if (!answer.includes(`number-${this.report.bystander}`))
        this.report.problems.push(`the session beside was answered ${answer}`);
      this.report.bystander++;
      await delay(50);
    }
    await viewer.close();
  }

  /** Prompts a worker whose lines are mutated, in any state. */
  async #drive(worker: string): Promise<void> {
    let session = await this.#create(worker);
    this.#sessions.push(session);
    while (this.#isRunning) {
      const message = `scene ${JSON.stringify(this.#random.pick(scenes))}`;
      await this.#sendCommand(session, { type: "prompt", message }, 300 + this.#random.below(700));
      this.report.prompts++;
      if (this.#random.below(3) === 0) await this.#sendCommand(session, { type: "abort" }, 50);
      if (this.#random.below(12) !== 0) continue;
      if (this.#random.below(2) === 0) await this.#server.call("DELETE", `/api/sessions/${session}`);
      session = await this.#create(worker);
      this.#sessions.push(session);
    }
  }

  /** Sends one command over its own socket, then terminates the socket. */
  async #sendCommand(session: string, command: object, waitMs: number): Promise<void> {
    const socket = this.#open(session);
    socket.on("open", () => socket.send(`${JSON.stringify(command)}\n`));
    await delay(waitMs);
    socket.terminate();
  }

  #open(session: string): WebSocket {
    const address = new URL(`/api/sessions/${session}/socket`, this.#server.url.replace("http", "ws"));
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${this.#server.token}` } });
    socket.on("error", () => {}); // `close` follows
    return socket;
  }

  /** A viewer that sends mutated commands to any session. */
  async #sendLines(): Promise<void> {
    while (this.#isRunning) {
      await delay(20 + this.#random.below(100));
      const session = this.#sessions.at(-1 - this.#random.below(5));
      if (session === undefined) continue;
      const socket = this.#open(session);
      socket.on("open", () => {
        for (let count = this.#random.below(30); count >= 0; count--) {
          const command = JSON.stringify(this.#random.pick(viewerCommands));
          const line =
            this.#random.below(2) === 0
              ? this.#mutator.line(command)
              : Buffer.from(`${this.#mutator.json(command)}\n`);
          socket.send(line, { binary: this.#random.below(20) === 0 });
          this.report.viewerLines++;
        }
      });
      await delay(50);
      socket.terminate();
    }
  }

  async #callHttp(): Promise<void> {
    while (this.#isRunning) {
      await delay(5 + this.#random.below(20));
      const session = this.#sessions.at(-1) ?? "x";
      const path =
        this.#random.below(2) === 0
          ? this.#random.pick(paths)
          : `/api/sessions/${session}${this.#random.pick(below)}`;
      const method = this.#random.pick([
        "GET",
        "GET",
        "GET",
        "POST",
        "PATCH",
        "PUT",
        "DELETE",
        "HEAD",
        "OPTIONS",
      ]);
      if (method === "DELETE" && path === `/api/sessions/${session}`) continue; // `#drive` deletes sessions
      const query =
        this.#random.below(2) === 0
          ? ""
          : `?${this.#odd("q")}&${this.#odd("from")}&${this.#odd("tz")}&${this.#odd("path")}&${this.#odd("format")}&${this.#odd("limit")}`;
      const hasBody = !["GET", "HEAD"].includes(method) && this.#random.below(2) === 0;
      const body = hasBody
        ? this.#mutator.json(JSON.stringify({ worker: "actor", cwd: "/tmp", name: "x", model: "y" }))
        : undefined;
      this.report.calls++;
      try {
        const response = await fetch(`${this.#server.url}${path}${query}`.slice(0, 12_000), {
          method,
          headers: {
            authorization: `Bearer ${this.#server.token}`,
            ...(hasBody ? { "content-type": "application/json" } : {}),
          },
          ...(body === undefined ? {} : { body }),
          signal: AbortSignal.timeout(30_000),
        });
        const text = await response.text();
        if (response.status >= 500)
          this.report.problems.push(
            `${method} ${path}${query.slice(0, 300)} ${body?.slice(0, 300) ?? ""}: ${response.status} ${text.slice(0, 300)}`,
          );
      } catch (error) {
        if (this.#isRunning)
          this.report.problems.push(`${method} ${path}${query.slice(0, 300)}: ${String(error)}`);
      }
    }
  }

  #odd(name: string): string {
    const value = this.#mutator.value();
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return `${name}=${encodeURIComponent(Buffer.from(text.slice(0, 2_000)).toString())}`; // without lone surrogates
  }

  async #create(worker: string): Promise<string> {
    const { status, body, text } = await this.#server.call("POST", "/api/sessions", { worker });
    if (status !== 201) throw new Error(`no session: ${status} ${text}`);
    return (body as { session: { id: string } }).session.id;
  }
}
