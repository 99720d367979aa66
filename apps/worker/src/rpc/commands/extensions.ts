// Commands about extensions and their panels.
import type { Agent } from "../../agent/agent.ts";
import type { Extensions } from "../../extensions/extensions.ts";
import { busyError, type Handlers } from "../exchange.ts";

export function extensionCommands(
  agent: Agent,
  extensions: Extensions,
): Handlers<"reload_extensions" | "panel_key" | "panel_close"> {
  const notOpen = (panel: string): string => `there is no open panel ${panel}`;
  return {
    async reload_extensions(_command, { succeed, fail }) {
      if (agent.turns.busy) return fail(busyError); // its tools may be at work
      await agent.open();
      succeed({ extensions: await extensions.reload() });
    },
    panel_key({ panel, extension, key, text }, { succeed, fail }) {
      if (extensions.pressKey({ panel, extension }, key, text)) succeed();
      else fail(notOpen(panel));
    },
    panel_close({ panel, extension }, { succeed, fail }) {
      if (extensions.closePanel({ panel, extension })) succeed();
      else fail(notOpen(panel));
    },
  };
}
