// The conversation with one pi or omp: every line of the program to whoever understands it, every command of ours to
// whoever carries it out. Unknown frames are passed on when they can mean nothing to us, and dropped otherwise.
import { foreignBounds, readFrameValue, readJson, UiRequestEvent } from "@patchbay/protocol";
import type * as z from "zod/mini";
import type { DialectHost, Translation, WorkerBound } from "../dialect.ts";
import { FrameOutput, type TypedFrameOutput } from "../frame-output.ts";
import { Branches } from "./conversation/branches.ts";
import { Controls } from "./conversation/controls.ts";
import { Shell } from "./conversation/shell.ts";
import { OpenQuestions } from "./turn/open-questions.ts";
import { tellNews } from "./turn/status-events.ts";
import { Steering } from "./turn/steering.ts";
import { TurnFrames } from "./turn/turn-frames.ts";
import { Turns } from "./turn/turns.ts";
import { Chunks, isChunk } from "./wire/chunks.ts";
import { findDelta } from "./wire/find-delta.ts";
import type { Program } from "./wire/programs.ts";
import { Asks } from "./wire/rpc-client.ts";
import * as wire from "./wire/schemas.ts";

const LF = 10;

/** Repeats what `message_end` says, with the results: often the longest line of a turn. */
const turnEnd = Buffer.from('{"type":"turn_end",');

/** Frames of the program's own household; some repeat whole messages. */
const household: ReadonlySet<string> = new Set([
  "turn_start",
  "turn_end",
  "message_update",
  "entry_appended",
  "host_tool_call",
  // What waits is told by ourselves: omp does not, and neither knows whose it is.
  "queue_update",
]);

/** A frame that nobody understands is no reason to fill the log. */
const longestUnknown = 16 * 1024;

export class PiTranslation implements Translation {
  readonly #out: TypedFrameOutput;
  readonly #asks: Asks;
  readonly #chunks = new Chunks();
  readonly #branches: Branches;
  readonly #frames: TurnFrames;
  readonly #questions: OpenQuestions;
  readonly #steering: Steering;
  readonly #shell: Shell;
  readonly #controls: Controls;
  readonly #turns: Turns;

  constructor(sides: DialectHost, program: Program) {
    this.#out = new FrameOutput(sides.emit);
    this.#asks = new Asks(sides.send);
    this.#branches = new Branches(program, this.#asks, this.#out, () => this.#controls.tellSettings());
    this.#frames = new TurnFrames(this.#out, this.#branches);
    this.#questions = new OpenQuestions(this.#out, sides.send);
    this.#steering = new Steering(this.#out);
    this.#shell = new Shell(this.#out, this.#asks);
    this.#controls = new Controls(program, sides.cwd, this.#asks, this.#out, {
      usage: () => this.#frames.used,
      busy: () => this.#turns.busy,
      forget: () => this.#branches.forget(),
    });
    this.#turns = new Turns({
      program,
      asks: this.#asks,
      out: this.#out,
      frames: this.#frames,
      questions: this.#questions,
      steering: this.#steering,
      idle: (hear) => this.#controls.isIdle(hear),
    });
  }

  fromWorker(given: Uint8Array): void {
    const run = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    this.#turns.heard();
    this.#out.batch(() => {
      for (let start = 0; start < run.length; ) {
        const lf = run.indexOf(LF, start);
        this.#line(run.subarray(start, lf));
        start = lf + 1;
      }
    });
  }

  toWorker(command: WorkerBound): void {
    switch (command.type) {
      case "prompt":
      case "compact":
        return this.#turns.submit(command);
      case "steer":
      case "follow_up":
        return this.#turns.steer(command.type, command);
      case "abort_and_prompt":
        this.#turns.abort({ type: "abort" });
        return this.#turns.submit(command);
      case "abort":
        return this.#turns.abort(command);
      case "extension_ui_response":
        return this.#questions.answer(command);
      case "branch":
      case "switch_branch":
        return this.#branch(command);
      case "restore":
        return this.#branches.restore(command);
      case "bash":
        return this.#shell.start(command);
      default:
        return this.#controls.carryOut(command);
    }
  }

  #branch(command: WorkerBound): void {
    if (this.#turns.busy)
      this.#out.respond(command, { error: "The agent is at work. Stop it first, or wait." });
    else if (command.type === "branch") this.#branches.start(command);
    else this.#branches.walk(command);
  }

  close(): void {
    this.#turns.close();
  }

  #line(line: Buffer): void {
    if (line.length === 0) return;
    const found = findDelta(line);
    if (found === "ignored") return;
    if (typeof found === "object") return this.#frames.delta(found);
    if (isChunk(line)) return this.#piece(line);
    if (line.length > turnEnd.length && line.compare(turnEnd, 0, turnEnd.length, 0, turnEnd.length) === 0)
      return;
    const value = parse(line);
    // Extensions of omp write to the same stream: what is no frame is shown to whoever looks after the server.
    if (value === null) return this.#out.line(line);
    this.#frame(value.type, value, line.length);
  }

  #piece(line: Buffer): void {
    const whole = this.#chunks.push(line);
    if (typeof whole === "string") this.#out.line(Buffer.from(`The agent wrote ${whole}.`));
    else if (whole !== null) this.#line(whole);
  }

  #frame(type: string, value: object, length: number): void {
    switch (type) {
      case "response":
        return this.#read(wire.PiResponse, value, (response) => {
          if (!this.#asks.heard(response)) this.#turns.refusedLater(response);
        });
      case "message_start":
      case "message_end":
        return this.#read(wire.MessageFrame, value, ({ message }) =>
          type === "message_start" ? this.#messageStarts(message) : this.#messageEnds(message),
        );
      case "message_update":
        return this.#read(wire.CallStart, value, (update) =>
          this.#frames.callStarts(update.assistantMessageEvent),
        );
      case "tool_execution_start":
        return this.#read(wire.ToolStart, value, ({ toolCallId, toolName, args }) =>
          this.#frames.toolStarts(toolCallId, toolName, args),
        );
      case "tool_execution_update":
        return this.#read(wire.ToolUpdate, value, (update) => this.#frames.toolUpdate(update));
      case "tool_execution_end":
        return this.#read(wire.ToolEnd, value, (end) => this.#frames.toolEnds(end));
      case "agent_start":
        return this.#turns.agentStarts();
      case "agent_end":
        return this.#read(wire.AgentEnd, value, (end) => this.#turns.agentEnds(end));
      case "agent_settled":
      case "session_settled":
        return this.#turns.settled();
      case "prompt_result":
        return this.#read(wire.PromptResult, value, (result) => this.#turns.promptResult(result));
      case "bash_execution_update":
        return this.#read(wire.BashUpdate, value, ({ id, delta }) => this.#shell.output(id, delta));
      case "extension_ui_request":
        return this.#read(UiRequestEvent, value, (request) => {
          if (this.#questions.asked(request)) this.#turns.questionAsked();
          this.#out.frame(request);
        });
      default:
        if (this.#controls.noted(type, value)) return;
        if (tellNews(type, value, { out: this.#out, turns: this.#turns, frames: this.#frames })) return;
        this.#unknown(type, value, length);
    }
  }

  #messageStarts({ role }: wire.PiMessage): void {
    if (role === "assistant") this.#frames.answerStarts();
  }

  #messageEnds(message: wire.PiMessage): void {
    switch (message.role) {
      case "user":
        return this.#turns.userMessage(message);
      case "assistant":
        return this.#turns.answerEnds(message);
      case "toolResult":
        return this.#frames.resultMessage(message);
      default: // the system prompt, notes to itself
    }
  }

  /** A type that we know means something else in our protocol, and is not the program's to say. */
  #unknown(type: string, value: object, length: number): void {
    if (household.has(type) || length > longestUnknown) return;
    if (readFrameValue(value).kind === "unknown") this.#out.line(Buffer.from(JSON.stringify(value)));
  }

  /** A frame of a known type that has other fields than we know is let go: it may be a newer version's. */
  #read<T>(schema: z.ZodMiniType<T>, value: object, understood: (read: T) => void): void {
    const read = schema.safeParse(value);
    if (read.success) understood(read.data);
  }
}

/** Null: the line itself is passed on as what it is, noise. */
function parse(line: Buffer): { type: string } | null {
  const json = readJson(line.toString(), foreignBounds);
  const value = json.ok ? json.value : null;
  const isFrame =
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  return isFrame ? Object.assign(value, { type: String(value.type) }) : null;
}
