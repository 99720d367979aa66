// Asks the person before a tool runs, depending on the approval mode, and in every mode about a concern (concerns.ts).
// Questions come one at a time, also when several calls run at once: an answer of "always" may make the next question
// needless.
import { ApprovalMode, type ToolCallBlock } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Admission, ToolGate } from "../features/contributions.ts";
import type { SettingsRegistry } from "../output/settings-registry.ts";
import type { UiAnswer, UiChannel } from "../output/ui-channel.ts";
import type { Tool } from "../tools/tool.ts";
import type { CreateToolContext } from "../tools/tool-context.ts";
import { type Concern, concernAbout, defaultFence, grantedFence, type Rules } from "./concerns.ts";
import { questionAbout } from "./question.ts";

const answers = { once: "Allow once", deny: "Deny" } as const;
const always = (tool: Tool): string => `Always allow ${tool.name} in this session`;

interface ApprovalParts {
  readonly mode: ApprovalMode;
  readonly settings: SettingsRegistry;
  readonly ui: Pick<UiChannel, "ask">;
  readonly jail: Rules["jail"];
  readonly toolContext: CreateToolContext;
}

export class ApprovalGate implements ToolGate {
  readonly #parts: ApprovalParts;
  #mode: ApprovalMode;
  /** Tools the person has answered "always" for. */
  readonly #always = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  /** Fires when the mode changes: an open question may have become needless. */
  #changed = new AbortController();

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
    this.#mode = parts.mode;
    parts.settings.add("approval_mode", {
      get: () => this.#mode,
      restore: (value) => {
        this.#mode = ApprovalMode.safeParse(value).data ?? this.#mode;
      },
    });
    parts.settings.add("always_allowed", {
      get: () => [...this.#always],
      restore: (value) => {
        for (const name of z.array(z.string()).safeParse(value).data ?? []) this.#always.add(name);
      },
    });
  }

  get mode(): ApprovalMode {
    return this.#mode;
  }

  /** Setting a mode revokes every "always": there is no other way to revoke one. */
  set mode(mode: ApprovalMode) {
    this.#mode = mode;
    this.#always.clear();
    this.#changed.abort();
    this.#changed = new AbortController();
    this.#parts.settings.changed();
  }

  admit(call: ToolCallBlock, tool: Tool, signal: AbortSignal): Promise<Admission> {
    // A call that cannot be examined (wrong arguments, a path of circular links) is refused by the rejection.
    const admission = this.#last.then(() => this.#decide(call, tool, signal));
    this.#last = admission.catch(() => {}); // the caller of this one gets the rejection
    return admission;
  }

  async #decide(call: ToolCallBlock, tool: Tool, signal: AbortSignal): Promise<Admission> {
    while (!signal.aborted) {
      const context = this.#parts.toolContext(signal);
      const rules: Rules = { mode: this.#mode, jail: this.#parts.jail };
      const concern = await concernAbout(call.args, tool, context, rules);
      const edits = tool.effect === "edits" ? defaultFence(context, rules) : undefined;
      const allowed: Admission = { ok: true, args: call.args, ...(edits === undefined ? {} : { edits }) };
      if (concern === null && !this.#asksFor(tool)) return allowed;
      const question = await questionAbout(call, tool, context, concern?.why);
      if ("problem" in question) return { ok: false, reason: question.problem };
      const options =
        concern === null ? [answers.once, always(tool), answers.deny] : [answers.once, answers.deny];
      const changed = this.#changed.signal;
      const answer = await this.#parts.ui.ask(
        "select",
        { ...question.fields, options },
        { signal: AbortSignal.any([signal, changed]) },
      );
      if (changed.aborted && "cancelled" in answer) continue;
      const refused = this.#refusal(answer, tool, concern);
      if (refused !== null) return refused;
      return concern === null || edits === undefined
        ? allowed
        : { ...allowed, edits: grantedFence(concern, context) };
    }
    return { ok: false, reason: "aborted" };
  }

  #asksFor(tool: Tool): boolean {
    if (this.#mode === "full" || tool.effect === "reads" || this.#always.has(tool.name)) return false;
    return this.#mode === "ask" || tool.effect !== "edits";
  }

  /** Null: it was allowed. */
  #refusal(answer: UiAnswer, tool: Tool, concern: Concern | null): Admission | null {
    const value = "value" in answer ? answer.value : "";
    if (value === answers.once) return null;
    if (concern === null && value === always(tool)) {
      this.#always.add(tool.name);
      this.#parts.settings.changed();
      return null;
    }
    const reason = "value" in answer ? (answer.reason?.trim() ?? "") : "";
    return {
      ok: false,
      reason:
        reason === ""
          ? "The user denied this without a reason. Ask before you try something else."
          : `The user denied this. Reason: ${reason}`,
    };
  }
}
