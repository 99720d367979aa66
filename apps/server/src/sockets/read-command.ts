// One line of a viewer becomes a command, or the answer that tells what is wrong with it.
import {
  CommandEnvelope,
  CommandId,
  commandBounds,
  explain,
  type Response,
  readJson,
  ViewerCommand,
  viewerCommandTypes,
} from "@patchbay/protocol";

export type CommandReading = { ok: true; command: ViewerCommand } | { ok: false; answer: Response };

export function readCommand(line: string): CommandReading {
  const json = readJson(line, commandBounds);
  if (!json.ok)
    return notACommand(json.isJson ? `the line is ${json.problem}` : `malformed json: ${json.problem}`);
  const { value } = json;
  if (isBare(value)) return { ok: true, command: value };
  const command = ViewerCommand.safeParse(value);
  return command.success ? { ok: true, command: command.data } : explainRefusal(value, command.error);
}

/** Commands that need nothing but their type. */
const bareTypes: ReadonlySet<unknown> = new Set(
  [...viewerCommandTypes].filter((type) => ViewerCommand.safeParse({ type }).success),
);

/** What the schema accepts, seen without it: people wait for the answer, and a schema costs more than reading the line. */
function isBare(value: unknown): value is ViewerCommand {
  if (typeof value !== "object" || value === null || !("type" in value) || !bareTypes.has(value.type))
    return false;
  const hasId = "id" in value;
  return Object.keys(value).length === (hasId ? 2 : 1) && (!hasId || CommandId.safeParse(value.id).success);
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
  answer: { type: "response", command, success: false, ...(id === undefined ? {} : { id }), error },
});
