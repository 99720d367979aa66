// Commands about what the agent may do without asking.
import type { Agent } from "../../agent/agent.ts";
import type { Handlers } from "../exchange.ts";

export const safetyCommands = ({ approvals }: Agent): Handlers<"set_approval_mode"> => ({
  set_approval_mode({ mode }, { succeed }) {
    approvals.mode = mode;
    succeed({ mode });
  },
});
