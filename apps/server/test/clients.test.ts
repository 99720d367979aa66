// The example clients, each run as its readers would run it, where its language is installed.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { promptFor } from "@patchbay/testing/scene";
import { fixtureWorker, type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { unless } from "@patchbay/testing/skips";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const clients = join(repository, "examples/clients");

/** Go compiles its library first where it never has. */
const patienceMs = 170_000;

const languages = [
  { name: "shell", program: "bash", way: "session", file: "shell/session.sh" },
  { name: "shell", program: "bash", way: "local", file: "shell/local.sh" },
  { name: "python", program: "python3", way: "session", file: "python/session.py" },
  { name: "python", program: "python3", way: "local", file: "python/local.py" },
  { name: "node", program: process.execPath, way: "session", file: "node/session.mjs" },
  { name: "node", program: process.execPath, way: "local", file: "node/local.mjs" },
  { name: "go", program: "go", way: "session", file: "go/session/main.go" },
  { name: "go", program: "go", way: "local", file: "go/local/main.go" },
] as const;

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.log(`skipped: ${program} is not installed here`);
    return false;
  }
}

type Ask = (prompt: string) => Promise<{ stdout: string }>;

/** What each agent shows of the clients. */
const stories = {
  actor: {
    worker: "actor",
    does: "[J16] asks and prints the answer",
    async check(ask: Ask) {
      expect(await ask('say "hello" from here')).toMatchObject({ stdout: '"hello" from here\n' });
    },
  },
  zot: {
    worker: "zot-player",
    does: "[J16] prints what is said where fields are sorted, and no tool's arguments",
    async check(ask: Ask) {
      const said = 'It <ran> & "well" \\o/.';
      const steps = [{ run: ["echo one"] }, { say: ["Now: ", said] }];
      expect(await ask(promptFor(steps))).toMatchObject({ stdout: `Now: ${said}\n` });
    },
  },
  "one that cannot start": {
    worker: "exit-early",
    does: "[J18] says why, and ends with 1",
    async check(ask: Ask) {
      const failed = await ask("hello").catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 1, stdout: "" });
      expect(Object(failed)["stderr"]).toContain("The agent stopped before it was ready");
    },
  },
};

describe.each(Object.entries(stories))("example clients, with %s", (_name, { worker, does, check }) => {
  let server: RunningServer;
  beforeAll(async () => {
    const workers = { tried: { dialect: "zot", command: fixtureWorker(worker) } };
    server = await startServer({ config: { default_worker: "tried", workers } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const { name, program, way, file } of languages) {
    it(`${does}: ${name} over the ${way} socket`, {
      ...unless(isInstalled(program) ? null : `${program} is not installed`),
      timeout: patienceMs + 10_000,
    }, async () => {
      const path = join(clients, file);
      expect(readFileSync(path, "utf8").split("\n").length).toBeLessThan(110);
      const target = way === "session" ? [server.url] : [join(server.home, ".patchbay/daemon.sock")];
      // The token is found in both places where programs find it; Go and pyenv need the real home.
      const byFile = name === "shell" || name === "node";
      const env = {
        ...process.env,
        CGO_ENABLED: "0", // Go compiles its standard library here: a C compiler would take five seconds more
        ...(byFile ? { HOME: server.home } : { PATCHBAY_TOKEN: server.token }),
      };
      const before = program === "go" ? ["run", path] : [path];
      const cwd = program === "go" ? join(clients, "go") : server.cwd;
      await check((prompt) =>
        run(program, [...before, ...target, prompt], { cwd, env, timeout: patienceMs }),
      );
    });
  }
});
