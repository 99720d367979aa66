// Commands about what the agent may do without asking, and what it can reach at all.
import type { Agent } from "../../agent/agent.ts";
import type { Handlers } from "../exchange.ts";

export const safetyCommands = ({ approvals, jail }: Agent): Handlers<"set_approval_mode" | "set_jail"> => ({
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
