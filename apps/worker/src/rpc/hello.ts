// `hello`, which every session waits for: read and answered without the schemas, because loading them
// takes longer than everything else a worker does before its first response.
import type { Response } from "@patchbay/protocol";
import { version } from "../config/version.ts";
import type { Model } from "../models/catalog.ts";
import { failure, success } from "./responses.ts";

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
];

export interface Hello {
  readonly id?: string | undefined;
  readonly token?: string | undefined;
}

const decoder = new TextDecoder();

/** Null: not a hello, or not a plain one; then the full server says what it is. */
export function readHello(line: Uint8Array): Hello | null {
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

/** Who may give commands: anyone, or whoever has said hello with the token. */
export class Gate {
  readonly #token: string;
  open: boolean;
  /** A wrong token is not forgiven: the worker ends. */
  refused = false;

  constructor(token: string) {
    this.#token = token;
    this.open = token === "";
  }

  /** A hello's response. After the first good one its token no longer matters. */
  answer(hello: Hello, model: Model): Response {
    this.open ||= hello.token === this.#token;
    if (!this.open) {
      this.refused = true;
      return failure("hello", hello.id, "invalid token");
    }
    const { provider, id } = model;
    return success("hello", hello.id, { protocol_version: 1, version, provider, model: id, capabilities });
  }
}
