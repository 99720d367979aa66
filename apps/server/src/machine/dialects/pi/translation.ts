// Translates for one pi or omp: passes each line of the program to the part that reads it, and each command to the part that
// runs it. A frame of an unknown type is passed on, unless our protocol uses its type for something else.
import { foreignBounds, readFrameValue, readJson, UiRequestEvent } from "@patchbay/protocol";
import type * as z from "zod/mini";
import type { DialectHost, DialectTranslation, WorkerBound } from "../dialect.ts";
import { FrameWriter, type TypedFrameWriter } from "../frame-writer.ts";
import { Branches } from "./conversation/branches.ts";
import { Controls } from "./conversation/controls.ts";
import { Shell } from "./conversation/shell.ts";
import { OpenQuestions } from "./turn/open-questions.ts";
import { emitStatusEvent } from "./turn/status-events.ts";
import { Steering } from "./turn/steering.ts";
import { PiTurnFrames } from "./turn/turn-frames.ts";
import { PiTurns } from "./turn/turns.ts";
import { Chunks, isChunk } from "./wire/chunks.ts";
import { findDelta } from "./wire/find-delta.ts";
import type { Program } from "./wire/programs.ts";
import { PiClient } from "./wire/rpc-client.ts";
import * as schemas from "./wire/schemas.ts";

const LF = 10;

/** Repeats `message_end` together with the tool results: often the longest line of a turn, and skipped unparsed. */
const turnEnd = Buffer.from('{"type":"turn_end",');

/** Frames that only the program itself needs; some repeat whole messages. */
const internalFrames: ReadonlySet<string> = new Set([
  "turn_start",
  "turn_end",
  "message_update",
  "entry_appended",
  "host_tool_call",
  // `Steering` emits it: omp sends none, and neither program knows who sent a message.
  "queue_update",
]);

/** A longer frame of an unknown type is dropped, so that it does not fill the log. */
const maxUnknownChars = 16 * 1024;

export class PiTranslation implements DialectTranslation {
  readonly #out: TypedFrameWriter;
  readonly #client: PiClient;
  readonly #chunks = new Chunks();
  readonly #branches: Branches;
  readonly #frames: PiTurnFrames;
  readonly #questions: OpenQuestions;
  readonly #steering: Steering;
  readonly #shell: Shell;
  readonly #controls: Controls;
  readonly #turns: PiTurns;

  constructor(host: DialectHost, program: Program) {
    this.#out = new FrameWriter(host.emit);
    this.#client = new PiClient(host.send);
    this.#branches = new Branches(program, this.#client, this.#out, () => this.#controls.emitSettings());
    this.#frames = new PiTurnFrames(this.#out, this.#branches);
    this.#questions = new OpenQuestions(this.#out, host.send);
    this.#steering = new Steering(this.#out);
    this.#shell = new Shell(this.#out, this.#client);
    this.#controls = new Controls(program, host.cwd, this.#client, this.#out, {
      usage: () => this.#frames.used,
      busy: () => this.#turns.busy,
      resetBranches: () => this.#branches.reset(),
    });
    this.#turns = new PiTurns({
      program,
      client: this.#client,
      out: this.#out,
      frames: this.#frames,
      questions: this.#questions,
      steering: this.#steering,
      askIdle: (onAnswer) => this.#controls.askIdle(onAnswer),
    });
  }

  fromWorker(given: Uint8Array): void {
    const run = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    this.#turns.activity();
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
        return this.#controls.run(command);
    }
  }

  #branch(command: WorkerBound): void {
    if (this.#turns.busy)
      this.#out.respond(command, { error: "The agent is working. Stop it, or wait until it is done." });
    else if (command.type === "branch") this.#branches.fork(command);
    else this.#branches.switchTo(command);
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
    // Extensions of omp write to the same stream. A line that is no frame goes to the server's own log.
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
        return this.#read(schemas.PiResponse, value, (response) => {
          if (!this.#client.receive(response)) this.#turns.refusedLater(response);
        });
      case "message_start":
      case "message_end":
        return this.#read(schemas.MessageFrame, value, ({ message }) =>
          type === "message_start" ? this.#messageStarts(message) : this.#messageEnds(message),
        );
      case "message_update":
        return this.#read(schemas.CallStart, value, (update) =>
          this.#frames.callStarts(update.assistantMessageEvent),
        );
      case "tool_execution_start":
        return this.#read(schemas.ToolStart, value, ({ toolCallId, toolName, args }) =>
          this.#frames.toolStarts(toolCallId, toolName, args),
        );
      case "tool_execution_update":
        return this.#read(schemas.ToolUpdate, value, (update) => this.#frames.toolUpdate(update));
      case "tool_execution_end":
        return this.#read(schemas.ToolEnd, value, (end) => this.#frames.toolEnds(end));
      case "agent_start":
        return this.#turns.agentStarts();
      case "agent_end":
        return this.#read(schemas.AgentEnd, value, (end) => this.#turns.agentEnds(end));
      case "agent_settled":
      case "session_settled":
        return this.#turns.settled();
      case "prompt_result":
        return this.#read(schemas.PromptResult, value, (result) => this.#turns.promptResult(result));
      case "bash_execution_update":
        return this.#read(schemas.BashUpdate, value, ({ id, delta }) => this.#shell.output(id, delta));
      case "extension_ui_request":
        return this.#read(UiRequestEvent, value, (request) => {
          if (this.#questions.track(request)) this.#turns.questionAsked();
          this.#out.frame(request);
        });
      default:
        if (this.#controls.handleFrame(type, value)) return;
        if (emitStatusEvent(type, value, { out: this.#out, turns: this.#turns, frames: this.#frames }))
          return;
        this.#unknown(type, value, length);
    }
  }

  #messageStarts({ role }: schemas.PiMessage): void {
    if (role === "assistant") this.#frames.answerStarts();
  }

  #messageEnds(message: schemas.PiMessage): void {
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

  /** A type that our protocol knows means something else there, so it is not passed on. */
  #unknown(type: string, value: object, length: number): void {
    if (internalFrames.has(type) || length > maxUnknownChars) return;
    if (readFrameValue(value).kind === "unknown") this.#out.line(Buffer.from(JSON.stringify(value)));
  }

  /** A frame of a known type with unexpected fields is ignored: it may be a newer version's. */
  #read<T>(schema: z.ZodMiniType<T>, value: object, handle: (read: T) => void): void {
    const read = schema.safeParse(value);
    if (read.success) handle(read.data);
  }
}

/** Null: the line is no frame. */
function parse(line: Buffer): { type: string } | null {
  const json = readJson(line.toString(), foreignBounds);
  const value = json.ok ? json.value : null;
  const isFrame =
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  return isFrame ? Object.assign(value, { type: String(value.type) }) : null;
}
