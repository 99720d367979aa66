// The prompts of an MCP server as slash commands, named `/mcp__server__prompt`. Arguments are given in the
// order the server lists them; the last one takes what is left.
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/client";
import { type CommandOutcome, type SlashCommand, splitArguments } from "../features/slash-command.ts";
import { toResultContent } from "./results.ts";
import type { McpServer } from "./server.ts";
import { toolName } from "./tools.ts";

const maxDescription = 200;
/** A prompt is read by the model once; more than this is a document, which belongs into a resource. */
const maxChars = 200 * 1024;

export function serverCommands(server: McpServer): SlashCommand[] {
  return server.prompts.map(({ name, description, arguments: wanted = [] }) => ({
    name: toolName(server.spec.name, name),
    description: (description ?? name).slice(0, maxDescription),
    source: `mcp: ${server.spec.name}`,
    ...(wanted.length === 0 ? {} : { hint: wanted.map(hint).join(" ") }),
  }));
}

const hint = ({ name, required }: { name: string; required?: boolean | undefined }): string =>
  required ? `<${name}>` : `[${name}]`;

/** Null: the server has no such prompt. */
export async function runServerPrompt(
  server: McpServer,
  command: string,
  args: string,
  signal: AbortSignal,
): Promise<CommandOutcome | null> {
  const prompt = server.prompts.find(({ name }) => toolName(server.spec.name, name) === command);
  if (prompt === undefined) return null;
  const given = argumentsFor(prompt, args);
  const client = await server.client();
  try {
    const result = await client.getPrompt(
      { name: prompt.name, arguments: given },
      { signal, timeout: server.spec.callMs },
    );
    return promptFrom(result);
  } catch (error) {
    throw new Error(await server.explain(error), { cause: error });
  }
}

function argumentsFor({ name, arguments: wanted = [] }: Prompt, args: string): Record<string, string> {
  const values = splitArguments(args);
  const given: Record<string, string> = {};
  wanted.forEach((argument, at) => {
    const value = at === wanted.length - 1 ? values.slice(at).join(" ") : values[at];
    if (value) given[argument.name] = value;
    else if (argument.required) {
      throw new Error(`the prompt ${name} needs ${wanted.map(hint).join(" ")}; ${argument.name} is missing`);
    }
  });
  return given;
}

function promptFrom({ messages }: GetPromptResult): CommandOutcome {
  const alone = messages.every(({ role }) => role === "user");
  const text = messages
    .map(({ role, content }) => {
      const block = toResultContent(content);
      const shown = block.type === "text" ? block.text : `[an image (${block.mime_type})]`;
      return alone ? shown : `${role}: ${shown}`;
    })
    .join("\n\n");
  return { action: "prompt", text: text.slice(0, maxChars) };
}
