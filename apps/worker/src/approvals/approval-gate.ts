// Asks the person before a tool runs, depending on the approval mode, and in every mode about a concern (concerns.ts).
// Questions come one at a time, also when several calls run at once. Standing permissions are the server's: it answers
// a question that one of them covers.
import { ApprovalMode, type ToolCallBlock } from "@patchbay/protocol";
import type { Admission, ToolGate } from "../features/contributions.ts";
import type { SettingsRegistry } from "../output/settings-registry.ts";
import type { UiAnswer, UiChannel } from "../output/ui-channel.ts";
import type { Tool } from "../tools/tool.ts";
import type { CreateToolContext } from "../tools/tool-context.ts";
import { concernAbout, defaultFence, grantedFence, type Rules } from "./concerns.ts";
import { questionAbout } from "./question.ts";

const allow = { label: "Allow once", value: "Allow once", kind: "allow_once" } as const;
const deny = { label: "Deny", value: "Deny", kind: "reject_once" } as const;

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
  }

  get mode(): ApprovalMode {
    return this.#mode;
  }

  set mode(mode: ApprovalMode) {
    this.#mode = mode;
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
      const changed = this.#changed.signal;
      const answer = await this.#parts.ui.ask(
        "select",
        { ...question.fields, options: [allow, deny] },
        { signal: AbortSignal.any([signal, changed]) },
      );
      if (changed.aborted && "cancelled" in answer) continue;
      if (!("value" in answer) || answer.value !== allow.value) return refusal(answer);
      return concern === null || edits === undefined
        ? allowed
        : { ...allowed, edits: grantedFence(concern, context) };
    }
    return { ok: false, reason: "aborted" };
  }

  #asksFor(tool: Tool): boolean {
    if (this.#mode === "full" || tool.effect === "reads") return false;
    return this.#mode === "ask" || tool.effect !== "edits";
  }
}

/** A dismissed question is a denial. */
function refusal(answer: UiAnswer): Admission {
  const reason = "value" in answer ? (answer.reason?.trim() ?? "") : "";
  return {
    ok: false,
    denied: true,
    reason:
      reason === ""
        ? "The user denied this and gave no reason. Ask before you try something else."
        : `The user denied this. Reason: ${reason}`,
  };
}
