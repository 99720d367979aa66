// The tools of an MCP server as tools of the agent, named `mcp__server__tool`.
import { createHash } from "node:crypto";
import type { Progress, Tool as ToolDefinition } from "@modelcontextprotocol/client";
import type { Tool, ToolContext, ToolOutcome } from "../tools/tool.ts";
import { toOutcome } from "./results.ts";
import type { McpServer } from "./server.ts";

/** Providers refuse longer names, and other characters. */
const maxName = 64;
/** Descriptions go with every model call. */
const maxDescription = 4_096;
/** Live progress is bounded; a person does not read more than this. */
const maxProgressChars = 64 * 1024;

export function toolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, "_");
  if (name.length <= maxName) return name;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, maxName - 9)}_${mark}`;
}

export function serverTools(server: McpServer): Tool[] {
  return server.tools.map((definition) => {
    const { $schema: _dialect, ...parameters } = definition.inputSchema;
    return {
      name: toolName(server.spec.name, definition.name),
      description: (definition.description ?? definition.title ?? definition.name).slice(0, maxDescription),
      parameters,
      run: (args, context) => call(server, definition, args, context),
    };
  });
}

async function call(
  server: McpServer,
  definition: ToolDefinition,
  args: unknown,
  { signal, progress }: ToolContext,
): Promise<ToolOutcome> {
  const client = await unlessAborted(server.client(), signal);
  let shown = 0;
  const onprogress = (update: Progress): void => {
    if (shown > maxProgressChars || signal.aborted) return;
    const line = `${progressText(update)}\n`;
    shown += line.length;
    void progress(shown > maxProgressChars ? "[more progress is not shown]\n" : line);
  };
  try {
    const result = await client.callTool(
      { name: definition.name, arguments: isRecord(args) ? args : {} },
      { signal, timeout: server.spec.callMs, resetTimeoutOnProgress: true, onprogress },
    );
    return toOutcome(result);
  } catch (error) {
    if (signal.aborted) throw new Error("aborted", { cause: error });
    throw new Error(await server.explain(error), { cause: error });
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function progressText({ message, progress, total }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined ? amount : `${message} (${amount})`;
}

/** A start is shared, so an abort leaves it alone and only stops waiting. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        const stop = (): void => reject(new Error("aborted"));
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true, signal: over.signal });
      }),
    ]);
  } finally {
    over.abort();
  }
}
