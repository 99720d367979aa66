// A snapshot's messages, checked without a schema where they are plainly what they should be: ten thousand of them
// go through zod in a third of a second, and through this in a few milliseconds. What is not plain, zod reads.
import { ServerLine, SnapshotLine } from "@patchbay/protocol";

type Found = ReturnType<typeof ServerLine.safeParse>;

export function readServerLine(value: unknown): Found {
  if (!isObject(value) || value["type"] !== "snapshot" || !Array.isArray(value["messages"]))
    return ServerLine.safeParse(value);
  const messages: unknown[] = value["messages"];
  const read = SnapshotLine.safeParse({
    ...value,
    messages: messages.filter((message) => !isPlain(message)),
  });
  if (!read.success) return read;
  const others = read.data.messages.values();
  const all = messages.map((message) => (isPlain(message) ? message : others.next().value));
  return { success: true, data: { ...read.data, messages: all.flatMap((message) => message ?? []) } };
}

type Message = SnapshotLine["messages"][number];

/** A message of texts, thoughts, calls and results alone, each with its fields, and nothing optional but times. */
function isPlain(value: unknown): value is Message {
  if (!isObject(value) || value["bash"] !== undefined || typeof value["time"] !== "string") return false;
  const { role, content, entry_id, steering } = value;
  if (role !== "user" && role !== "assistant" && role !== "tool") return false;
  if (!isOptional(entry_id, "string") || !isOptional(steering, "boolean")) return false;
  return Array.isArray(content) && content.every(isPlainBlock);
}

function isPlainBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" && isOptional(block["mention"], "string");
    case "thinking":
      return (
        typeof block["text"] === "string" &&
        isOptional(block["signature"], "string") &&
        isOptional(block["duration_ms"], "number")
      );
    case "tool_call":
      return typeof block["id"] === "string" && typeof block["name"] === "string" && "args" in block;
    case "tool_result":
      return (
        typeof block["call_id"] === "string" &&
        typeof block["is_error"] === "boolean" &&
        isOptional(block["duration_ms"], "number") &&
        (block["details"] === undefined || isObject(block["details"])) &&
        Array.isArray(block["content"]) &&
        block["content"].every((part) => isObject(part) && part["type"] === "text" && isPlainBlock(part))
      );
    default:
      return false;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isOptional = (value: unknown, type: "string" | "number" | "boolean"): boolean =>
  value === undefined || typeof value === type;
