// What we have asked the program and not been answered yet. Ids are ours, so that viewers' ids never reach it.
import type { WorkerBound } from "../../dialect.ts";
import type { PiResponse } from "./schemas.ts";

type Hear = (response: PiResponse) => void;

export class Asks {
  readonly #send: (line: string) => void;
  readonly #open = new Map<string, { command: string; hear: Hear }>();
  #next = 1;

  constructor(send: (line: string) => void) {
    this.#send = send;
  }

  /** Answers the id under which it was asked. */
  ask(command: WorkerBound, hear: Hear): string {
    const id = `t${this.#next++}`;
    this.#open.set(id, { command: command.type, hear });
    this.#send(JSON.stringify({ ...command, id }));
    return id;
  }

  /** False when nobody waits for it: omp answers a prompt that fails later twice. */
  heard(response: PiResponse): boolean {
    const id = response.id ?? this.#oldest(response);
    const asked = id === undefined ? undefined : this.#open.get(id);
    if (id === undefined || asked === undefined) return false;
    this.#open.delete(id);
    asked.hear(response);
    return true;
  }

  /** pi 0.74 leaves the id out when it does not know a command. */
  #oldest({ command, success }: PiResponse): string | undefined {
    if (success) return undefined;
    return [...this.#open].find(([, asked]) => asked.command === command)?.[0];
  }
}

export const errorOf = ({ error, command }: PiResponse): string =>
  typeof error === "string" && error !== "" ? error : `It refused ${command} and did not say why.`;
