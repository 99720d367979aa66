// What commands, tools and interceptions answer, in the shapes of the protocol.
import type { AnswerTo, PanelSpec } from "./wire.ts";

export type CommandResult = Omit<AnswerTo<"command_response">, "type" | "id">;
export type Verdict = Omit<AnswerTo<"event_intercept_response">, "type" | "id">;
type Content = NonNullable<AnswerTo<"tool_result">["content"]>;

/** A text, or blocks of text and images; `isError` tells the model that it failed. */
export type ToolOutput = string | { readonly content: Content; readonly isError?: boolean };

/** Submitted as if the person had written it. */
export const prompt = (text: string): CommandResult => ({ action: "prompt", prompt: text });
/** Put into the composer, and not sent. */
export const insert = (text: string): CommandResult => ({ action: "insert", insert: text });
/** A note in the session, which the model does not see. */
export const display = (text: string): CommandResult => ({ action: "display", display: text });
export const openPanel = (panel: PanelSpec): CommandResult => ({ action: "open_panel", open_panel: panel });
export const noop = (): CommandResult => ({ action: "noop" });
/** For an interception. */
export const block = (reason: string): Verdict => ({ block: true, reason });
