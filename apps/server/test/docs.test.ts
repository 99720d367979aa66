// The documents say what the code does: names in the code that a program may rely on are in docs/api.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  errorTable,
  ServerEvent,
  ServerLine,
  SessionInfo,
  ViewerCommand,
  WorkerEvent,
} from "@patchbay/protocol";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { Limits } from "../src/config/config-file.ts";

const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const api = read("docs/api.md");
const names = (options: readonly { shape: { type: { def: { values: unknown[] } } } }[]): string[] =>
  options.flatMap((option) => option.shape.type.def.values.map(String));

describe("docs/api.md", () => {
  it("[D1] has every error with its status and close code", () => {
    for (const [code, kind] of Object.entries(errorTable)) {
      const close = "close" in kind ? ` ${kind.close} ` : " ";
      expect(api).toContain(`| \`${code}\` | ${kind.status} |${close}|`);
    }
  });

  it("[D2] has every command, event and line", () => {
    const all = [
      ...names(ViewerCommand.def.options),
      ...names(WorkerEvent.def.options),
      ...names(ServerEvent.def.options),
      ...names(ServerLine.def.options),
    ];
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter((name) => !api.includes(`\`${name}\``))).toEqual([]);
  });

  it("[D3] has every call that the server answers", () => {
    const folder = "apps/server/src/http";
    const sources = readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(`${folder}/${name}`));
    const routes = sources.join("\n").matchAll(/app\.(get|post|patch|delete)\("([^"]+)"/g);
    const calls = [...routes].map(([, method, path]) => `${String(method).toUpperCase()} ${String(path)}`);
    expect(calls.length).toBeGreaterThanOrEqual(11);
    expect(calls.filter((call) => call !== "GET /*" && !api.includes(`\`${call}`))).toEqual([]);
  });

  it("[D4] has every field of a session", () => {
    expect(Object.keys(SessionInfo.shape).filter((field) => !api.includes(field))).toEqual([]);
  });
});

describe("docs/operations.md", () => {
  it("[D5] has every limit with its default", () => {
    const operations = read("docs/operations.md");
    const defaults: Record<string, number | undefined> = Limits.parse({});
    for (const name of Object.keys(Limits.shape)) {
      const value = defaults[name];
      const fixed = name.endsWith("_bytes") ? `${(value ?? 0) / 1024 / 1024} MiB` : String(value);
      const shown = value === undefined ? "`limits\\.\\w+`" : fixed; // as many as another one
      expect(operations).toMatch(new RegExp(`\`limits.${name}\`.*\\| ${shown} \\|`));
    }
  });
});
