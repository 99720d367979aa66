// The differences between pi and omp, whose protocols have a common origin. The rest of this dialect reads this table and
// never checks a program's name. Differences between versions are recognised by the frames that arrive.

export interface Program {
  readonly name: "pi" | "omp";
  /** Its names of commands that it calls differently. Null: it has no such command. */
  readonly commandNames: Readonly<Record<string, string | null>>;
  /** Its abort ends a compaction that it started by itself, and with it a prompt that waited for the compaction. */
  readonly stopsOwnCompaction: boolean;
  readonly capabilities: readonly string[];
}

const shared = [
  "thinking",
  "images",
  "context_window",
  "steer",
  "follow_up",
  "thinking_levels",
  "models",
  "set_model",
  "compact",
  "auto_compaction",
  "auto_retry",
  "branch",
  "bash",
  "stats",
  "export_html",
  "sessions",
  "commands",
  "session_name",
  "extensions",
];

/** Commands of our protocol that neither program has. */
const neither = {
  get_branches: null,
  reload_extensions: null,
  panel_key: null,
  panel_close: null,
  set_approval_mode: null,
  restore_settings: null,
};

export const pi: Program = {
  name: "pi",
  commandNames: {
    ...neither,
    branch: "fork",
    get_branch_messages: "get_fork_messages",
    set_interrupt_mode: null,
  },
  stopsOwnCompaction: false,
  capabilities: shared,
};

export const omp: Program = {
  name: "omp",
  commandNames: { ...neither, get_commands: "get_available_commands" },
  stopsOwnCompaction: true,
  capabilities: [...shared, "interrupt_mode"],
};
