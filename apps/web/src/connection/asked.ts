// Commands that wait for their response. Whoever asks is answered in every case: by the response, or
// by the cut that makes one impossible. Nothing here waits for a timer.
import type { Response } from "@patchbay/protocol";

export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandError";
  }
}

interface Waiting {
  resolve(data: unknown): void;
  reject(error: CommandError): void;
}

export class Asked {
  readonly #waiting = new Map<string, Waiting>();

  wait(id: string): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  answer(response: Response): boolean {
    const waiting = response.id === undefined ? undefined : this.#waiting.get(response.id);
    if (response.id === undefined || waiting === undefined) return false;
    this.#waiting.delete(response.id);
    if (response.success) waiting.resolve(response.data);
    else waiting.reject(new CommandError(response.error ?? `${response.command} failed`));
    return true;
  }

  fail(reason: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) waiting.reject(new CommandError(reason));
  }
}
