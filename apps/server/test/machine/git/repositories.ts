// Directories and real git repositories for tests, gone when a test ends.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { afterEach } from "vitest";
import { Git } from "../../../src/machine/git/run-git.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

export type Files = Record<string, string | Buffer>;

export function directory(files: Files = {}): string {
  const root = temporaryDirectory("git");
  made.push(root);
  write(root, files);
  return root;
}

export function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** The real git, as a person would run it. */
export function git(cwd: string, ...args: string[]): string {
  const who = [
    "-c",
    "user.name=Anna",
    "-c",
    "user.email=anna@example.com",
    "-c",
    "protocol.file.allow=always",
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...who, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20_000,
  });
}

export function commitAll(root: string): void {
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "commit");
}

export function repository(files: Files, ...how: string[]): string {
  const root = directory(files);
  git(root, "init", "-q", "-b", "main", ...how);
  commitAll(root);
  return root;
}

export const runner = (limitMs = 30_000): Git => new Git({ path: process.env["PATH"], limitMs });
