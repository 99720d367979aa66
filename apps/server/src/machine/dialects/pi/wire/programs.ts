// What differs between pi and omp, which share one protocol and its history. Everything else in this folder asks
// this table and never a program's name. What differs between versions is read off the frames that arrive.

export interface Program {
  readonly name: "pi" | "omp";
  /** Its words for commands that it calls otherwise; null: it has no such command. */
  readonly words: Readonly<Record<string, string | null>>;
  /** Its abort ends a compaction that it began by itself, and with it a prompt that waited for that. */
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

/** Commands of ours that neither has. */
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
  words: {
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
  words: { ...neither, get_commands: "get_available_commands" },
  stopsOwnCompaction: true,
  capabilities: [...shared, "interrupt_mode"],
};
