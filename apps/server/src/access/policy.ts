// Who may do what: one table for every call of HTTP, every command of a session socket and every method of the local socket. Each names
// its action; one without an action is a start error. On a server without people the holder of the token may do everything.
import type { Right, Role, ViewerCommand } from "@patchbay/protocol";

/** What a personal access token may be limited to. `account`: only a person in a browser, never a token. */
export const tokenScopes = ["read", "drive", "approve", "admin"] as const;
export type TokenScope = (typeof tokenScopes)[number];

type Rule =
  /** Without a login. */
  | { who: "anyone" }
  /** A person with this role, or a higher one. */
  | { who: Role; scope: TokenScope | "account" }
  /** A person with this right in the session, or a higher one, whatever their role. */
  | { right: Right; scope: TokenScope };

const anyone = { who: "anyone" } as const;
const own = { right: "own", scope: "drive" } as const;
const drive = { right: "drive", scope: "drive" } as const;
const watch = { right: "watch", scope: "read" } as const;
const approve = { right: "approve", scope: "approve" } as const;
const account = { who: "guest", scope: "account" } as const;
const admin = { who: "admin", scope: "admin" } as const;

const policy = {
  "page.load": anyone,
  "health.read": anyone,
  "login.create": anyone,
  "login.methods": anyone,
  /** With the secret of a share link, which the handler checks. */
  "share.read": anyone,
  "account.read": { who: "guest", scope: "read" },
  "account.change": account,
  "tokens.read": { who: "guest", scope: "read" },
  /** One's own; an admin sees all. */
  "audit.read": { who: "guest", scope: "read" },
  "audit.read-all": { who: "admin", scope: "read" },
  "login.link": { who: "admin", scope: "admin" },
  "people.list": { who: "guest", scope: "read" },
  "people.change": admin,

  "agents.list": { who: "guest", scope: "read" },
  "directories.browse": { who: "member", scope: "drive" },
  "sessions.list": { who: "guest", scope: "read" },
  "sessions.search": { who: "guest", scope: "read" },
  "sessions.create": { who: "member", scope: "drive" },

  "session.watch": watch,
  "session.export": watch,
  "session.changes": watch,
  "session.files": { right: "drive", scope: "read" },
  "session.drive": drive,
  /** A denial is for everybody who drives; what allows something needs `session.allow` too. */
  "session.answer": { right: "drive", scope: "drive" },
  "session.allow": approve,
  "session.change": own,
  "session.delete": own,
  "session.share": { right: "own", scope: "approve" },

  "permissions.list": { who: "guest", scope: "read" },
  /** Of a session or directory where the person may allow: the handler checks. */
  "permissions.revoke": { who: "guest", scope: "approve" },

  /** One's own; an admin sees all. */
  "costs.read": { who: "guest", scope: "read" },
  "costs.read-all": { who: "admin", scope: "read" },
  "prices.change": admin,
  "budgets.change": admin,
  "imports.read": { who: "admin", scope: "read" },
  "imports.run": admin,
  "keys.read": { who: "admin", scope: "read" },
  "keys.change": admin,
  "safety.read": { who: "guest", scope: "read" },
  "safety.change": admin,
  "metrics.read": { who: "admin", scope: "read" },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof policy;

export const ruleOf = (action: Action): Rule => policy[action];

/** The options of a route that needs this action. */
export const may = (action: Action): { config: { action: Action } } => ({ config: { action } });

/** The action of each command of a viewer. */
export const commandActions: Record<ViewerCommand["type"], Action> = {
  hello: "session.watch",
  ping: "session.watch",
  get_state: "session.watch",
  get_messages: "session.watch",
  get_models: "session.watch",
  get_available_models: "session.watch",
  get_branch_messages: "session.watch",
  get_branches: "session.watch",
  get_session_stats: "session.watch",
  get_last_assistant_text: "session.watch",
  get_commands: "session.drive",
  export_html: "session.drive",
  prompt: "session.drive",
  steer: "session.drive",
  follow_up: "session.drive",
  abort_and_prompt: "session.drive",
  run_command: "session.drive",
  compact: "session.drive",
  abort: "session.drive",
  abort_bash: "session.drive",
  abort_retry: "session.drive",
  steer_remove: "session.drive",
  clear: "session.drive",
  set_model: "session.drive",
  cycle_model: "session.drive",
  set_thinking_level: "session.drive",
  cycle_thinking_level: "session.drive",
  set_reasoning: "session.drive",
  set_steering_mode: "session.drive",
  set_follow_up_mode: "session.drive",
  set_interrupt_mode: "session.drive",
  set_auto_compaction: "session.drive",
  set_auto_retry: "session.drive",
  panel_key: "session.drive",
  panel_close: "session.drive",
  new_session: "session.drive",
  switch_session: "session.drive",
  branch: "session.drive",
  switch_branch: "session.drive",
  queue_remove: "session.drive",
  queue_move: "session.drive",
  queue_edit: "session.drive",
  queue_resume: "session.drive",
  queue_retry: "session.drive",
  extension_ui_response: "session.answer",
  /** A person's own command runs unasked, and these decide what an agent may do unasked. */
  bash: "session.allow",
  set_approval_mode: "session.allow",
  set_jail: "session.allow",
  reload_extensions: "session.allow",
  set_session_name: "session.change",
};
