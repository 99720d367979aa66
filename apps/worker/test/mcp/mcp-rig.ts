// A worker with MCP servers in its person's own config, and the servers of the tests by name.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnyFrame } from "@patchbay/testing/worker-client";
import { putFile } from "../context/put-file.ts";
import { dig, type Rig, startRig } from "../rig.ts";

const servers = join(dirname(fileURLToPath(import.meta.url)), "../../../../testing/mcp-servers");

export const stdioServer = (...args: string[]) => ({
  command: process.execPath,
  args: [join(servers, "stdio.mjs"), ...args],
});

export const rudeServer = (how: "silent" | "endless" | "flood") => ({
  command: process.execPath,
  args: [join(servers, "rude.mjs"), how],
});

type Servers = Readonly<Record<string, unknown>>;

export const configOf = (mcpServers: Servers): string => JSON.stringify({ mcpServers });

interface Options {
  args?: string[];
  env?: Record<string, string>;
  /** Configured by the person; a function where it needs to know the places. */
  own?: Servers | ((places: { directory: string; home: string }) => Servers);
  /** Configured by the project, in `.mcp.json`. */
  project?: Servers;
}

/** Its worker is ended politely: a rude server outlives one that is killed. */
export async function startMcpRig({ args = [], own, project, ...options }: Options): Promise<Rig> {
  const rig = await startRig({
    ...options,
    args: ["--on-eof", "abort", ...args],
    async prepare(places) {
      const mine = typeof own === "function" ? own(places) : own;
      if (mine) await putFile(places.home, ".patchbay/mcp.json", configOf(mine));
      if (project) await putFile(places.directory, ".mcp.json", configOf(project));
    },
  });
  return {
    ...rig,
    async [Symbol.asyncDispose]() {
      rig.worker.closeInput();
      await rig.worker.exit;
      await rig[Symbol.asyncDispose]();
    },
  };
}

/** So many frames of this type, whenever they came. */
export async function seen({ worker }: Rig, type: string, count = 1): Promise<AnyFrame[]> {
  const found: AnyFrame[] = [];
  for (let from = 0; found.length < count; ) {
    const frame = await worker.first(type, from);
    found.push(frame);
    from = worker.frames.indexOf(frame) + 1;
  }
  return found;
}

/** A machine under load may take longer than the worker waits: then its tools join, and that is said. */
export async function ready(rig: Rig, ...servers: string[]): Promise<Rig> {
  for (let changes = 0; ; changes++) {
    const listed = dig(await rig.worker.ask({ type: "get_commands" }), "data", "commands");
    const names = Array.isArray(listed) ? listed.map((command) => dig(command, "name")) : [];
    if (servers.every((server) => names.includes(`mcp__${server}__greet`))) return rig;
    await seen(rig, "commands_changed", changes + 1);
  }
}

/** The tools that the model was offered last, of MCP servers only. */
export const mcpTools = (rig: Rig): string[] =>
  (rig.model.requests.at(-1)?.tools ?? []).filter((name) => name.startsWith("mcp__"));
