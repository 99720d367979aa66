// The system prompt: the agent's task and environment. Short on purpose: it is paid for with each call,
// and models know how to code.
import { platform } from "node:os";
import { resolve } from "node:path";
import type { ToolName } from "../../config/flags.ts";
import type { PromptSource } from "../../features/contributions.ts";

export interface SystemPromptParts {
  readonly conversation: { readonly cwd: string };
  readonly promptSources: readonly PromptSource[];
  /** The built-in tools in use. */
  readonly toolNames: readonly ToolName[];
  /** Replaces the built-in prompt. */
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: readonly string[];
}

export async function createSystemPrompt(
  { conversation, promptSources, toolNames, systemPrompt, appendSystemPrompt }: SystemPromptParts,
  now: Date,
): Promise<string> {
  const base = systemPrompt ?? agentPrompt(toolNames, conversation.cwd, now);
  const sections = await Promise.all(promptSources.map((source) => source.section()));
  const given = sections.flatMap((section) => section ?? []);
  return [base, ...given, ...appendSystemPrompt].join("\n\n");
}

const toolAdvice = {
  read: "- read: look at files; always before you change them. Continue long files with offset.",
  edit: "- edit: change existing files; oldText must match exactly and occur once. Prefer it to write.",
  write: "- write: create files, or replace one completely.",
  grep: "- grep: find where something is used or defined. Quicker than bash, and leaves out ignored files.",
  find: "- find: find files by name.",
  ls: "- ls: see what is in a directory.",
  bash: "- bash: build, test, git. Commands get no input and end with the call; give slow ones a timeout.",
} as const;

function agentPrompt(names: readonly ToolName[], cwd: string, now: Date): string {
  const tools = names.map((name) => toolAdvice[name]);
  return [
    `You are a coding agent in Patchbay. A person watches you work in a browser and reads your answers as markdown.`,
    `Working directory: ${resolve(cwd)} (relative paths start here)\nPlatform: ${platform()}\nDate: ${now.toISOString().slice(0, 10)}`,
    ...(tools.length === 0 ? [] : [`Tools:\n${tools.join("\n")}`]),
    `How to work:
- Do what was asked, completely, and nothing beyond it. Look before you decide; do not guess what a file holds.
- Follow the conventions of the code around you. Add no comments that only repeat the code.
- After a change, check it: run the tests or the program where that is possible, and say plainly what you could not check.
- When something fails, read the error and find the cause; do not repeat the same attempt.
- Ask before anything that destroys data or leaves the working directory, unless it was asked for.
- Answer briefly. Name files by path, quote only the lines that matter, and say what you did and what is left.`,
  ].join("\n\n");
}
