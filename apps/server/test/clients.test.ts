// The example clients, each run as its readers would run it, where its language is installed.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type RunningServer, repository } from "@patchbay/testing/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startActor } from "./actor.ts";

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

describe("example clients", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startActor();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const { name, program, way, file } of languages) {
    it.skipIf(!isInstalled(program))(
      `[J16] ${name} asks and prints the answer over the ${way} socket`,
      async () => {
        const path = join(clients, file);
        expect(readFileSync(path, "utf8").split("\n").length).toBeLessThan(100);
        const target =
          way === "session" ? [server.url, server.token] : [join(server.home, ".patchbay/daemon.sock")];
        const before = program === "go" ? ["run", path] : [path];
        const { stdout } = await run(program, [...before, ...target, `say "hello" from ${name}`], {
          cwd: program === "go" ? join(clients, "go") : server.cwd,
          timeout: patienceMs,
        });
        expect(stdout).toBe(`"hello" from ${name}\n`);
      },
      patienceMs + 10_000,
    );
  }
});
