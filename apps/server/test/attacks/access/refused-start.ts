// A start that must fail: what the server says instead.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { expect } from "vitest";

/** The one sentence on stderr. Fails when the server starts all the same. */
export async function refusedStart(
  args: string[],
  config: object = {},
  env: Record<string, string> = {},
): Promise<string> {
  const home = temporaryDirectory("network");
  const path = join(home, "config.json");
  writeFileSync(path, JSON.stringify(config));
  const child = spawn(
    process.execPath,
    [join(repository, "dist/server/main.js"), "--port", "0", "--config", path, ...args],
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, CI: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    child.kill(); // it listens, which is the failure
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trim().split("\n")).toHaveLength(1); // one sentence, and no stack
  return stderr;
}
