// A repository that names programs wherever git looks for one, the canary that they start, and every call of the server
// that touches a directory.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { RunningServer } from "@patchbay/testing/server-process";
import { slowness } from "@patchbay/testing/watchdog";
import { expect } from "vitest";
import { directory } from "../../machine/git/repositories.ts";
import { createSession, startActor } from "../../support/actor.ts";

/** In the server's environment: what a program that it starts must not see. */
const secret = "sk-secret-of-the-server";

/** Writes its environment to a file whenever it is run. */
export class Canary {
  readonly #nest = directory();
  readonly program = join(this.#nest, "canary.sh");

  constructor() {
    mkdirSync(join(this.#nest, "ran"));
    writeFileSync(this.program, `#!/bin/sh\nenv > ${this.#nest}/ran/$$\n[ $# -gt 0 ] && exit 1\ncat\n`);
    chmodSync(this.program, 0o755);
  }

  /** What it saw, each time it was run. */
  get runs(): string[] {
    const ran = join(this.#nest, "ran");
    return readdirSync(ran).map((name) => readFileSync(join(ran, name), "utf8"));
  }

  /** The attack works: with the git of everyday use it is run. Then it starts anew. */
  expectRunBy(attempt: () => unknown): void {
    try {
      attempt();
    } catch {
      // What git says about it does not matter.
    }
    expect(this.runs).not.toEqual([]);
    rmSync(join(this.#nest, "ran"), { recursive: true });
    mkdirSync(join(this.#nest, "ran"));
  }

  expectSilence(): void {
    expect(this.runs).toEqual([]);
  }
}

const hooks = [
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "pre-commit",
  "post-commit",
  "fsmonitor-watchman",
  "pre-auto-gc",
];

/** Every key of git's config that names a program, and those that make it use one. */
function poisonedConfig(program: string, hooksPath: string): string {
  return `
[core]
	fsmonitor = ${program}
	hooksPath = ${hooksPath}
	sshCommand = ${program}
	gitProxy = ${program}
	editor = ${program}
	pager = ${program}
	askPass = ${program}
	alternateRefsCommand = ${program}
[filter "evil"]
	clean = ${program}
	smudge = ${program}
	required = true
[filter "long"]
	process = ${program}
[diff]
	external = ${program}
[diff "evil"]
	command = ${program}
	textconv = ${program}
[merge "evil"]
	driver = ${program}
[credential]
	helper = !${program}
[gpg]
	program = ${program}
[sequence]
	editor = ${program}
[uploadpack]
	packObjectsHook = ${program}
[remote "origin"]
	url = ssh://nowhere.invalid/repository
	uploadpack = ${program}
	receivepack = ${program}
	promisor = true
	partialclonefilter = blob:none
[alias]
	ls-files = !${program}
	status = !${program}
	add = !${program}
[submodule]
	recurse = true
[index]
	sparse = true
[hook "evil"]
	event = post-index-change
	event = post-checkout
	command = ${program}
`;
}

/** Poisons a git directory; `through` an include, if the config itself shall look innocent. */
export function poison(gitDirectory: string, canary: Canary, how: "config" | "include" = "config"): void {
  const elsewhere = join(gitDirectory, "other-hooks");
  for (const place of [join(gitDirectory, "hooks"), elsewhere]) {
    mkdirSync(place, { recursive: true });
    for (const hook of hooks) {
      writeFileSync(join(place, hook), `#!/bin/sh\nexec ${canary.program} </dev/null\n`);
      chmodSync(join(place, hook), 0o755);
    }
  }
  const text = poisonedConfig(canary.program, elsewhere);
  const config = join(gitDirectory, "config");
  const before = existsSync(config) ? readFileSync(config, "utf8") : "";
  writeFileSync(join(gitDirectory, "included"), text);
  writeFileSync(config, before + (how === "config" ? text : `[include]\n\tpath = included\n`));
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  writeFileSync(join(gitDirectory, "info/attributes"), attributes);
}

export const attributes = "*.txt filter=evil diff=evil merge=evil\n*.bin filter=long\n";

/** A real server with secrets in its environment, which may use these directories. */
export function startVictim(directories: readonly string[], config: object = {}): Promise<RunningServer> {
  return startActor({ directories, ...config }, { ANTHROPIC_API_KEY: secret, SOME_API_KEY: secret });
}

interface Answer {
  status: number;
  body: unknown;
  text: string;
}

export interface Looked {
  session: string;
  paths: string[];
  changes: Answer;
  /** As far as there are any. */
  changed: string[];
  diff: string;
}

/** Opens a session, changes `honest.txt` in its directory, and asks everything that can be asked of a directory. */
export async function lookAt(server: RunningServer, cwd: string, wish: object = {}): Promise<Looked> {
  const session = await createSession(server, { cwd, ...wish });
  const get = (path: string): Promise<Answer> => server.call("GET", `/api/sessions/${session}/${path}`);
  const { body } = await server.call("GET", `/api/sessions/${session}`);
  const place = (body as { session: { cwd: string } }).session.cwd;
  await get("changes"); // the beginning is remembered
  writeFileSync(join(place, "honest.txt"), "honest\nchange\n");
  const { paths } = (await get("paths?q=honest")).body as { paths: { path: string }[] };
  const changes = await get("changes");
  const { files = [] } = changes.body as { files?: { path: string }[] };
  const { diff = "" } = (await get("changes/diff?path=honest.txt")).body as { diff?: string };
  await get("files");
  await get("files/text?path=honest.txt");
  return {
    session,
    paths: paths.map(({ path }) => path),
    changes,
    changed: files.map(({ path }) => path),
    diff,
  };
}

/** The same, and that each answer is what an innocent directory would have got. */
export async function expectHonestWork(
  server: RunningServer,
  cwd: string,
  wish: object = {},
): Promise<string> {
  const { session, paths, changes, changed, diff } = await lookAt(server, cwd, wish);
  expect(paths).toContain("honest.txt");
  expect([changes.status, changed]).toEqual([200, expect.arrayContaining(["honest.txt"])]);
  expect(diff).toContain("+change");
  return session;
}

/** Every call there is: in the directory, in a worktree of it, and the deletion of both. */
export async function callEverything(server: RunningServer, cwd: string): Promise<void> {
  const plain = await expectHonestWork(server, cwd);
  writeFileSync(join(cwd, "honest.txt"), "honest\n");
  const apart = await expectHonestWork(server, cwd, { worktree: true });
  const clean = await createSession(server, { cwd, worktree: true });
  for (const session of [plain, apart, clean])
    expect((await server.call("DELETE", `/api/sessions/${session}`)).status).toBe(204);
}

/** Ends when its stdin is closed. */
const idleProgram =
  "process.stdin.resume().once('end', process.exit); require('http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', function () { console.log(this.address().port) })";

/** A process that does nothing but answer: what it takes is the machine's load, not the server's work. It ends with this process. */
let idle: Promise<string> | undefined;

async function startIdle(): Promise<string> {
  const child = spawn(process.execPath, ["-e", idleProgram], {
    env: {}, // Node would read certificates that are named there, which doubles its start
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  child.stdout.destroy();
  child.unref(); // this process may end before it
  return `http://127.0.0.1:${port}`;
}

/** Asking without a pause would be a load of its own: every 5 ms it took as much processor time as the rest of these tests. */
const pauseMs = 20;

/** Asks for `/healthz` again and again, from now until it is disposed, and an idle process beside it. */
export async function watchHealth(
  server: RunningServer,
): Promise<AsyncDisposable & { longest(): Promise<number> }> {
  idle ??= startIdle();
  const idleUrl = await idle;
  let watching = true;
  /** The longest time without an answer, the pause included: nothing that blocks is shorter than that, even if it began in a pause. */
  const ask = async (url: string): Promise<number> => {
    let longest = 0;
    let answered = performance.now();
    while (watching) {
      expect((await fetch(url)).status).toBe(200);
      const now = performance.now();
      longest = Math.max(longest, now - answered);
      answered = now;
      await setTimeout(pauseMs);
    }
    return longest;
  };
  const watched = Promise.all([ask(`${server.url}/healthz`), ask(idleUrl)]);
  return {
    /** Ends it; the longest that an answer took in milliseconds, beyond what the idle process took at worst, on a machine at rest. */
    async longest() {
      watching = false;
      const [busy, load] = await watched;
      return busy - load < healthMs ? busy - load : (busy - load) / slowness();
    },
    async [Symbol.asyncDispose]() {
      watching = false;
      await watched;
    },
  };
}

/** The bar of issue 13: whatever lies in a directory, others are answered within this. */
export const healthMs = 250;
