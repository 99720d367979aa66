// The methods that a peer may call after `initialize`, each with the schema of its parameters. Names and shapes are zeroclaw's;
// docs/socket.md lists the additions.
import { explain, messageText, PatchbayError, type SessionInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import { keptOwner } from "../../access/people.ts";
import type { Action } from "../../access/policy.ts";
import type { Actor, Rights } from "../../access/rights.ts";
import type { MachineWorkers } from "../../machine/machine.ts";
import type { Hub } from "../../session/hub/hub.ts";
import { Decision, readDecision, toUiResponse } from "./approve.ts";
import { RpcError, type RpcParams } from "./json-rpc.ts";
import { type LocalViewer, localProgram } from "./local-viewer.ts";

export interface PeerDependencies {
  hub: Hub;
  workers: Pick<MachineWorkers, "list">;
  /** Methods that other parts of the server add. */
  added: ReadonlyMap<string, LocalMethod>;
  /** Creates login links and ends logins. */
  logins: { newLoginUrl(): string; revokeAll(): Promise<number> };
  version: string;
  home: string;
  path: string;
  rights: Rights;
  /** A program of the person who runs the server acts as the holder of its token. */
  actor(): Actor;
}

/** A method that does not depend on its caller. `call` throws an `RpcError` or `PatchbayError`. */
export interface LocalMethod {
  action: Action;
  call(params: RpcParams): Promise<object>;
}

/** The calling peer. */
export interface Caller {
  /** Returns the peer's viewer of the session, and attaches it if needed. */
  viewer(session: string): Promise<LocalViewer>;
  leave(session: string): void;
}

interface Method {
  action: Action;
  call(params: RpcParams, caller: Caller, dependencies: PeerDependencies): Promise<object>;
}

const method = <T>(
  action: Action,
  schema: z.ZodMiniType<T>,
  handle: (params: T, caller: Caller, dependencies: PeerDependencies) => Promise<object>,
): Method => ({
  action,
  call: async (params, caller, dependencies) => handle(parseParams(schema, params), caller, dependencies),
});

export function parseParams<T>(schema: z.ZodMiniType<T>, params: RpcParams): T {
  const read = schema.safeParse(params);
  if (!read.success) throw new RpcError("badParams", `${explain(read.error)}.`);
  return read.data;
}

const Nothing = z.object({});
const OfSession = z.object({ session_id: z.string() });
const NewSession = z.object({
  agent_alias: z.optional(z.string()),
  cwd: z.optional(z.string()),
  session_id: z.optional(z.string()),
  model: z.optional(z.string()),
  name: z.optional(z.string().check(z.maxLength(200))),
});
const Prompt = z.extend(OfSession, { prompt: z.string() });
const List = z.object({ query: z.optional(z.string()), limit: z.optional(z.int().check(z.positive())) });
const Messages = z.extend(OfSession, {
  limit: z.optional(z.int().check(z.positive())),
  before_index: z.optional(z.int().check(z.nonnegative())),
});

/** A cancel is for the owner of a session, and nobody owns one that does not exist: zeroclaw's code for both. */
function notOwned(error: unknown): never {
  if (!(error instanceof PatchbayError) || error.code !== "no_such_session") throw error;
  throw new RpcError("notOwned", error.message);
}

/** The most messages of one response, because peers limit the length of a line. */
const maxMessages = 1_000;

const methods: Readonly<Record<string, Method>> = {
  status: method("sessions.list", Nothing, async (_params, _caller, dependencies) => {
    const { version, home, path } = dependencies;
    const ids = seenViews(dependencies).map(({ id }) => id);
    return {
      server_version: version,
      protocol_version: 1,
      active_sessions: ids.length,
      session_ids: ids,
      config_dir: home,
      local_ipc_endpoint: path,
    };
  }),

  "agents/list": method("agents.list", Nothing, async (_params, _caller, { workers }) => ({
    agents: workers.list().map(({ name, available, reason }) => ({
      alias: name,
      enabled: available,
      channels: [],
      ...(reason === undefined ? {} : { reason }),
    })),
  })),

  "session/new": method(
    "sessions.create",
    NewSession,
    async ({ agent_alias: worker, session_id, ...options }, caller, { hub, rights, actor }) => {
      const wanted = { ...options, ...(worker === undefined ? {} : { worker }) };
      if (session_id !== undefined) rights.check(actor(), "session.drive", session_id);
      const id = session_id ?? (await hub.create(wanted, keptOwner(actor().person))).id;
      const { session } = await caller.viewer(id);
      const view = session.view();
      return {
        session_id: id,
        agent_alias: view.worker,
        message_count: view.message_count,
        workspace_dir: view.cwd,
      };
    },
  ),

  "session/cancel": method("session.drive", OfSession, async ({ session_id }, _caller, { hub }) => {
    const session = await hub.open(session_id).catch(notOwned);
    if (session.turns.running === null) throw new RpcError("noSession", "No active turn for this session");
    await session.turns.abort();
    return { session_id, cancelled: true };
  }),

  "session/approve": method("session.allow", Decision, async (given, _caller, { hub }) => {
    const { session_id, request_id } = given;
    const decision = readDecision(given.decision);
    const session = await hub.open(session_id);
    const question = session.view().pending.find(({ id }) => id === request_id);
    // As in zeroclaw, a late answer is not an error.
    if (question !== undefined) session.answer(toUiResponse(question, decision, given), localProgram);
    return { session_id, request_id, acknowledged: true };
  }),

  /** Ends the worker. The session stays, and the next prompt starts a worker again. */
  "session/close": method("session.drive", OfSession, async ({ session_id }, caller, { hub }) => {
    const session = await hub.open(session_id);
    await session.worker.stop();
    caller.leave(session_id);
    return { session_id, closed: true };
  }),

  "session/list": method("sessions.list", List, async ({ query, limit }, _caller, dependencies) => {
    const wanted = query?.toLowerCase();
    const sessions = seenViews(dependencies)
      .filter(({ name, cwd }) => wanted === undefined || `${name}\n${cwd}`.toLowerCase().includes(wanted))
      .slice(0, limit)
      .map((view) => ({
        session_id: view.id,
        session_key: view.id,
        created_at: view.created_at,
        last_activity: view.updated_at,
        message_count: view.message_count,
        agent_alias: view.worker,
        name: view.name,
        state: view.state,
        cwd: view.cwd,
        model: view.model,
        cost_usd: view.usage.cost_usd,
        unpriced_calls: view.usage.unpriced ?? 0,
      }));
    return { sessions };
  }),

  /** Not of zeroclaw: `patchbay login` and `patchbay logout --all` call them. */
  "logins/code": method("login.link", Nothing, async (_params, _caller, { logins }) => ({
    login_url: logins.newLoginUrl(),
  })),
  "logins/revoke": method("login.link", Nothing, async (_params, _caller, { logins }) => ({
    revoked: await logins.revokeAll(),
  })),

  "session/messages": method(
    "session.watch",
    Messages,
    async ({ session_id, limit, before_index }, _caller, { hub }) => {
      const session = await hub.open(session_id);
      const { messages } = (await session.shownSnapshot()).transcript;
      const end = Math.min(before_index ?? messages.length, messages.length);
      const start = Math.max(0, end - Math.min(limit ?? maxMessages, maxMessages));
      return {
        session_id,
        messages: messages
          .slice(start, end)
          .map((message) => ({ role: message.role, content: messageText(message) })),
        total: messages.length,
        start,
      };
    },
  ),
};

export const methodNames = ({ added }: Pick<PeerDependencies, "added">): string[] => [
  "initialize",
  "session/prompt",
  ...Object.keys(methods),
  ...added.keys(),
];

const seenViews = ({ hub, rights, actor }: PeerDependencies): SessionInfo[] => {
  const who = actor();
  return hub.views().filter(({ id }) => rights.sees(who, id));
};

/** Throws when the caller may not do this in the session that the parameters name. */
function checkRight(action: Action, { session_id }: RpcParams, { rights, actor }: PeerDependencies): void {
  rights.check(actor(), action, typeof session_id === "string" ? session_id : undefined);
}

/** Resolves when the prompt is enqueued; `ended` when its turn has ended. */
export async function startPrompt(
  params: RpcParams,
  caller: Caller,
  dependencies: PeerDependencies,
): Promise<{ ended: Promise<void> }> {
  const { session_id, prompt } = parseParams(Prompt, params);
  checkRight("session.drive", params, dependencies);
  if (prompt.trim() === "") throw new RpcError("badParams", "The prompt is empty.");
  const viewer = await caller.viewer(session_id);
  return { ended: viewer.prompt(prompt) };
}

export async function callMethod(
  name: string,
  params: RpcParams,
  caller: Caller,
  dependencies: PeerDependencies,
): Promise<object> {
  const found = Object.hasOwn(methods, name) ? methods[name] : dependencies.added.get(name);
  if (found === undefined) throw new RpcError("unknownMethod", `Unknown method: ${name}`);
  checkRight(found.action, params, dependencies);
  return found.call(params, caller, dependencies);
}

/** Converts any error to a response for the peer. */
export function rpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof PatchbayError)
    return new RpcError(error.code === "no_such_session" ? "noSession" : "badParams", error.message);
  return new RpcError("internal", error instanceof Error ? error.message : String(error));
}
