// Commands about what the agent may do without asking, and what it can reach at all.
import type { ApprovalGate } from "../../approvals/approval-gate.ts";
import type { Jail } from "../../jail/jail.ts";
import type { Handlers } from "../exchange.ts";

interface SafetyParts {
  readonly approvals: ApprovalGate;
  readonly jail: Jail;
}

export const safetyHandlers = ({
  approvals,
  jail,
}: SafetyParts): Handlers<"set_approval_mode" | "set_jail"> => ({
  set_approval_mode({ mode }, { succeed }) {
    approvals.mode = mode;
    succeed({ mode });
  },
  async set_jail({ mode }, { succeed, fail }) {
    const problem = await jail.choose(mode);
    if (problem !== null) return fail(problem);
    succeed({ mode: jail.mode });
  },
});
