// The person's answers to questions.
import type { UiChannel } from "../../output/ui-channel.ts";
import type { Handlers } from "../exchange.ts";

export const uiHandlers = (ui: UiChannel): Handlers<"extension_ui_response"> => ({
  /** Has no response: the part that asked continues. */
  extension_ui_response: (command) => ui.answer(command),
});
