// One line becomes one frame, or a reason why not. Never throws: what a stranger wrote is data.
// A frame of unknown type is kept as it is, because newer workers may say more than we know.
import * as z from "zod/mini";
import { Response } from "../commands/responses.ts";
import { withPossibleFigures } from "../costs/usage.ts";
import { WorkerEvent } from "../events/events.ts";
import { frameBounds, readJson } from "../lines/read-json.ts";
import { ServerEvent } from "./server-frames.ts";
import { isUsualFrame } from "./usual-frame.ts";

export type Frame = WorkerEvent | ServerEvent;

export type FrameReading =
  | { kind: "frame"; frame: Frame }
  | { kind: "response"; response: Response }
  | { kind: "unknown"; type: string; value: Record<string, unknown> }
  /** With a `type`, it is an object of a type we know, with fields we do not understand. */
  | { kind: "malformed"; problem: string; type?: string };

const schemas: ReadonlyMap<string, z.ZodMiniType<Frame>> = new Map(
  [...WorkerEvent.def.options, ...ServerEvent.def.options].flatMap((option) =>
    [...option.shape.type.def.values].map((type) => [type, option] as const),
  ),
);

export function readFrame(line: string): FrameReading {
  const json = readJson(line, frameBounds);
  if (json.ok) return readFrameValue(json.value);
  return { kind: "malformed", problem: `${json.isJson ? json.problem : "not JSON"}: ${excerpt(line)}` };
}

export function readFrameValue(value: unknown): FrameReading {
  if (!isObject(value)) return { kind: "malformed", problem: "not a JSON object" };
  const type = value["type"];
  if (typeof type !== "string") return { kind: "malformed", problem: "no string in its type field" };
  if (type === "response") {
    if (isPlainResponse(value)) return { kind: "response", response: value };
    const read = Response.safeParse(value);
    return read.success
      ? { kind: "response", response: read.data }
      : { kind: "malformed", type, problem: `response: ${explain(read.error)}` };
  }
  if (isUsualFrame(value)) return { kind: "frame", frame: value };
  const schema = schemas.get(type);
  if (schema === undefined) return { kind: "unknown", type, value };
  const read = readWith(
    schema,
    type === "usage" || type === "usage_so_far" ? withPossibleFigures(value) : value,
  );
  if (!read.success) return { kind: "malformed", type, problem: `${type}: ${read.problem}` };
  readFrames.add(read.data);
  return { kind: "frame", frame: read.data };
}

/** Tens of thousands of problems in one value are more than zod can put on the stack. */
function readWith(
  schema: z.ZodMiniType<Frame>,
  value: unknown,
): { success: true; data: Frame } | { success: false; problem: string } {
  try {
    const read = schema.safeParse(value);
    return read.success ? read : { success: false, problem: explain(read.error) };
  } catch (error) {
    if (error instanceof RangeError) return { success: false, problem: "too many problems" };
    throw error;
  }
}

/** What came out of a schema need not go through it a second time. Usual frames are checked again: that costs less than to remember them. */
const readFrames = new WeakSet<Frame>();
export const wasRead = (frame: Frame): boolean => isUsualFrame(frame) || readFrames.has(frame);

/** What the schema accepts, seen without it: people wait for responses, and a schema costs more than reading the line. */
const isPlainResponse = (value: Record<string, unknown>): value is Response =>
  typeof value["command"] === "string" &&
  typeof value["success"] === "boolean" &&
  isTextIfAny(value["id"]) &&
  isTextIfAny(value["error"]);

const isTextIfAny = (value: unknown): boolean => value === undefined || typeof value === "string";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first problem of a value as text: `images.0.data: expected string`. */
export function explain(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "invalid";
  const where = issue.path.map(String).join(".");
  return where === "" ? describe(issue) : `${where}: ${describe(issue)}`;
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `expected ${issue.expected}`;
  if (issue.code === "unrecognized_keys") return `unknown field ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_value") return `expected ${issue.values.map(String).join(" or ")}`;
  if (issue.code === "too_small") return `expected at least ${String(issue.minimum)}`;
  if (issue.code === "too_big") return `expected at most ${String(issue.maximum)}`;
  return issue.message;
}

const excerptLength = 120;
export const excerpt = (text: string): string =>
  text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}…`;
