// Sends requests to the program and matches its responses to them. Requests get ids of their own, so that viewers' ids never
// reach the program.
import type { WorkerBound } from "../../dialect.ts";
import type { PiResponse } from "./schemas.ts";

type OnResponse = (response: PiResponse) => void;

export class PiClient {
  readonly #send: (line: string) => void;
  readonly #pending = new Map<string, { command: string; onResponse: OnResponse }>();
  #next = 1;

  constructor(send: (line: string) => void) {
    this.#send = send;
  }

  /** Returns the id of the request. */
  request(command: WorkerBound, onResponse: OnResponse): string {
    const id = `t${this.#next++}`;
    this.#pending.set(id, { command: command.type, onResponse });
    this.#send(JSON.stringify({ ...command, id }));
    return id;
  }

  /** Returns false for a response without a pending request: omp responds a second time to a prompt that fails later. */
  receive(response: PiResponse): boolean {
    const id = response.id ?? this.#oldest(response);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) return false;
    this.#pending.delete(id);
    pending.onResponse(response);
    return true;
  }

  /** pi 0.74 omits the id in its response to an unknown command; the oldest request of that type is meant. */
  #oldest({ command, success }: PiResponse): string | undefined {
    if (success) return undefined;
    return [...this.#pending].find(([, pending]) => pending.command === command)?.[0];
  }
}

export const errorOf = ({ error, command }: PiResponse): string =>
  typeof error === "string" && error !== "" ? error : `It refused ${command} without a reason.`;
