// The extension protocol's schemas: what zot's and our own documents write is accepted, and docs/extensions.md
// has every frame and field of them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  ExtensionFrame,
  ExtensionManifest,
  extensionEventNames,
  extensionTimeouts,
  HostFrame,
  UiRequest,
} from "@patchbay/protocol/extension";
import { describe, expect, it } from "vitest";

const guide = readFileSync(fileURLToPath(new URL("../../../../docs/extensions.md", import.meta.url)), "utf8");
const rows = (heading: string): string => (guide.split(`## ${heading}`)[1] ?? "").split("\n## ")[0] ?? "";

interface Option {
  shape: Record<string, unknown> & { type: { def: { values: unknown[] } } };
}
/** Frame types with their fields, as the schemas have them. */
const fields = (options: readonly Option[]): [string, string[]][] =>
  options.map(({ shape }) => [
    String(shape.type.def.values[0]),
    Object.keys(shape).filter((field) => field !== "type"),
  ]);

const row = (table: string, name: string): string =>
  table.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";

describe("docs/extensions.md", () => {
  it("[E61] has every frame of an extension with its fields", () => {
    const table = rows("The frames it says");
    for (const [type, names] of fields(ExtensionFrame.def.options)) {
      expect(row(table, type), type).not.toBe("");
      if (type === "ui_request") continue; // its fields depend on the method: below
      expect(names.filter((name) => !row(table, type).includes(`\`${name}`))).toEqual([]);
    }
  });

  it("[E61] has every frame of the host with its fields", () => {
    const table = rows("The frames it hears");
    for (const [type, names] of fields(HostFrame.def.options)) {
      expect(row(table, type), type).not.toBe("");
      if (type === "event" || type === "event_intercept") continue; // below
      expect(names.filter((name) => !row(table, type).includes(`\`${name}`))).toEqual([]);
    }
    const events = rows("Events and interceptions");
    for (const name of extensionEventNames) expect(row(events, name), name).not.toBe("");
    for (const field of ["step", "text", "tool_id", "tool_name", "tool_args", "stop", "error"]) {
      expect(events).toContain(`\`${field}`);
    }
  });

  it("[E61] has every method and field of ui_request, every field of the manifest, and the times", () => {
    const questions = rows("Questions and statuses");
    for (const method of UiRequest.shape.method.def.entries
      ? Object.keys(UiRequest.shape.method.def.entries)
      : []) {
      expect(row(questions, method), method).not.toBe("");
    }
    const known = Object.keys(UiRequest.shape).filter((field) => field !== "type" && field !== "method");
    expect(known.filter((field) => !questions.includes(`\`${field}`))).toEqual([]);
    const manifest = rows("The manifest");
    expect(
      Object.keys(ExtensionManifest.shape).filter((field) => !manifest.includes(`\`${field}\``)),
    ).toEqual([]);
    for (const [name, ms] of Object.entries(extensionTimeouts))
      expect(manifest).toContain(`\`${name}\` (${ms})`);
  });
});

describe("frames", () => {
  it.each([
    '{"type":"hello","name":"weather","version":"1.0.0","capabilities":["commands"]}',
    '{"type":"register_command","name":"weather","description":"current weather for a city"}',
    `{"type":"command_response","id":"1","action":"prompt","prompt":"Show today's weather for Berlin in one line."}`,
    '{"type":"notify","level":"info","message":"refreshed cache (12 entries)"}',
    '{"type":"tool_result","id":"1","content":null}',
    '{"type":"register_tool","name":"x","schema":{"type":"object"},"namespace":"later","exposure":"versions"}',
    '{"type":"command_response","id":"1","action":"","open_panel":null}',
    '{"type":"shutdown_ack"}',
  ])("[E11] %s is accepted", (line) => {
    expect(ExtensionFrame.safeParse(JSON.parse(line)).success).toBe(true);
  });

  it.each([
    '{"type":"hello","name":""}',
    '{"type":"register_command","name":"two words"}',
    '{"type":"command_response","id":1,"action":"prompt"}',
    '{"type":"tool_result","content":[]}',
    '{"type":"ui_request","method":"dance"}',
  ])("[E30] %s is refused", (line) => {
    expect(ExtensionFrame.safeParse(JSON.parse(line)).success).toBe(false);
  });

  it("[E11] what the host says is valid by its own schemas", () => {
    const ack =
      '{"type":"hello_ack","protocol_version":1,"zot_version":"0.0.7","provider":"anthropic","model":"claude-opus-4-7","cwd":"/Users/pat/Developer/zot"}';
    const invoked = '{"type":"command_invoked","id":"1","name":"weather","args":"berlin"}';
    for (const line of [ack, invoked]) expect(HostFrame.safeParse(JSON.parse(line)).success).toBe(true);
  });
});
