// The lifecycle of turns: a prompt is sent when the program is free, is accepted or refused, and its turn ends when the program
// reports that in one of its four ways, or is found idle. Prompts that come meanwhile wait here: pi would drop them.
import type * as z from "zod/mini";
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameWriter } from "../../frame-writer.ts";
import { textOf, toBlocks, toTime } from "../wire/blocks.ts";
import type { Program } from "../wire/programs.ts";
import { errorOf, type PiClient } from "../wire/rpc-client.ts";
import type { AgentEnd, PiMessage, PiResponse, PromptResult } from "../wire/schemas.ts";
import { compact } from "./compact.ts";
import { IdleDetector } from "./idle-detector.ts";
import type { OpenQuestions } from "./open-questions.ts";
import { keyOf, promptText, shownPrompt, toPrompt } from "./prompts.ts";
import type { Steering } from "./steering.ts";
import { newTurn, type PiTurn } from "./turn.ts";
import type { PiTurnFrames } from "./turn-frames.ts";

interface PiTurnsOptions {
  program: Program;
  client: PiClient;
  out: TypedFrameWriter;
  frames: PiTurnFrames;
  questions: OpenQuestions;
  steering: Steering;
  /** Asks the program whether it is idle. */
  askIdle(onAnswer: (idle: boolean) => void): void;
}

/** The server sends one prompt at a time; more would be a bug of the server. */
const maxWaiting = 16;

export class PiTurns {
  readonly #parts: PiTurnsOptions;
  readonly #idleDetector: IdleDetector;
  #turn: PiTurn | null = null;
  /** A compaction that a person asked for, with the aborts of it. pi 0.74 accepts an abort and goes on compacting. */
  #compaction: { aborts: WorkerBound[] } | null = null;
  #waiting: WorkerBound[] = [];

  constructor(parts: PiTurnsOptions) {
    this.#parts = parts;
    this.#idleDetector = new IdleDetector({
      askIdle: (onAnswer) => this.#askIdle(onAnswer),
      onOver: () => this.#finish(),
    });
  }

  get busy(): boolean {
    return this.#turn !== null || this.#compaction !== null;
  }

  activity(): void {
    if (this.#turn !== null) this.#idleDetector.activity();
  }

  close(): void {
    this.#idleDetector.stop();
  }

  // --- commands -----------------------------------------------------------------------------------

  submit(command: WorkerBound): void {
    if (!this.busy) this.#send(command);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(command);
    else this.#parts.out.respond(command, { error: "Too many prompts are waiting." });
  }

  /** Without a running turn the message is sent as a prompt: pi would keep it for the next turn. */
  steer(kind: "steer" | "follow_up", command: WorkerBound): void {
    const { client, out, steering } = this.#parts;
    if (this.#turn === null) {
      if (command["ifRunning"] !== true) return this.submit(command);
      return out.respond(command, { error: "The turn has ended." });
    }
    client.request(toPrompt(kind, command), (response) => {
      if (!response.success) return out.respond(command, { error: errorOf(response) });
      out.respond(command, { data: { started: false, steered: true } });
      const message = promptText(command);
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
    turn.agentStarted = true;
    turn.agentEnded = false;
    turn.retrying = false;
    this.#idleDetector.cancelCheck();
    this.#sendAborts(turn);
  }

  agentEnds({ isTerminal, willRetry }: z.infer<typeof AgentEnd>): void {
    if (this.#turn === null) return;
    this.#turn.agentEnded = true;
    if (isTerminal !== false && willRetry !== true) this.#idleDetector.checkSoon({ agentStarted: true });
  }

  /** The program reports the end. A late report of the turn before arrives before the agent has started, and is ignored. */
  settled(): void {
    if (this.#turn?.agentEnded === true) this.#finish();
  }

  /** Ends the turn even if the session is not settled: omp 18.3 puts a command that takes over 60 s into the background. */
  promptResult({ id, agentInvoked, error }: z.infer<typeof PromptResult>): void {
    const turn = this.#turn;
    if (turn === null || id !== turn.requestId) return;
    if (!agentInvoked && error !== undefined) turn.error ??= error.message;
    this.#finish();
  }

  /** omp's second response to a prompt: it had accepted the prompt and refuses it now. */
  refusedLater(response: PiResponse): void {
    const turn = this.#turn;
    if (turn === null || response.success || response.id !== turn.requestId || turn.agentStarted) return;
    turn.error = errorOf(response);
    this.#finish();
  }

  userMessage(message: PiMessage): void {
    const turn = this.#ensure();
    this.#start(turn);
    if (turn.expectsEcho) {
      turn.expectsEcho = false;
      return;
    }
    const pending = this.#parts.steering.take(textOf(message.content));
    const key = pending?.key;
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
    this.#idleDetector.cancelCheck();
  }

  retryEnds(failure: string | undefined): void {
    if (this.#turn === null) return;
    this.#turn.retrying = false;
    if (failure === undefined) return;
    // The call had failed before; the given-up retry ends the turn.
    if (this.#turn.aborting) this.#parts.out.frame({ type: "turn_end", stop: "aborted" });
    else this.#turn.error = failure;
    if (this.#turn.agentEnded) this.#idleDetector.checkSoon({ agentStarted: true });
  }

  compactionStarts(): void {
    this.#idleDetector.cancelCheck();
    if (this.#turn === null) return;
    this.#turn.compacting = true;
    if (!this.#isTooEarly(this.#turn)) this.#sendAborts(this.#turn);
  }

  compactionEnds(): void {
    if (this.#turn === null) return;
    this.#turn.compacting = false;
    if (this.#turn.agentEnded) this.#idleDetector.checkSoon({ agentStarted: true });
  }

  /** pi sends a question before it responds to the prompt that led to it. */
  questionAsked(): void {
    if (this.#turn !== null) this.#start(this.#turn);
  }

  // ------------------------------------------------------------------------------------------------

  #send(command: WorkerBound): void {
    if (command.type === "compact") {
      const aborts: WorkerBound[] = [];
      this.#compaction = { aborts };
      return compact(command, {
        ...this.#parts,
        wasStopped: () => aborts.length > 0,
        onOver: () => {
          this.#compaction = null;
          for (const abort of aborts) this.#parts.out.respond(abort, { data: {} });
          this.#next();
        },
      });
    }
    const turn = newTurn(command);
    this.#turn = turn;
    this.#idleDetector.start();
    turn.requestId = this.#parts.client.request(toPrompt("prompt", command), (response) =>
      this.#promptAnswered(turn, response),
    );
  }

  #promptAnswered(turn: PiTurn, response: PiResponse): void {
    if (this.#turn !== turn) return;
    turn.accepted = true;
    if (!response.success) {
      if (turn.started) {
        turn.error = errorOf(response);
        return this.#finish();
      }
      this.#turn = null;
      this.#idleDetector.stop();
      this.#parts.out.respond(turn.prompt ?? { type: "prompt" }, { error: errorOf(response) });
      return this.#next();
    }
    this.#start(turn);
    // A slash command of an extension starts no agent, and the program does not report its end.
    if (!turn.agentStarted && promptText(turn.prompt ?? { type: "prompt" }).startsWith("/"))
      this.#idleDetector.checkSoon({ agentStarted: false });
  }

  #start(turn: PiTurn): void {
    if (turn.started) return;
    turn.started = true;
    if (turn.prompt === null) return;
    this.#parts.out.respond(turn.prompt, { data: { started: true } });
    const key = keyOf(turn.prompt);
    const known = key === undefined ? {} : { key };
    this.#parts.frames.userMessage(shownPrompt(turn.prompt), new Date().toISOString(), known);
  }

  /** Returns the current turn, or begins one that has no prompt. */
  #ensure(): PiTurn {
    if (this.#turn === null) {
      this.#turn = { ...newTurn(null), accepted: true, started: true, expectsEcho: false };
      this.#idleDetector.start();
    }
    return this.#turn;
  }

  /** Before `agent_start` pi ignores an abort, and omp drops the prompt without a report. */
  #isTooEarly({ agentStarted, compacting }: PiTurn): boolean {
    return !agentStarted && !(compacting && this.#parts.program.stopsOwnCompaction);
  }

  #sendAborts(turn: PiTurn): void {
    for (const command of turn.aborts.splice(0)) this.#sendAbort(command);
  }

  #sendAbort(command: WorkerBound): void {
    const { client, out } = this.#parts;
    const turn = this.#turn;
    client.request({ type: "abort" }, (response) => {
      out.respond(command, response.success ? { data: {} } : { error: errorOf(response) });
      // After an aborted compaction no agent starts, and the program does not report it.
      if (turn === this.#turn && turn?.agentStarted === false)
        this.#idleDetector.checkSoon({ agentStarted: false });
    });
  }

  /** The abort is answered when the compaction is over: no turn can begin before. */
  #stopCompaction(command: WorkerBound, { aborts }: { aborts: WorkerBound[] }): void {
    aborts.push(command);
    this.#parts.client.request({ type: "abort" }, () => {});
  }

  /** Idle only if nothing known will continue the turn: the program also reports idle in the pause before a retry. */
  #askIdle(onAnswer: (idle: boolean) => void): void {
    this.#parts.askIdle((idle) => {
      const turn = this.#turn;
      onAnswer(idle && turn !== null && turn.accepted && !turn.retrying && !this.#parts.questions.any);
    });
  }

  #finish(): void {
    const turn = this.#turn;
    if (turn === null) return;
    const { out, frames } = this.#parts;
    this.#turn = null;
    this.#idleDetector.stop();
    out.batch(() => {
      for (const command of turn.aborts) out.respond(command, { data: {} });
      frames.reset();
      if (turn.aborting && !turn.agentStarted) out.frame({ type: "turn_end", stop: "aborted" });
      if (turn.error !== undefined) out.frame({ type: "error", message: turn.error });
      out.frame({ type: "done", duration_ms: Math.round(performance.now() - turn.startedAt) });
    });
    this.#next();
  }

  #next(): void {
    const command = this.busy ? undefined : this.#waiting.shift();
    if (command !== undefined) this.#send(command);
  }
}
