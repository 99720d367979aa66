// Reads a line of a viewer as a command. A bad line becomes a response with the reason.
import {
  CommandEnvelope,
  commandBounds,
  explain,
  longestCommandId,
  type Response,
  readJson,
  ViewerCommand,
  viewerCommandTypes,
} from "@patchbay/protocol";

export type CommandReading = { ok: true; command: ViewerCommand } | { ok: false; response: Response };

export function readCommand(line: string): CommandReading {
  const json = readJson(line, commandBounds);
  if (!json.ok)
    return notACommand(json.isJson ? `the line is ${json.problem}` : `malformed json: ${json.problem}`);
  const { value } = json;
  if (isUsual(value)) return { ok: true, command: value };
  const command = ViewerCommand.safeParse(value);
  return command.success ? { ok: true, command: command.data } : explainRefusal(value, command.error);
}

/** Commands that need nothing but their type. */
const bareTypes: ReadonlySet<unknown> = new Set(
  [...viewerCommandTypes].filter((type) => ViewerCommand.safeParse({ type }).success),
);

/** Such a command, or a prompt of text: the same result as the schema, which takes longer than parsing the line. */
function isUsual(value: unknown): value is ViewerCommand {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const isPrompt = value.type === "prompt";
  if (!isPrompt && !bareTypes.has(value.type)) return false;
  for (const name in value) {
    const field: unknown = Reflect.get(value, name);
    const isText = typeof field === "string";
    if (name === "type" || (name === "id" && isText && field.length <= longestCommandId)) continue;
    if (!isPrompt || name !== "message" || !isText) return false;
  }
  return true;
}

function explainRefusal(value: unknown, problem: Parameters<typeof explain>[0]): CommandReading {
  const envelope = CommandEnvelope.safeParse(value);
  if (!envelope.success) {
    return notACommand(
      `A command is an object with a string "type" and, if any, a string "id": ${explain(envelope.error)}.`,
    );
  }
  const { type, id } = envelope.data;
  return refuse(
    type,
    id,
    viewerCommandTypes.has(type) ? `${type}: ${explain(problem)}` : `unknown command "${type}"`,
  );
}

const notACommand = (error: string): CommandReading => refuse("parse", undefined, error);

const refuse = (command: string, id: string | undefined, error: string): CommandReading => ({
  ok: false,
  response: { type: "response", command, success: false, ...(id === undefined ? {} : { id }), error },
});
