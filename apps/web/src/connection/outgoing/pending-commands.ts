// Commands that wait for their response. Each promise settles in every case: by the response, by the cut of
// the line that makes one impossible, or by a timeout, when a worker takes the command and does not respond.
import type { Response } from "@patchbay/protocol";
import { serverSentence } from "../../api/http/server-sentence.ts";
import { connectionTexts } from "../texts.ts";

export class CommandError extends Error {
  /** The line was cut before the response came: it may have been carried out all the same. */
  readonly mayHaveRun: boolean;

  constructor(message: string, mayHaveRun = false) {
    super(message);
    this.name = "CommandError";
    this.mayHaveRun = mayHaveRun;
  }
}

interface Waiting {
  resolve(data: unknown): void;
  reject(error: CommandError): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** A command may have to start its worker first, which the server gives up on after 15 seconds. */
export const responseTimeoutMs = 20_000;

export class PendingCommands {
  readonly #waiting = new Map<string, Waiting>();

  /** `patient`: without a timeout; only a cut ends the wait. */
  wait(id: string, patient = false): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiting.delete(id);
        reject(new CommandError(connectionTexts.noAnswer));
      };
      const timer = patient ? undefined : setTimeout(late, responseTimeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
    });
  }

  /** False: no command waits for it. */
  settle(response: Response): boolean {
    const waiting = response.id === undefined ? undefined : this.#waiting.get(response.id);
    if (response.id === undefined || waiting === undefined) return false;
    this.#waiting.delete(response.id);
    clearTimeout(waiting.timer);
    if (response.success) waiting.resolve(response.data);
    else
      waiting.reject(
        new CommandError(serverSentence(response.error ?? connectionTexts.failed(response.command))),
      );
    return true;
  }

  /** The socket was not open. */
  notSent(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.reject(new CommandError(connectionTexts.notConnected));
  }

  fail(reason: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { timer, reject } of all) {
      clearTimeout(timer);
      reject(new CommandError(reason, true));
    }
  }
}
