// Starting and ending: one clear sentence for everything that can be wrong, and a quiet end.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { repository, startServer } from "@patchbay/testing/server-process";
import { unless } from "@patchbay/testing/skips";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { describe, expect, it } from "vitest";

async function tryToStart(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; stderr: string; stdout: string }> {
  const home = temporaryDirectory("start");
  const child = spawn(process.execPath, [join(repository, "dist/server/main.js"), ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, CI: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  let stdout = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stderr, stdout };
}

const sentence = (stderr: string): string =>
  stderr.split("\n").find((line) => line.startsWith("patchbay:")) ?? stderr;

describe("start", () => {
  it("[S1] a taken port: exit 1 and what to do", async () => {
    await using server = await startServer();
    const result = await tryToStart(["--port", new URL(server.url).port]);
    expect(result.code).toBe(1);
    expect(sentence(result.stderr)).toContain("is already in use. Choose another one with --port");
    expect(result.stdout).toBe("");
  });

  it("[S2] bad flags and ports: exit 1 and where the options are described", async () => {
    const flag = await tryToStart(["--prot", "1"]);
    expect(flag.code).toBe(1);
    expect(sentence(flag.stderr)).toContain("--prot");
    expect(sentence(flag.stderr)).toContain("--help");
    expect(sentence((await tryToStart(["--port", "many"])).stderr)).toContain("number from 0 to 65535");
    expect(sentence((await tryToStart([], { PATCHBAY_PORT: "70000" })).stderr)).toContain(
      "number from 0 to 65535",
    );
  });

  it("[S300] --help, help and --version: what can be done, on stdout, without a server", async () => {
    for (const args of [["--help"], ["help"], ["daemon", "-h"], ["--port", "0", "--help"]]) {
      const { code, stdout, stderr } = await tryToStart(args);
      expect([code, stderr]).toEqual([0, ""]);
      for (const part of ["Usage", "--port NUMBER", "import costs", "logout --all", "ANTHROPIC_API_KEY"])
        expect(stdout).toContain(part);
    }
    expect((await tryToStart(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("[S3] a config file that is absent, no JSON or wrong: exit 1 and the place", async () => {
    expect(sentence((await tryToStart(["--config", "/no/such/file"])).stderr)).toContain(
      "Cannot read the config file",
    );
    const directory = temporaryDirectory("config");
    const path = join(directory, "c.json");
    writeFileSync(path, '{\n  "directories": [\n}');
    const broken = await tryToStart(["--config", path]);
    expect(broken.code).toBe(1);
    expect(sentence(broken.stderr)).toContain("line 3");
    writeFileSync(path, '{"workers":{"x":{"command":"zot rpc"}}}');
    expect(sentence((await tryToStart(["--config", path])).stderr)).toContain(
      "workers.x.command: expected array",
    );
    writeFileSync(path, '{"colour":"red"}');
    expect(sentence((await tryToStart(["--config", path])).stderr)).toContain("unknown field colour");
  });

  it(
    "[S4] a home that cannot be written to: exit 1 and what to do",
    unless(process.getuid?.() === 0 ? "root may write everywhere" : null),
    async () => {
      const directory = temporaryDirectory("home");
      chmodSync(directory, 0o500);
      const result = await tryToStart(["--home", join(directory, "inside")]);
      expect(result.code).toBe(1);
      expect(sentence(result.stderr)).toContain("Choose another directory with --home");
    },
  );

  it("[S5] a home that is a file: exit 1 and what to do", async () => {
    const path = join(temporaryDirectory("home"), "file");
    writeFileSync(path, "");
    const result = await tryToStart(["--home", path]);
    expect(result.code).toBe(1);
    expect(sentence(result.stderr)).toContain("Choose another directory with --home");
  });

  it("[S6] home is 0700, the token file 0600 and the same on the next start", async () => {
    const home = join(temporaryDirectory("home"), "home");
    const args = ["--home", home];
    let token = "";
    {
      await using first = await startServer({ args });
      token = first.token;
      expect(statSync(home).mode & 0o777).toBe(0o700);
      expect(statSync(join(home, "token")).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(home, "token"), "utf8").trim()).toBe(token);
      const second = await tryToStart(args);
      expect(second.code).toBe(1);
      expect(sentence(second.stderr)).toContain(
        "Another Patchbay is already running with the home directory",
      );
    }
    await using next = await startServer({ args });
    expect(next.token).toBe(token);
  });

  it("[S7] flag beats environment beats config file", async () => {
    const elsewhere = temporaryDirectory("home");
    mkdirSync(join(elsewhere, "flag"));
    await using server = await startServer({
      env: {
        PATCHBAY_HOME: join(elsewhere, "environment"),
        PATCHBAY_TOKEN: "token-of-the-environment-that-is-long-enough",
      },
      args: ["--home", join(elsewhere, "flag")],
    });
    expect(server.token).toBe("token-of-the-environment-that-is-long-enough");
    expect(statSync(join(elsewhere, "flag")).isDirectory()).toBe(true);
    expect(() => statSync(join(elsewhere, "environment"))).toThrow();
  });

  it("[S8] a second signal ends at once", async () => {
    await using server = await startServer({
      config: {
        default_worker: "s",
        workers: { s: { command: [process.execPath, join(repository, "testing/workers/stubborn.mjs")] } },
      },
    });
    await server.call("POST", "/api/sessions", {});
    server.process.kill("SIGTERM");
    server.process.kill("SIGINT");
    expect((await server.exited).code).toBe(1);
  });

  it("[S11] V8 takes the code that was compiled at build time, and without it the server starts too", async () => {
    const dist = join(repository, "dist/server");
    const [bundle = "", ...others] = readdirSync(dist).filter((name) => name.endsWith(".cjs"));
    expect(others).toEqual([]);
    const script = `const { runBundle } = await import(${JSON.stringify(join(dist, "load-bundle.mjs"))});
      process.argv.splice(1, 0, "patchbay");
      const file = ${JSON.stringify(join(dist, bundle))};
      console.log(runBundle(file, process.env.CODE).cachedDataRejected);`;
    const run = (code: string): string =>
      spawnSync(
        process.execPath,
        ["--min-semi-space-size=4", "--input-type=module", "-e", script, "--", "--no-such-flag"],
        { env: { PATH: process.env["PATH"] ?? "", CODE: code }, encoding: "utf8" },
      ).stdout;
    expect(run(join(dist, bundle.replace(".cjs", ".code")))).toBe("false\n");
    expect(run(join(dist, "absent.code"))).toBe("undefined\n");
  });

  it.runIf(process.platform === "linux")("[S9] a server that nobody uses sleeps", async () => {
    await using server = await startServer({ config: { limits: { worker_pool: 0 } } });
    const wakeUps = (): number => {
      const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
      return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]);
    };
    // What a start leaves to be done takes a moment.
    await expect
      .poll(
        async () => {
          const before = wakeUps();
          await delay(1_000);
          return wakeUps() - before;
        },
        { timeout: 20_000 },
      )
      .toBeLessThan(20);
  });
});
