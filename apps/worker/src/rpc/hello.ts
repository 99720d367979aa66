// `hello`, which every session waits for: read and answered without the schemas, because loading them
// takes longer than everything else a worker does before its first response.
import type { Response } from "@patchbay/protocol";
import { version } from "../config/version.ts";
import type { Model } from "../models/catalog.ts";
import { failureResponse, successResponse } from "./responses.ts";

const capabilities = [
  "restore",
  "thinking",
  "images",
  "context_window",
  "settings",
  "commands",
  "extensions",
  "panels",
  "steer",
  "steer_remove",
  "follow_up",
  "thinking_levels",
  "compact",
  "set_model",
  "models",
  "auto_retry",
  "auto_compaction",
  "approvals",
  "jail",
  "branch",
  "bash",
  "stats",
  "session_name",
  "sessions",
  "export_html",
  "mentions",
  "skills",
  "mcp",
  "call_permits",
];

export interface HelloFields {
  readonly id?: string | undefined;
  readonly token?: string | undefined;
}

const decoder = new TextDecoder();

/** Null: not a hello, or not a plain one; then the full server handles the line. */
export function readHello(line: Uint8Array): HelloFields | null {
  if (line.length > 4_096) return null;
  try {
    const value: unknown = JSON.parse(decoder.decode(line));
    if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "hello")
      return null;
    const id = "id" in value ? value.id : undefined;
    const token = "token" in value ? value.token : undefined;
    if (id !== undefined && typeof id !== "string") return null;
    if (token !== undefined && typeof token !== "string") return null;
    return { id, token };
  } catch {
    return null;
  }
}

/** Whether commands are accepted: always without a token, else after a hello with it. */
export class Gate {
  readonly #token: string;
  open: boolean;
  /** A wrong token was sent: the worker ends. */
  refused = false;

  constructor(token: string) {
    this.#token = token;
    this.open = token === "";
  }

  /** A hello's response. After the first good one its token no longer matters. */
  answer(hello: HelloFields, model: Model): Response {
    this.open ||= hello.token === this.#token;
    if (!this.open) {
      this.refused = true;
      return failureResponse("hello", hello.id, "invalid token");
    }
    const { provider, id } = model;
    return successResponse("hello", hello.id, {
      protocol_version: 1,
      version,
      provider,
      model: id,
      capabilities,
    });
  }
}
