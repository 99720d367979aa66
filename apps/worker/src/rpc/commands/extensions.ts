// Commands about extensions and their panels.
import type { Lifecycle } from "../../agent/lifecycle.ts";
import type { TurnQueue } from "../../agent/prompts/turn-queue.ts";
import type { Extensions } from "../../extensions/extensions.ts";
import { busyError, type Handlers } from "../exchange.ts";

interface ExtensionParts {
  readonly extensions: Extensions;
  readonly turns: TurnQueue;
  readonly lifecycle: Lifecycle;
}

export function extensionHandlers({
  extensions,
  turns,
  lifecycle,
}: ExtensionParts): Handlers<"reload_extensions" | "panel_key" | "panel_close"> {
  const notOpen = (panel: string): string => `there is no open panel ${panel}`;
  return {
    async reload_extensions(_command, { succeed, fail }) {
      if (turns.busy) return fail(busyError); // tools of an extension may be running
      await lifecycle.open();
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
