// What happens in a session beside its turns: a person's own commands, branches, a new name or model. None of it
// delays a prompt.
import { type Frame, longestName, type Settings } from "@patchbay/protocol";
import type { SessionRecord } from "../store/session-record.ts";
import type { Coalesced } from "./record/coalesced.ts";
import type { CurrentRecord } from "./record/current-record.ts";

export class SideWork {
  readonly #record: CurrentRecord;
  readonly #changes: Coalesced;
  /** A person's own commands that are running. */
  readonly #bash = new Set<string>();

  constructor(record: CurrentRecord, changes: Coalesced) {
    this.#record = record;
    this.#changes = changes;
  }

  get running(): "bash" | null {
    return this.#bash.size > 0 ? "bash" : null;
  }

  workerEnded(): void {
    this.#bash.clear();
  }

  frame(frame: Frame): void {
    switch (frame.type) {
      case "bash_start":
        this.#bash.add(frame.id);
        return this.#changes.signal();
      case "bash_end":
        this.#bash.delete(frame.id);
        return this.#changes.signal();
      case "branched":
      case "branch_switched":
      case "messages_loaded":
        return this.#changes.signal();
      case "session_info_changed": {
        const name = frame.name.slice(0, longestName);
        if (name !== this.#record.current.name) this.#record.note({ name }, "a name could not be saved");
        return;
      }
      case "settings": {
        const change = changedBy(this.#record.current, frame);
        if (change !== null) this.#record.note(change, "its settings could not be noted");
        return;
      }
      default: // belongs to a turn, or concerns the transcript alone
    }
  }
}

/** The model and the agent's session id of the settings, where they differ from the record. */
function changedBy(
  record: SessionRecord,
  { provider, model, agent_session }: Settings,
): Partial<Pick<SessionRecord, "provider" | "model" | "agent_session">> | null {
  const otherModel =
    provider !== undefined && model !== undefined && (provider !== record.provider || model !== record.model);
  const otherSession = agent_session !== undefined && agent_session !== record.agent_session;
  if (!otherModel && !otherSession) return null;
  return { ...(otherModel ? { provider, model } : {}), ...(otherSession ? { agent_session } : {}) };
}
