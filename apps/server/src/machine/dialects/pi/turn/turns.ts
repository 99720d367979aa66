// The life of a turn: a prompt is given when the program is free, is taken or refused, and is over when the program
// says so in one of its four ways, or is found idle. What comes meanwhile waits here: pi would drop it.
import type * as z from "zod/mini";
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameOutput } from "../../frame-output.ts";
import { textOf, toBlocks, toTime } from "../wire/blocks.ts";
import type { Program } from "../wire/programs.ts";
import { type Asks, errorOf } from "../wire/rpc-client.ts";
import type { AgentEnd, PiMessage, PiResponse, PromptResult } from "../wire/schemas.ts";
import { compact } from "./compact.ts";
import { Ending } from "./idle-detector.ts";
import type { OpenQuestions } from "./open-questions.ts";
import { keyOf, shownPrompt, toPrompt, wordsOf } from "./prompts.ts";
import type { Steering } from "./steering.ts";
import { newTurn, type Turn } from "./turn.ts";
import type { TurnFrames } from "./turn-frames.ts";

interface Parts {
  program: Program;
  asks: Asks;
  out: TypedFrameOutput;
  frames: TurnFrames;
  questions: OpenQuestions;
  steering: Steering;
  /** Whether the program says that it is idle. */
  idle(hear: (idle: boolean) => void): void;
}

/** The server sends one at a time; more is a mistake of ours and not worth memory. */
const mostWaiting = 16;

export class Turns {
  readonly #parts: Parts;
  readonly #ending: Ending;
  #turn: Turn | null = null;
  /** A compaction that a person asked for, and who wants its end: pi 0.74 says yes to them and compacts on. */
  #compaction: { aborts: WorkerBound[] } | null = null;
  #waiting: WorkerBound[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ending = new Ending({ ask: (hear) => this.#askIdle(hear), over: () => this.#finish() });
  }

  get busy(): boolean {
    return this.#turn !== null || this.#compaction !== null;
  }

  heard(): void {
    if (this.#turn !== null) this.#ending.heard();
  }

  close(): void {
    this.#ending.stop();
  }

  // --- from us ------------------------------------------------------------------------------------

  submit(command: WorkerBound): void {
    if (!this.busy) this.#give(command);
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(command);
    else this.#parts.out.respond(command, { error: "Too much waits already." });
  }

  /** Into the running turn; when there is none it is a prompt, which pi would keep for the next one. */
  steer(kind: "steer" | "follow_up", command: WorkerBound): void {
    const { asks, out, steering } = this.#parts;
    if (this.#turn === null) {
      if (command["ifRunning"] !== true) return this.submit(command);
      return out.respond(command, { error: "The turn is over." });
    }
    asks.ask(toPrompt(kind, command), (response) => {
      if (!response.success) return out.respond(command, { error: errorOf(response) });
      out.respond(command, { data: { started: false, steered: true } });
      const message = wordsOf(command);
      steering.add({ kind: kind === "steer" ? "steering" : "follow_up", message, key: keyOf(command) });
    });
  }

  abort(command: WorkerBound): void {
    const { out, questions } = this.#parts;
    const turn = this.#turn;
    if (!this.busy) return out.respond(command, { data: {} });
    if (turn !== null) turn.aborting = true;
    questions.withdrawAll();
    if (turn === null && this.#compaction !== null) this.#stopCompaction(command, this.#compaction);
    else if (turn !== null && this.#isTooEarly(turn)) turn.aborts.push(command);
    else this.#sendAbort(command);
  }

  // --- from the program ---------------------------------------------------------------------------

  agentStarts(): void {
    const turn = this.#ensure();
    this.#start(turn);
    turn.begun = true;
    turn.ended = false;
    turn.retrying = false;
    this.#ending.goesOn();
    this.#sendAborts(turn);
  }

  agentEnds({ isTerminal, willRetry }: z.infer<typeof AgentEnd>): void {
    if (this.#turn === null) return;
    this.#turn.ended = true;
    if (isTerminal !== false && willRetry !== true) this.#ending.mayBeOver({ begun: true });
  }

  /** It says so itself. What belongs to the turn before comes before the agent has started. */
  settled(): void {
    if (this.#turn?.ended === true) this.#finish();
  }

  promptResult({ id, sessionSettled, agentInvoked, error }: z.infer<typeof PromptResult>): void {
    const turn = this.#turn;
    if (turn === null || id !== turn.askedAs) return;
    if (!agentInvoked && error !== undefined) turn.error ??= error.message;
    if (sessionSettled || !agentInvoked) this.#finish();
  }

  /** omp's second answer to a prompt that it had accepted. */
  refusedLater(response: PiResponse): void {
    const turn = this.#turn;
    if (turn === null || response.success || response.id !== turn.askedAs || turn.begun) return;
    turn.error = errorOf(response);
    this.#finish();
  }

  userMessage(message: PiMessage): void {
    const turn = this.#ensure();
    this.#start(turn);
    if (turn.echo) {
      turn.echo = false;
      return;
    }
    const waited = this.#parts.steering.said(textOf(message.content));
    const key = waited?.key;
    this.#parts.frames.userMessage(toBlocks(message.content), toTime(message.timestamp), {
      steering: true,
      ...(key === undefined ? {} : { key }),
    });
  }

  answerEnds(message: PiMessage): void {
    const turn = this.#ensure();
    turn.error = this.#parts.frames.answerEnds(message, turn.aborting);
  }

  retryStarts(): void {
    const turn = this.#ensure();
    turn.retrying = true;
    turn.error = undefined;
    this.#ending.goesOn();
  }

  retryEnds(failure: string | undefined): void {
    if (this.#turn === null) return;
    this.#turn.retrying = false;
    if (failure === undefined) return;
    // The call before it had failed; that it was not tried again is what ends the turn.
    if (this.#turn.aborting) this.#parts.out.frame({ type: "turn_end", stop: "aborted" });
    else this.#turn.error = failure;
    if (this.#turn.ended) this.#ending.mayBeOver({ begun: true });
  }

  compactionStarts(): void {
    this.#ending.goesOn();
    if (this.#turn === null) return;
    this.#turn.compacting = true;
    if (!this.#isTooEarly(this.#turn)) this.#sendAborts(this.#turn);
  }

  compactionEnds(): void {
    if (this.#turn === null) return;
    this.#turn.compacting = false;
    if (this.#turn.ended) this.#ending.mayBeOver({ begun: true });
  }

  /** A question is open before the prompt that led to it has been answered (pi). */
  questionAsked(): void {
    if (this.#turn !== null) this.#start(this.#turn);
  }

  // ------------------------------------------------------------------------------------------------

  #give(command: WorkerBound): void {
    if (command.type === "compact") {
      const aborts: WorkerBound[] = [];
      this.#compaction = { aborts };
      return compact(command, {
        ...this.#parts,
        wasStopped: () => aborts.length > 0,
        over: () => {
          this.#compaction = null;
          for (const abort of aborts) this.#parts.out.respond(abort, { data: {} });
          this.#next();
        },
      });
    }
    const turn = newTurn(command);
    this.#turn = turn;
    this.#ending.watch();
    turn.askedAs = this.#parts.asks.ask(toPrompt("prompt", command), (response) =>
      this.#answered(turn, response),
    );
  }

  #answered(turn: Turn, response: PiResponse): void {
    if (this.#turn !== turn) return;
    turn.taken = true;
    if (!response.success) {
      if (turn.started) {
        turn.error = errorOf(response);
        return this.#finish();
      }
      this.#turn = null;
      this.#ending.stop();
      this.#parts.out.respond(turn.prompt ?? { type: "prompt" }, { error: errorOf(response) });
      return this.#next();
    }
    this.#start(turn);
    // What begins with a slash may be an extension's command, after which no agent starts and nothing says so.
    if (!turn.begun && wordsOf(turn.prompt ?? { type: "prompt" }).startsWith("/"))
      this.#ending.mayBeOver({ begun: false });
  }

  #start(turn: Turn): void {
    if (turn.started) return;
    turn.started = true;
    if (turn.prompt === null) return;
    this.#parts.out.respond(turn.prompt, { data: { started: true } });
    const key = keyOf(turn.prompt);
    const known = key === undefined ? {} : { key };
    this.#parts.frames.userMessage(shownPrompt(turn.prompt), new Date().toISOString(), known);
  }

  /** The turn there is, or one that nobody asked for. */
  #ensure(): Turn {
    if (this.#turn === null) {
      this.#turn = { ...newTurn(null), taken: true, started: true, echo: false };
      this.#ending.watch();
    }
    return this.#turn;
  }

  /** Before `agent_start` pi ignores an abort, and omp drops the prompt without a word. */
  #isTooEarly({ begun, compacting }: Turn): boolean {
    return !begun && !(compacting && this.#parts.program.stopsOwnCompaction);
  }

  #sendAborts(turn: Turn): void {
    for (const command of turn.aborts.splice(0)) this.#sendAbort(command);
  }

  #sendAbort(command: WorkerBound): void {
    const { asks, out } = this.#parts;
    const turn = this.#turn;
    asks.ask({ type: "abort" }, (response) => {
      out.respond(command, response.success ? { data: {} } : { error: errorOf(response) });
      // No agent starts after a compaction that was stopped, and nothing says so.
      if (turn === this.#turn && turn?.begun === false) this.#ending.mayBeOver({ begun: false });
    });
  }

  /** Answered when the compaction is over, and not before: until then nothing else can begin. */
  #stopCompaction(command: WorkerBound, { aborts }: { aborts: WorkerBound[] }): void {
    aborts.push(command);
    this.#parts.asks.ask({ type: "abort" }, () => {});
  }

  /** Idle, and nothing is known that would make it go on: a pause before a retry looks like idleness. */
  #askIdle(hear: (idle: boolean) => void): void {
    this.#parts.idle((idle) => {
      const turn = this.#turn;
      hear(idle && turn !== null && turn.taken && !turn.retrying && !this.#parts.questions.any);
    });
  }

  #finish(): void {
    const turn = this.#turn;
    if (turn === null) return;
    const { out, frames } = this.#parts;
    this.#turn = null;
    this.#ending.stop();
    out.batch(() => {
      for (const command of turn.aborts) out.respond(command, { data: {} });
      frames.reset();
      if (turn.aborting && !turn.begun) out.frame({ type: "turn_end", stop: "aborted" });
      if (turn.error !== undefined) out.frame({ type: "error", message: turn.error });
      out.frame({ type: "done", duration_ms: Math.round(performance.now() - turn.at) });
    });
    this.#next();
  }

  #next(): void {
    const command = this.busy ? undefined : this.#waiting.shift();
    if (command !== undefined) this.#give(command);
  }
}
