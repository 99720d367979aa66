// Why a worker failed or ended, in sentences for a person: what happened, and what to do.
import type { Response } from "@patchbay/protocol";
import type { WorkerExit } from "../../machine/machine.ts";

/** The first thing that happened after a worker was launched. */
export type StartOutcome =
  | { cause: "answer"; response: Response }
  | { cause: "exit"; exit: WorkerExit }
  | { cause: "noise" }
  | { cause: "silence" };

interface StartFacts {
  program: string;
  /** The first line the worker wrote that was no frame. */
  noise: string | undefined;
  waitedMs: number;
}

export function describeStartFailure(outcome: StartOutcome, facts: StartFacts): string {
  const wrote =
    facts.noise === undefined ? "" : ` It wrote “${facts.noise}” where a JSON frame was expected.`;
  switch (outcome.cause) {
    case "answer":
      return outcome.response.success
        ? `The agent's first answer was not understood. Check that “${facts.program}” speaks the rpc protocol.`
        : `The agent refused to start: ${outcome.response.error ?? "no reason given"}.`;
    case "noise":
      return `“${facts.program}” does not speak the rpc protocol.${wrote} Check the agent's command.`;
    case "silence":
      return `The agent did not respond within ${facts.waitedMs / 1000} s, so it was stopped.${wrote} Check that “${facts.program}” speaks the rpc protocol.`;
    case "exit":
      if (outcome.exit.cause === "not_started") {
        return `“${facts.program}” could not be started: ${outcome.exit.problem}. Install it, or correct the agent's command in patchbay.config.json.`;
      }
      if (selfExplaining.has(outcome.exit.cause)) return describeExit(outcome.exit) ?? "";
      return `The agent stopped before it was ready: ${exitText(outcome.exit)}.${wrote} Its last output is below.`;
  }
}

/** Exits that mean the same at the start and later. */
const selfExplaining: ReadonlySet<string> = new Set<WorkerExit["cause"]>([
  "line_too_long",
  "not_reading",
  "unreachable",
]);

/** Undefined when the server was asked to stop the worker, which needs no explanation. */
export function describeExit(exit: WorkerExit): string | undefined {
  switch (exit.cause) {
    case "asked":
      return undefined;
    case "line_too_long":
      return "The agent wrote a line that is too long, so it was stopped. Send a prompt to start it again.";
    case "not_reading":
      return "The agent does not read its input, so it was stopped. Send a prompt to start it again.";
    case "unreachable":
      return `The daemon cannot be reached: ${exit.problem ?? "no reason given"}. Start it, then send a prompt.`;
    case "not_started":
    case "exited":
      return `The agent stopped: ${exitText(exit)}. Its last output is below. Send a prompt to start it again.`;
  }
}

const exitText = ({ code, signal }: WorkerExit): string =>
  signal === null ? `exit code ${code ?? "unknown"}` : `killed by ${signal}`;
