// Runs a slash command of an extension: sends it, and carries out the answer.
import type { CommandOutcome } from "../features/slash-command.ts";
import type { PanelRegistry } from "./panel-registry.ts";
import type { AnswerOf } from "./process/calls.ts";
import type { Registrations } from "./registrations.ts";

export async function runExtensionCommand(
  entry: Registrations,
  panels: PanelRegistry,
  name: string,
  args: string,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const { extension } = entry;
  const timeoutMs = extension.timeout("command_ms");
  const outcome = await extension.ask("command_response", { timeoutMs, signal }, (id) => ({
    type: "command_invoked",
    id,
    name,
    ...(args === "" ? {} : { args }),
  }));
  switch (outcome.kind) {
    case "answer":
      return carryOut(entry, panels, name, outcome.frame);
    case "timeout":
      throw new Error(`extension ${extension.name} did not answer /${name} within ${timeoutMs / 1_000} s`);
    case "aborted":
      throw new Error(`/${name} was stopped`);
    case "gone":
      throw new Error(`/${name} failed: ${outcome.why}`);
  }
}

function carryOut(
  entry: Registrations,
  panels: PanelRegistry,
  name: string,
  frame: AnswerOf<"command_response">,
): CommandOutcome {
  if (frame.error) throw new Error(`/${name}: ${frame.error}`);
  const missing = (field: string): Error =>
    new Error(
      `extension ${entry.extension.name} answered /${name} with ${frame.action}, but without ${field}`,
    );
  switch (frame.action) {
    case "prompt":
      if (!frame.prompt) throw missing("a prompt");
      return { action: "prompt", text: frame.prompt };
    case "insert":
      if (!frame.insert) throw missing("a text to insert");
      entry.insert(frame.insert);
      return { action: "done", data: { action: "insert", text: frame.insert } };
    case "display":
      if (!frame.display) throw missing("a text to display");
      entry.display(frame.display);
      return { action: "done", data: { action: "display", text: frame.display } };
    case "open_panel":
      if (!frame.open_panel) throw missing("a panel");
      panels.open(entry.extension, frame.open_panel);
      return { action: "done", data: { action: "open_panel", panel: frame.open_panel.id } };
    case "noop":
    case "":
    case undefined:
      return { action: "done", data: { action: "noop" } };
  }
}
