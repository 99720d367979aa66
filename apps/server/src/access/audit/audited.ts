// What is audited, and what an entry says of a call or command. Never what a person typed, unless the operator asks for prompts, and no
// secret: bodies of calls are not copied, a handler adds what is worth knowing with `note`.
import { createHash } from "node:crypto";
import type { ViewerCommand } from "@patchbay/protocol";
import type { FastifyRequest } from "fastify";
import type { Principal } from "../access.ts";
import type { Action } from "../policy.ts";
import type { AuditEvent } from "./audit-log.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the audit says of this call beside its action. */
    auditDetail: Record<string, unknown> | null;
    /** The code of the error that the call ended with. */
    failure: string | null;
  }
}

/** Reading lists, settings and transcripts in which one has a right is not. */
const unaudited: ReadonlySet<Action> = new Set<Action>([
  "page.load",
  "health.read",
  "login.methods",
  "share.read",
  "account.read",
  "people.list",
  "tokens.read",
  "audit.read",
  "agents.list",
  "directories.browse",
  "sessions.list",
  "sessions.search",
  "session.watch",
  "session.changes",
  "permissions.list",
  "costs.read",
  "costs.read-all",
  "imports.read",
  "keys.read",
  "safety.read",
  "metrics.read",
]);

export const isAudited = (action: Action): boolean => !unaudited.has(action);

/** Adds to what the audit says of this call. */
export function note(request: FastifyRequest, detail: Record<string, unknown>): void {
  request.auditDetail = { ...request.auditDetail, ...detail };
}

/** The call, its path without what stands for the target, and what its handler noted. */
export function callEvent(
  request: FastifyRequest,
  action: Action,
  result: string,
): Omit<AuditEvent, "address"> {
  const { actor, method, routeOptions, params, principal } = request;
  const ids = typeof params === "object" && params !== null ? Object.values(params).map(String) : [];
  return {
    person: actor?.person?.id ?? null,
    author: actor?.author.label ?? "",
    via: viaOf(principal),
    action,
    target: ids[0]?.slice(0, 200) ?? "",
    result,
    detail: { call: `${method} ${routeOptions.url ?? ""}`, ...request.auditDetail },
  };
}

export function viaOf(principal: Principal | null): string {
  switch (principal?.kind) {
    case undefined:
      return "";
    case "token":
      return "token";
    case "login":
      return `login ${principal.login.id}`;
    case "personal":
      return `personal ${principal.token.id}`;
  }
}

/** Commands that change nothing of weight: which keys a panel gets, which commands there are. */
const lightCommands: ReadonlySet<ViewerCommand["type"]> = new Set([
  "get_commands",
  "panel_key",
  "panel_close",
]);

/** What the audit says of a command; null: nothing. `texts`: the operator wants prompts as they are. */
export function commandDetail(command: ViewerCommand, texts: boolean): Record<string, unknown> | null {
  if (lightCommands.has(command.type)) return null;
  const written = (text: string) => (texts ? { text } : { sha256: sha256(text), length: text.length });
  switch (command.type) {
    case "prompt":
    case "steer":
    case "follow_up":
    case "abort_and_prompt":
      return {
        command: command.type,
        ...written(command.message ?? ""),
        ...(command.images === undefined ? {} : { images: command.images.length }),
      };
    case "bash":
      return { command: command.type, ...written(command.command) };
    case "run_command":
      return { command: command.type, name: command.name.slice(0, 100), ...written(command.args ?? "") };
    case "extension_ui_response": {
      const { id, value, confirmed, cancelled, remember } = command;
      const short = value?.slice(0, 200);
      return {
        command: "answer",
        question: id,
        ...(short === undefined ? {} : { value: short }),
        ...(confirmed === undefined ? {} : { confirmed }),
        ...(cancelled === undefined ? {} : { cancelled }),
        ...(remember === undefined ? {} : { remember }),
      };
    }
    case "set_approval_mode":
    case "set_jail":
      return { command: command.type, mode: command.mode };
    default:
      return { command: command.type };
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");
