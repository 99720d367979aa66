// Agents that need a newer Node than the server's: where one is found, and what is said if there is none.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAtLeast, NodeRuntimes } from "../../../src/machine/profiles/node-runtimes.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-nodes-"));
  executable("bin/agent", "#!/usr/bin/env node\n");
  symlinkSync(process.execPath, join(home, "bin/node"));
});
afterEach(() => rmSync(home, { recursive: true }));

function executable(path: string, text: string): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

const runtimes = () => new NodeRuntimes({ HOME: home, PATH: join(home, "bin") });
const environmentFor = (atLeast: string) =>
  runtimes().environmentFor("agent", atLeast, { PATH: join(home, "bin") });

it.each([
  ["22.19.0", "22.19", true],
  ["24.0.0", "22.19", true],
  ["22.9.1", "22.19", false],
  ["20.19.5", "22", false],
])("[K26] %s is at least %s: %s", (version, atLeast, expected) => {
  expect(isAtLeast(version, atLeast)).toBe(expected);
});

it("[K26] a Node in PATH that is new enough changes nothing", () => {
  expect(runtimes().problemWith("agent", "agent", "20")).toBeUndefined();
  expect(environmentFor("20")).toEqual({ PATH: join(home, "bin") });
});

it.each([
  ".nvm/versions/node/v99.1.0/bin",
  ".local/share/fnm/node-versions/v99.1.0/installation/bin",
  ".volta/tools/image/node/99.1.0/bin",
])("[K26] a newer Node is found in %s, and is the first in the agent's PATH", (directory) => {
  expect(runtimes().problemWith("agent", "agent", "99")).toBe(
    `agent needs Node 99 or newer, and there is none in PATH or in the directories of nvm, fnm and Volta (the server runs on Node ${process.versions.node}). Install a newer Node, then refresh.`,
  );
  executable(`${directory}/node`, "#!/bin/sh\necho v99.1.0\n");
  expect(runtimes().problemWith("agent", "agent", "99")).toBeUndefined();
  expect(environmentFor("99")).toEqual({ PATH: `${join(home, directory)}:${join(home, "bin")}` });
});

it("[K26] a program that is no Node script needs no Node", () => {
  executable("bin/agent", "\u007fELF");
  expect(runtimes().problemWith("agent", "agent", "99")).toBeUndefined();
  expect(environmentFor("99")).toEqual({ PATH: join(home, "bin") });
});

it("[K26] an installed version that says which Node it needs is believed", () => {
  const engines = (node: string) =>
    writeFileSync(join(home, "package.json"), JSON.stringify({ engines: { node } }));
  engines(">=20.6.0");
  expect(runtimes().problemWith("agent", "agent", "99")).toBeUndefined();
  engines(">=98.1");
  expect(runtimes().problemWith("agent", "agent", "20")).toContain("agent needs Node 98.1 or newer");
  writeFileSync(join(home, "package.json"), "{");
  expect(runtimes().problemWith("agent", "agent", "99")).toContain("agent needs Node 99 or newer");
});
