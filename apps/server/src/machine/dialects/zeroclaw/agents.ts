// The daemon's agents. They are what a person can choose at this worker, so they are listed as its models. The daemon lists them in
// random order and does not say what each may do, so none is taken by its position.
import type { ModelInfo } from "@patchbay/protocol";
import { AgentList } from "./schemas.ts";

export class DaemonAgents {
  #aliases: string[] = [];
  #chosen: string | undefined;
  /** Of the model's context, where the daemon has reported it. */
  contextWindow = 0;

  /** Empty: none is chosen yet. */
  get chosen(): string {
    return this.#chosen ?? "";
  }

  /** Takes the response to `agents/list`. A single agent needs no choice. */
  load(listed: unknown): void {
    this.#aliases = AgentList.parse(listed)
      .agents.filter(({ enabled }) => enabled)
      .map(({ alias }) => alias)
      .toSorted();
    const [only, ...others] = this.#aliases;
    if (only === undefined) throw new Error("No agent is enabled in the daemon. Enable one in zeroclaw.");
    if (others.length === 0) this.#chosen ??= only;
  }

  /** Returns true when it was not the chosen one before. */
  choose(wanted: string): boolean {
    const alias = this.#aliases.find((name) => name === wanted || `zeroclaw/${name}` === wanted);
    if (alias === undefined)
      throw new Error(`The daemon has no agent "${wanted}". It has: ${this.#aliases.join(", ")}.`);
    const isOther = alias !== this.#chosen;
    if (isOther) this.contextWindow = 0;
    this.#chosen = alias;
    return isOther;
  }

  /** The agent that a session is opened with. Throws when none is chosen. */
  require(): string {
    if (this.#chosen !== undefined) return this.#chosen;
    const names = this.#aliases.join(", ");
    throw new Error(
      `Choose an agent first: the daemon has ${names}, which may do different things without asking. Choose it like a model, or name one as "model" of this worker in patchbay.config.json.`,
    );
  }

  models(): ModelInfo[] {
    const facts = { provider: "zeroclaw", max_output: 0, reasoning: false };
    return this.#aliases.map((id) => ({
      id,
      context_window: id === this.#chosen ? this.contextWindow : 0,
      ...facts,
    }));
  }
}
