// One input line becomes one command, or the response that explains what is wrong with it.
// A line that is no JSON object, or whose id is no string, is answered without an id, as zot does.
import { CommandEnvelope, explain, type Response, WorkerCommand } from "@patchbay/protocol";
import { failureResponse } from "./responses.ts";

export type WorkerCommandReading = { ok: true; command: WorkerCommand } | { ok: false; response: Response };

const known: ReadonlySet<string> = new Set(
  WorkerCommand.def.options.flatMap((option) => [...option.shape.type.def.values]),
);

const decoder = new TextDecoder();

export function readWorkerCommand(line: Uint8Array): WorkerCommandReading {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch (error) {
    return malformed(error instanceof Error ? error.message : String(error));
  }
  const envelope = CommandEnvelope.safeParse(value);
  if (!envelope.success) return malformed(explain(envelope.error));
  const { type, id } = envelope.data;
  if (!known.has(type)) return { ok: false, response: failureResponse(type, id, "unknown command") };
  const command = WorkerCommand.safeParse(value);
  if (!command.success) return { ok: false, response: failureResponse(type, id, explain(command.error)) };
  return { ok: true, command: command.data };
}

const malformed = (problem: string): WorkerCommandReading => ({
  ok: false,
  response: failureResponse("", undefined, `malformed json: ${problem}`),
});
