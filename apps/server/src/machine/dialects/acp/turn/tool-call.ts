// A tool call of an ACP agent. The agent sends it in updates, each of which replaces the fields that it has. This class reads
// from them what our frames need: a name, arguments, growing text, and a diff.
import type { ResultContent, ResultDetails } from "@patchbay/protocol";
import { formatPatch, structuredPatch } from "diff";
import * as z from "zod/mini";
import { TerminalOutput } from "./terminal-output.ts";

const Text = z.looseObject({ type: z.literal("text"), text: z.string() });
const Image = z.looseObject({ type: z.literal("image"), mimeType: z.string(), data: z.string() });
const Link = z.looseObject({ type: z.literal("resource_link"), uri: z.string() });
const Resource = z.looseObject({
  type: z.literal("resource"),
  resource: z.looseObject({ uri: z.string(), text: z.optional(z.string()) }),
});
const Content = z.looseObject({
  type: z.literal("content"),
  content: z.discriminatedUnion("type", [Text, Image, Link, Resource]),
});
const Diff = z.looseObject({
  type: z.literal("diff"),
  path: z.string(),
  oldText: z.nullish(z.string()),
  newText: z.string(),
});
const Terminal = z.looseObject({ type: z.literal("terminal"), terminalId: z.string() });
const Part = z.discriminatedUnion("type", [Content, Diff, Terminal]);
type Part = z.infer<typeof Part>;

/** What a terminal of the agent's own has written since the last update (codex, claude). */
const Written = z.optional(z.catch(z.looseObject({ data: z.string() }), { data: "" }));
const OwnTerminal = z.looseObject({ terminal_output: Written, terminal_output_delta: Written });

/** One update; absent fields keep their value. */
export const ToolCallUpdate = z.looseObject({
  toolCallId: z.string(),
  title: z.nullish(z.string()),
  name: z.nullish(z.string()),
  kind: z.nullish(z.string()),
  status: z.nullish(z.string()),
  content: z.nullish(z.array(z.unknown())),
  locations: z.nullish(z.array(z.looseObject({ path: z.string(), line: z.nullish(z.number()) }))),
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
  _meta: z.nullish(z.unknown()),
});
export type ToolCallUpdate = z.infer<typeof ToolCallUpdate>;

/** Finding the smallest diff of two very different texts takes quadratic time. */
const maxEditLength = 5_000;
/** A page shows some thousand lines at most. */
const maxDiffChars = 256 * 1024;

export class AcpToolCall {
  readonly id: string;
  #fields: ToolCallUpdate;
  #parts: Part[] = [];
  #shown = "";
  /** Of terminals of the agent's own. */
  readonly #ownOutput = new TerminalOutput();
  readonly #startedAt = performance.now();
  /** How long a person was asked about it, which is no time of its own. */
  waitedMs = 0;
  /** The frame `tool_call` was emitted. */
  isAnnounced = false;
  isOver = false;
  /** A person has refused it. Some agents send no further update then. */
  isRefused = false;

  /** The agent puts texts in fences, and before them the description of a command (claude). */
  readonly #wrapsOutput: boolean;

  constructor(first: ToolCallUpdate, wrapsOutput = false) {
    this.id = first.toolCallId;
    this.#wrapsOutput = wrapsOutput;
    this.#fields = first;
    this.update(first);
  }

  update(update: ToolCallUpdate): void {
    const given = Object.fromEntries(
      Object.entries(update).filter(([, value]) => value !== undefined && value !== null),
    );
    this.#fields = { ...this.#fields, ...given };
    if (Array.isArray(update.content))
      this.#parts = update.content.flatMap((part) => Part.safeParse(part).data ?? []);
    const written = OwnTerminal.safeParse(update._meta).data;
    this.#ownOutput.append((written?.terminal_output ?? written?.terminal_output_delta)?.data ?? "");
  }

  /** Its arguments are complete. Some agents send a call while the model still writes them. */
  get isReady(): boolean {
    const { status, kind, rawInput } = this.#fields;
    if (status !== "pending") return true;
    if (kind === "execute") return Command.safeParse(rawInput).success;
    return typeof rawInput === "object" && rawInput !== null && Object.keys(rawInput).length > 0;
  }

  get hasEnded(): boolean {
    return this.#fields.status === "completed" || this.#fields.status === "failed";
  }

  get failed(): boolean {
    return this.#fields.status === "failed";
  }

  get durationMs(): number {
    return Math.max(0, Math.round(performance.now() - this.#startedAt - this.waitedMs));
  }

  get title(): string {
    return this.#fields.title ?? this.name;
  }

  /** A shell command is always named `bash`, whatever the agent calls the tool, so that pages show it as a command. */
  get name(): string {
    const { name, kind, title, rawInput } = this.#fields;
    if (kind === "execute" && Command.safeParse(rawInput).success) return "bash";
    return name ?? title ?? kind ?? "tool";
  }

  get args(): unknown {
    const { rawInput, title, locations } = this.#fields;
    if (typeof rawInput === "object" && rawInput !== null) return rawInput;
    const [first] = locations ?? [];
    return {
      ...(typeof title === "string" ? { title } : {}),
      ...(first === undefined ? {} : { path: first.path }),
    };
  }

  get diff(): string | undefined {
    const diff = this.details["diff"];
    return typeof diff === "string" ? diff : undefined;
  }

  get details(): ResultDetails {
    const changes = this.#parts.flatMap((part) => (part.type === "diff" ? [diffDetails(part)] : []));
    const [first] = changes;
    const { locations, title } = this.#fields;
    return {
      ...first,
      ...(changes.length > 1 ? { changes } : {}),
      ...(Array.isArray(locations) ? { locations } : {}),
      ...(typeof title === "string" ? { title } : {}),
      ...(this.isRefused ? { denied: true } : {}),
    };
  }

  /** Returns the text that was added since the last call. */
  progress(terminal: (id: string) => string): string {
    const text = this.#text(terminal);
    if (!text.startsWith(this.#shown)) return "";
    const added = text.slice(this.#shown.length);
    this.#shown = text;
    return added;
  }

  shows(terminal: string): boolean {
    return this.#parts.some((part) => part.type === "terminal" && part.terminalId === terminal);
  }

  result(terminal: (id: string) => string): ResultContent[] {
    const images = this.#parts.flatMap((part): ResultContent[] =>
      part.type === "content" && part.content.type === "image" ? [imageBlock(part.content)] : [],
    );
    const refusal = this.isRefused ? "The user denied this." : "";
    const text = this.#text(terminal) || rawText(this.#fields.rawOutput) || refusal;
    return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images];
  }

  #text(terminal: (id: string) => string): string {
    return this.#texts(terminal)
      .concat(this.#ownOutput.text)
      .filter((text) => text !== "")
      .join("\n");
  }

  /** The description is among the arguments already. */
  #unwrapped(text: string): string {
    const { description } = Described.safeParse(this.#fields.rawInput).data ?? {};
    return text === description ? "" : withoutFence(text);
  }

  #texts(terminal: (id: string) => string): string[] {
    return this.#parts.map((part) => {
      if (part.type === "terminal") return terminal(part.terminalId);
      if (part.type === "diff") return `${part.path}: changed`;
      const { content } = part;
      if (content.type === "text") return this.#wrapsOutput ? this.#unwrapped(content.text) : content.text;
      if (content.type === "resource_link") return content.uri;
      return content.type === "resource" ? (content.resource.text ?? content.resource.uri) : "";
    });
  }
}

const Command = z.looseObject({ command: z.string() });

function imageBlock({ mimeType, data }: z.infer<typeof Image>): ResultContent {
  return { type: "image", mime_type: mimeType, bytes: Buffer.byteLength(data, "base64"), data };
}

const Described = z.looseObject({ description: z.string() });

/** The text in a fence that begins with its first line and ends with its last. */
function withoutFence(text: string): string {
  const [, fence, inner = ""] = /^(`{3,})\w*\n([^]*)\n\1$/.exec(text) ?? [];
  // What has such a fence inside is Markdown of its own.
  return fence === undefined || `\n${inner}`.includes(`\n${fence}`) ? text : inner;
}

const rawText = (raw: unknown): string =>
  raw === undefined || raw === null ? "" : typeof raw === "string" ? raw : JSON.stringify(raw, null, 2);

function diffDetails({ path, oldText, newText }: z.infer<typeof Diff>): ResultDetails {
  const from = typeof oldText === "string" ? `a/${path}` : "/dev/null";
  const patch = structuredPatch(from, `b/${path}`, oldText ?? "", newText, "", "", {
    context: 3,
    maxEditLength,
  });
  if (patch === undefined) return { path };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const diff = formatPatch(patch).replace(/^=+\n/, "");
  return {
    path,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    ...(diff.length > maxDiffChars ? {} : { diff }),
  };
}
