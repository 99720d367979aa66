// Answers of the person to what was asked of them.
import type { Ui } from "../../output/ui.ts";
import type { Handlers } from "../exchange.ts";

export const uiCommands = (ui: Ui): Handlers<"extension_ui_response"> => ({
  /** Has no response: the asker goes on. */
  extension_ui_response: (command) => ui.answer(command),
});
