// Receives calls of the fake model server: reads a call's body, and responds to everything that is not a model call (listings, unknown
// addresses).
import type { IncomingMessage, ServerResponse } from "node:http";
import { field, type ModelCall, text } from "./call.ts";
import type { Route } from "./routes.ts";

/** A prompt with images has a few dozen MB. More is a mistake of the caller. */
const bodyLimit = 64 * 1024 * 1024;

export class BadCall extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "BadCall";
    this.status = status;
  }
}

export async function receiveCall(
  request: IncomingMessage,
  route: Extract<Route, { kind: "call" }>,
  path: string,
): Promise<Omit<ModelCall, "serial">> {
  const raw = await readBody(request);
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    throw new BadCall(400, "the body is not JSON");
  }
  // Gemini requests a stream in the address, the others in the body.
  if (route.provider !== "google" && field(body, "stream") !== true) {
    throw new BadCall(400, "this server answers streaming calls only");
  }
  return {
    provider: route.provider,
    path,
    headers: request.headers,
    body,
    bodyLength: raw.length,
    model: route.model ?? text(field(body, "model")),
    ...route.format.readConversation(body),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    if (!(part instanceof Uint8Array)) throw new BadCall(400, "the body is not bytes");
    size += part.length;
    if (size > bodyLimit) throw new BadCall(413, `the body is longer than ${bodyLimit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

export function listModels(response: ServerResponse, route: Route, models: readonly string[]): void {
  if (route.kind === "tags")
    return sendJson(response, 200, { models: models.map((name) => ({ name, model: name })) });
  if (route.kind === "models" && route.provider === "google") {
    return sendJson(response, 200, { models: models.map((id) => ({ name: `models/${id}` })) });
  }
  const data = models.map((id) => ({ id, object: "model", created: 1_760_000_000, owned_by: "fake" }));
  sendJson(response, 200, { object: "list", data });
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
