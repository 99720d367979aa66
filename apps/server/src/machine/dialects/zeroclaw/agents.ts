// The daemon's agents. They are what a person can choose at this worker, so they are listed as its models.
import type { ModelInfo } from "@patchbay/protocol";
import { AgentList } from "./schemas.ts";

export class DaemonAgents {
  #aliases: string[] = [];
  #chosen = "";

  get chosen(): string {
    return this.#chosen;
  }

  /** Takes the response to `agents/list`. The first enabled agent is the default. */
  load(listed: unknown): void {
    this.#aliases = AgentList.parse(listed)
      .agents.filter(({ enabled }) => enabled)
      .map(({ alias }) => alias);
    const [first] = this.#aliases;
    if (first === undefined) throw new Error("No agent is enabled in the daemon. Enable one in zeroclaw.");
    this.#chosen ||= first;
  }

  /** Returns true when it was not the chosen one before. */
  choose(wanted: string): boolean {
    const alias = this.#aliases.find((name) => name === wanted || `zeroclaw/${name}` === wanted);
    if (alias === undefined)
      throw new Error(`The daemon has no agent "${wanted}". It has: ${this.#aliases.join(", ")}.`);
    const isOther = alias !== this.#chosen;
    this.#chosen = alias;
    return isOther;
  }

  models(): ModelInfo[] {
    const facts = { provider: "zeroclaw", context_window: 0, max_output: 0, reasoning: false };
    return this.#aliases.map((id) => ({ id, ...facts }));
  }
}
