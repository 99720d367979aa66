// What a visitor of a share link may see of a transcript. Everything here is built from fields that are known to be safe; nothing is copied
// whole, so that a field that workers write one day is left out until it is added here.
import { noUsage, type Usage } from "../costs/usage.ts";
import type {
  ContentBlock,
  Message,
  PersonCommand,
  ResultContent,
  ToolResultBlock,
} from "../events/message.ts";
import type { Mark, PartialTurn, Transcript } from "../transcript/transcript.ts";
import { nameScrub, pathScrub, type Scrub } from "./scrub.ts";
import type { Hideable, SharedSession } from "./share.ts";

export interface RedactTerms {
  hidden: readonly Hideable[];
  /** Of the people of the server; authors in the transcript are found there. */
  names: readonly string[];
  cwd: string;
}

type Redacted = Pick<SharedSession, "messages" | "marks" | "usage" | "working">;

type Read = Pick<Transcript, "messages" | "marks" | "partial" | "usage">;

/**
 * Never in it: other branches, what extensions and controls show, questions to people and their answers, notices, what workers wrote to
 * stderr, errors, ids, and details of results but a diff. What an agent wrote in its answers stays, but for paths and names that are hidden.
 */
export function redact(transcript: Read, { hidden, names, cwd }: RedactTerms): Redacted {
  const hides = new Set(hidden);
  const messages = withPartial(transcript);
  const scrubPaths = hides.has("paths") ? pathScrub(pathsIn(messages), cwd) : same;
  const scrubNames = hides.has("names") ? nameScrub([...names, ...authorsIn(messages)]) : same;
  const redactor = new Redactor(hides, (text) => scrubNames(scrubPaths(text)));
  return {
    messages: messages.map((message) => redactor.message(message)),
    marks: transcript.marks.flatMap((mark) => redactor.mark(mark)),
    usage: hides.has("costs") ? null : redactor.usage(transcript.usage),
    working: transcript.partial !== null,
  };
}

/** Paths and names in a short text, the name of the session. */
export function redactText(text: string, { hidden, names, cwd }: RedactTerms): string {
  const paths = hidden.includes("paths") ? pathScrub([], cwd) : same;
  const people = hidden.includes("names") ? nameScrub(names) : same;
  return people(paths(text));
}

/** What a summary of the context may repeat in other words. */
const summarised: readonly Hideable[] = ["tool_output", "thinking", "paths"];

/** Arguments that lie deeper are left out. */
const maxDepth = 32;

const same: Scrub = (text) => text;

class Redactor {
  readonly #hides: ReadonlySet<Hideable>;
  readonly #scrub: Scrub;
  readonly #ids = new Map<string, string>();

  constructor(hides: ReadonlySet<Hideable>, scrub: Scrub) {
    this.#hides = hides;
    this.#scrub = scrub;
  }

  message({ role, content, time, bash, by, steering }: Message): Message {
    return {
      role,
      content:
        bash === undefined ? content.flatMap((block) => this.#block(block)) : this.#commandContent(content),
      time: plainTime(time),
      ...(by === undefined || this.#hides.has("names") ? {} : { by: { label: by.label } }),
      ...(bash === undefined ? {} : { bash: this.#command(bash) }),
      ...(steering === true ? { steering } : {}),
    };
  }

  mark(mark: Mark): Mark[] {
    const { at } = mark;
    switch (mark.kind) {
      case "turn": {
        const { stop, calls, usage, duration_ms } = mark;
        const shown = this.#hides.has("costs") ? noUsage : this.usage(usage);
        const took = duration_ms === undefined ? {} : { duration_ms };
        return [{ kind: "turn", at, stop, error: null, calls, usage: shown, ...took }];
      }
      case "compaction": {
        const isSafe = !summarised.some((each) => this.#hides.has(each));
        return [
          { kind: "compaction", at, summary: isSafe ? this.#scrub(mark.summary) : "", kept: mark.kept },
        ];
      }
      case "unkept":
      case "error":
      case "notice":
      case "question":
      case "retry":
      case "worker_exit":
        return [];
    }
  }

  usage({ input, output, cache_read, cache_write, cost_usd, unpriced, estimated }: Usage): Usage {
    return {
      ...{ input, output, cache_read, cache_write, cost_usd },
      ...(unpriced === undefined ? {} : { unpriced }),
      ...(estimated === undefined ? {} : { estimated }),
    };
  }

  #block(block: ContentBlock): ContentBlock[] {
    switch (block.type) {
      case "text":
        return this.#text(block.text, block.mention);
      case "thinking": {
        if (this.#hides.has("thinking")) return [];
        const took = block.duration_ms === undefined ? {} : { duration_ms: block.duration_ms };
        return [{ type: "thinking", text: this.#scrub(block.text), ...took }];
      }
      case "image":
        return block.mention === undefined || this.#showsOutput ? this.#image(block) : [];
      case "tool_call": {
        const args = this.#hides.has("paths") ? {} : this.#value(block.args);
        return [{ type: "tool_call", id: this.#id(block.id), name: this.#scrub(block.name), args }];
      }
      case "tool_result":
        return [this.#result(block)];
    }
  }

  /** `mention`: what a prompt names, a file's content say. It counts as a tool's output. */
  #text(text: string, mention: string | undefined): ContentBlock[] {
    if (mention === undefined) return [{ type: "text", text: this.#scrub(text) }];
    if (this.#hides.has("paths")) return [];
    const shown = this.#showsOutput ? this.#scrub(text) : "";
    return [{ type: "text", text: shown, mention: this.#scrub(mention) }];
  }

  #result({ call_id, is_error, content, duration_ms, details }: ToolResultBlock): ToolResultBlock {
    const diff = this.#showsOutput ? details?.["diff"] : undefined;
    return {
      type: "tool_result",
      call_id: this.#id(call_id),
      is_error,
      content: this.#showsOutput ? content.flatMap((part) => this.#output(part)) : [],
      ...(duration_ms === undefined ? {} : { duration_ms }),
      ...(typeof diff === "string" ? { details: { diff: this.#scrub(diff) } } : {}),
    };
  }

  #output(part: ResultContent): ResultContent[] {
    return part.type === "text" ? [{ type: "text", text: this.#scrub(part.text) }] : this.#image(part);
  }

  /** No text can be taken out of an image. */
  #image({ mime_type, bytes, data }: { mime_type: string; bytes: number; data?: string | undefined }) {
    const isKnown = /^image\/(?:png|jpeg|gif|webp)$/u.test(mime_type);
    const isShown = data !== undefined && isKnown && !this.#hides.has("paths") && !this.#hides.has("names");
    const type = isKnown ? mime_type : "image";
    return [{ type: "image" as const, mime_type: type, bytes, ...(isShown ? { data } : {}) }];
  }

  #command({ id, command, exit_code, cancelled, truncated }: PersonCommand): PersonCommand {
    const shown = this.#hides.has("paths") ? "[hidden]" : this.#scrub(command);
    return { id: this.#id(id), command: shown, exit_code, cancelled, truncated };
  }

  /** What it was, what it wrote, how it ended: the model's text of a person's command. */
  #commandContent(content: readonly ContentBlock[]): ContentBlock[] {
    if (!this.#showsOutput) return [];
    return content.flatMap((block) => (block.type === "text" ? this.#text(block.text, undefined) : []));
  }

  get #showsOutput(): boolean {
    return !this.#hides.has("tool_output") && !this.#hides.has("paths");
  }

  /** Arguments are any JSON; names of fields may be names of people, too. */
  #value(value: unknown, depth = 0): unknown {
    if (depth > maxDepth) return null;
    if (typeof value === "string") return this.#scrub(value);
    if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => this.#value(each, depth + 1));
    if (typeof value !== "object") return null;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [this.#scrub(name), this.#value(field, depth + 1)]),
    );
  }

  /** Ids are whatever workers and providers make them. */
  #id(id: string): string {
    const known = this.#ids.get(id) ?? `c${this.#ids.size + 1}`;
    this.#ids.set(id, known);
    return known;
  }
}

/** In UTC: an offset says where somebody is. */
function plainTime(time: string): string {
  const read = Date.parse(time);
  return Number.isNaN(read) ? "" : new Date(read).toISOString();
}

/** The answer under way, as the messages that it becomes. */
function withPartial({ messages, partial }: Read): readonly Message[] {
  return partial === null ? messages : [...messages, ...partialMessages(partial)];
}

function partialMessages({ content, tools, time }: PartialTurn): Message[] {
  const runs = new Map(tools.map((run) => [run.id, run]));
  const answer = content.map((block) =>
    block.type === "tool_call" ? { ...block, args: runs.get(block.id)?.args ?? {} } : block,
  );
  const results = tools.flatMap((run): ToolResultBlock[] => {
    const shown: ResultContent[] =
      run.result ?? (run.output === "" ? [] : [{ type: "text", text: run.output }]);
    if (shown.length === 0 && run.state !== "done") return [];
    const took = run.duration_ms === undefined ? {} : { duration_ms: run.duration_ms };
    const details = run.details === undefined ? {} : { details: run.details };
    return [
      {
        type: "tool_result",
        call_id: run.id,
        is_error: run.is_error ?? false,
        content: shown,
        ...took,
        ...details,
      },
    ];
  });
  return [
    ...(answer.length === 0 ? [] : [{ role: "assistant" as const, content: answer, time }]),
    ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results, time }]),
  ];
}

const authorsIn = (messages: readonly Message[]): string[] => [
  ...new Set(messages.flatMap(({ by }) => (by === undefined ? [] : [by.label]))),
];

const namesPath = /path|file|dir|cwd|notebook|folder/iu;

/** The paths that tools were given and that prompts name. */
function* pathsIn(messages: readonly Message[]): Generator<string> {
  for (const { content, bash } of messages) {
    if (bash?.full_output_path !== undefined) yield bash.full_output_path;
    for (const block of content) {
      if (block.type === "tool_call") yield* pathsOf(block.args);
      else if (block.type === "tool_result") yield* pathsOf(block.details);
      else if (block.type !== "thinking" && block.mention !== undefined) yield block.mention;
    }
  }
}

function* pathsOf(value: unknown, isPath = false, depth = 0): Generator<string> {
  if (depth > maxDepth) return;
  if (typeof value === "string") {
    if (isPath) yield value;
  } else if (Array.isArray(value)) for (const each of value) yield* pathsOf(each, isPath, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [name, field] of Object.entries(value)) yield* pathsOf(field, namesPath.test(name), depth + 1);
}
