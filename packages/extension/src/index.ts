// The SDK for extensions in TypeScript: typed tools, commands, events, interceptions, panels and questions.
// It has no dependency at run time: bundled, an extension is one file that plain Node runs.
export { type ExtensionOptions, PatchbayExtension } from "./extension.ts";
export type { Panel, PanelHandlers } from "./panels.ts";
export {
  block,
  type CommandResult,
  display,
  insert,
  noop,
  openPanel,
  prompt,
  type ToolOutput,
} from "./results.ts";
export type { ArgsOf, ObjectSchema } from "./schema.ts";
export type { QuestionOptions, Ui } from "./ui.ts";

import { type ExtensionOptions, PatchbayExtension } from "./extension.ts";

/** Register everything, then `run()`. */
export const createExtension = (options: ExtensionOptions): PatchbayExtension =>
  new PatchbayExtension(options);
