// The chaos run: viewers prompt, stop, edit queues and lose their sockets, while workers and the server are killed and frozen, the disk
// fills up and the clock jumps. In the end the server must have every frame and every response that a viewer got.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isAlive, memoryOf } from "../processes.ts";
import { fixtureWorker, type RunningServer, repository, startServer } from "../server-process.ts";
import { ChaosViewer } from "./chaos-viewer.ts";
import { checkDatabase, checkSessions } from "./check.ts";
import { type Random, randomFrom } from "./random.ts";
import { ChaosRecord } from "./record.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

export interface ChaosOptions {
  seed: number;
  seconds: number;
  sessions: number;
  viewersPerSession: number;
  print(text: string): void;
}

export interface ChaosReport {
  violations: string[];
  frames: number;
  prompts: number;
  /** How often each action was done. */
  actions: Record<string, number>;
}

/** More than a server under this load has needed. Growth beyond it is a leak. */
const mostMemory = 700 * 1024 * 1024;
const mostDescriptors = 600;

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { print } = options;
  const mounted = mountSmallDisk("1g");
  const disk = "problem" in mounted ? undefined : mounted;
  if ("problem" in mounted)
    print(`the disk is never full: no file system can be mounted here (${mounted.problem})`);
  try {
    return await runOn(disk, options);
  } finally {
    disk?.[Symbol.dispose]();
  }
}

async function runOn(disk: SmallDisk | undefined, options: ChaosOptions): Promise<ChaosReport> {
  const record = new ChaosRecord();
  const home = disk === undefined ? undefined : join(disk.path, "person");
  if (home !== undefined) mkdirSync(home);
  const clock = join(tmpdir(), `patchbay-clock-${process.pid}`); // not on the disk that fills up
  const server = await startServer({
    ...(home === undefined ? {} : { home }),
    config: {
      default_worker: "chaos",
      workers: { chaos: { command: fixtureWorker("chaos") } },
      limits: {
        workers: 1_000,
        worker_pool: 0,
        replay_bytes: 1 << 30,
        attaches_per_minute: 1_000_000,
        worker_stop_ms: 500,
      },
    },
    nodeArgs: ["--import", pathToFileURL(join(repository, "testing/src/chaos/moving-clock.mjs")).href],
    env: { PATCHBAY_CLOCK_FILE: clock },
  });
  const run = new ChaosRun(server, disk, clock, record, options);
  try {
    await run.play();
    await run.settle();
    await checkSessions(server, run.sessions, record);
    run.checkGrowth();
    run.end();
    server.process.kill("SIGTERM");
    const { code } = await server.exited;
    if (code !== 0) record.violate(`the server ended with code ${code}: ${server.stderr().slice(-2_000)}`);
    checkDatabase(server, record);
  } finally {
    run.end();
    try {
      await server[Symbol.asyncDispose]();
    } catch (error) {
      record.violate(String(error)); // processes of the server are left
    }
    rmSync(clock, { force: true });
  }
  return {
    violations: record.violations,
    frames: record.frames,
    prompts: record.prompts.size,
    actions: Object.fromEntries(run.actions),
  };
}

class ChaosRun {
  readonly sessions: string[] = [];
  readonly actions = new Map<string, number>();
  readonly #server: RunningServer;
  readonly #disk: SmallDisk | undefined;
  readonly #clock: string;
  readonly #record: ChaosRecord;
  readonly #options: ChaosOptions;
  readonly #random: Random;
  #viewers: ChaosViewer[] = [];
  /** Actions that are undone after a while. */
  readonly #pending = new Set<Promise<unknown>>();

  constructor(
    server: RunningServer,
    disk: SmallDisk | undefined,
    clock: string,
    record: ChaosRecord,
    options: ChaosOptions,
  ) {
    this.#server = server;
    this.#disk = disk;
    this.#clock = clock;
    this.#record = record;
    this.#options = options;
    this.#random = randomFrom(options.seed);
  }

  async play(): Promise<void> {
    const { sessions, viewersPerSession, seconds, print } = this.#options;
    for (let index = 0; index < sessions; index++) {
      const { body } = await this.#server.call("POST", "/api/sessions", {});
      const { id } = (body as { session: { id: string } }).session;
      this.sessions.push(id);
      for (let viewer = 0; viewer < viewersPerSession; viewer++)
        this.#viewers.push(new ChaosViewer(this.#server, id, this.#record));
    }
    const until = performance.now() + seconds * 1_000;
    let printedAt = performance.now();
    while (performance.now() < until) {
      await this.#act();
      await delay(5 + this.#random.number(25));
      if (performance.now() - printedAt < 60_000) continue;
      printedAt = performance.now();
      print(
        `${this.#record.prompts.size} prompts, ${this.#record.frames} frames, ${this.#record.violations.length} violations`,
      );
    }
  }

  /** Does one random action. Their frequencies are per thousand. */
  async #act(): Promise<void> {
    const viewer = this.#random.pick(this.#viewers);
    const chance = this.#random.number(1_000);
    if (chance < 500) return this.#do("prompt", () => viewer.prompt(this.#random.number(200)));
    if (chance < 650) return this.#do("cut", () => viewer.cut());
    if (chance < 710)
      return this.#do("abort", () => viewer.command({ type: "abort", hold_queue: chance % 2 === 0 }));
    if (chance < 750) return this.#do("resume", () => viewer.command({ type: "queue_resume" }));
    if (chance < 790) return this.#do("edit queue", () => this.#editQueue(viewer));
    if (chance < 820)
      return this.#do("stall", () => this.#undoLater(viewer.stall(this.#random.number(1_500))));
    if (chance < 870) return this.#do("kill worker", () => kill(viewer.pid, "SIGKILL"));
    if (chance < 890) return this.#do("freeze worker", () => this.#freeze(viewer.pid));
    if (chance < 905)
      return this.#do("stop", () => this.#call("POST", `/api/sessions/${viewer.session}/stop`));
    if (chance < 925)
      return this.#do("read", () => this.#call("GET", `/api/sessions/${viewer.session}/messages`));
    if (chance < 935) return this.#do("jump clock", () => this.#jumpClock());
    if (chance < 945 && this.#disk !== undefined) return this.#do("fill disk", () => this.#fillDisk());
    if (chance < 949) return this.#do("freeze server", () => this.#freeze(this.#server.process.pid));
    if (chance < 954) {
      this.#note("kill server");
      await this.#server.kill();
      await delay(this.#random.number(200));
      this.#disk?.free(); // a server that cannot write does not start
      await this.#server.start();
    }
  }

  #do(name: string, action: () => void): void {
    this.#note(name);
    action();
  }

  #note(name: string): void {
    this.actions.set(name, (this.actions.get(name) ?? 0) + 1);
  }

  #editQueue(viewer: ChaosViewer): void {
    const item = viewer.queue.at(-1);
    if (item === undefined) return;
    if (this.#random.number(2) === 0) return viewer.command({ type: "queue_move", item: item.id, to: 0 });
    const prompt = this.#record.prompts.get(item.message.split(" ")[1] ?? "");
    if (prompt !== undefined) prompt.removed = true; // requested; it may have started meanwhile
    viewer.command({ type: "queue_remove", item: item.id });
  }

  #freeze(pid: number | undefined): void {
    kill(pid, "SIGSTOP");
    this.#undoLater(delay(this.#random.number(1_000)).then(() => kill(pid, "SIGCONT")));
  }

  #jumpClock(): void {
    const hours = this.#random.number(24 * 60) - 24 * 30;
    writeFileSync(this.#clock, String(hours * 3_600_000));
  }

  #fillDisk(): void {
    this.#disk?.fill();
    this.#undoLater(delay(200 + this.#random.number(1_500)).then(() => this.#disk?.free()));
  }

  /** A call that may fail, because the server may be down. */
  #call(method: string, path: string): void {
    this.#undoLater(this.#server.call(method, path).catch(() => {}));
  }

  #undoLater(work: Promise<unknown>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  /** Waits until prompts have responses, prompts of unknown fate are decided, and queues are empty. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
    this.#disk?.free();
    writeFileSync(this.#clock, "0");
    await this.#until("every prompt is answered", () =>
      this.#viewers.every((viewer) => viewer.isLive && viewer.unanswered === 0),
    );
    await this.#until("every queue is empty and every session at rest", () => {
      for (const viewer of this.#viewers) {
        for (const { id, fate } of viewer.queue)
          if (fate === "unknown") viewer.command({ type: "queue_remove", item: id });
        if (viewer.queue.length > 0) viewer.command({ type: "queue_resume" });
      }
      return this.#viewers.every(
        ({ queue, state }) => queue.length === 0 && !["busy", "starting"].includes(state),
      );
    });
  }

  async #until(what: string, holds: () => boolean): Promise<void> {
    const until = performance.now() + 120_000;
    while (!holds()) {
      if (performance.now() > until) {
        const odd = this.#viewers
          .filter(
            ({ queue, state, isLive, unanswered }) =>
              !isLive || unanswered > 0 || queue.length > 0 || state === "busy",
          )
          .map(({ session, state, isLive, unanswered, queue }) => ({
            session,
            state,
            isLive,
            unanswered,
            queue: queue.length,
          }));
        this.#record.violate(`not within two minutes: ${what}: ${JSON.stringify(odd.slice(0, 5))}`);
        return;
      }
      await delay(100);
    }
  }

  checkGrowth(): void {
    const pid = Number(this.#server.process.pid);
    const { now } = memoryOf(pid);
    if (now > mostMemory) this.#record.violate(`the server uses ${Math.round(now / 1e6)} MB`);
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    if (descriptors > mostDescriptors) this.#record.violate(`the server holds ${descriptors} descriptors`);
    const workers = new Set(this.#viewers.flatMap(({ pid: worker }) => worker ?? []).filter(isAlive));
    if (workers.size > this.sessions.length) this.#record.violate(`${workers.size} workers live`);
  }

  end(): void {
    for (const viewer of this.#viewers) viewer.end();
    this.#viewers = [];
  }
}

/** Ignores a process that has ended already. */
function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
