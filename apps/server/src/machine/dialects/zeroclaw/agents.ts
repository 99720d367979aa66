// The daemon's agents: they are what a person can choose, so they are its models.
import type { ModelInfo } from "@patchbay/protocol";
import { Agents } from "./schemas.ts";

export class DaemonAgents {
  #aliases: string[] = [];
  #chosen = "";

  get chosen(): string {
    return this.#chosen;
  }

  /** What `agents/list` answered; the first one is the default. */
  take(listed: unknown): void {
    this.#aliases = Agents.parse(listed)
      .agents.filter(({ enabled }) => enabled)
      .map(({ alias }) => alias);
    const [first] = this.#aliases;
    if (first === undefined)
      throw new Error("The daemon has no agent that is enabled. Set one up in zeroclaw.");
    this.#chosen ||= first;
  }

  /** True when it is another one than before. */
  choose(wish: string): boolean {
    const alias = this.#aliases.find((name) => name === wish || `zeroclaw/${name}` === wish);
    if (alias === undefined)
      throw new Error(`The daemon has no agent "${wish}". It has: ${this.#aliases.join(", ")}.`);
    const isOther = alias !== this.#chosen;
    this.#chosen = alias;
    return isOther;
  }

  models(): ModelInfo[] {
    const facts = { provider: "zeroclaw", context_window: 0, max_output: 0, reasoning: false };
    return this.#aliases.map((id) => ({ id, ...facts }));
  }
}
