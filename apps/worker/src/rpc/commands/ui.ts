// Answers of the person to what was asked of them.
import type { Agent } from "../../agent/agent.ts";
import type { Handlers } from "../exchange.ts";

export const uiCommands = (agent: Agent): Handlers<"extension_ui_response"> => ({
  /** Has no response: the asker goes on. */
  extension_ui_response: (command) => agent.ui.answer(command),
});
