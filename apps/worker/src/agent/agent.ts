// The agent of one session: its conversation, what may be asked of it, and what its surroundings add.
// It is the one object that commands and turns share.
import { resolve } from "node:path";
import { Approvals } from "../approvals/approvals.ts";
import { Trust } from "../approvals/trust.ts";
import type { Config } from "../config/config.ts";
import type { Flags } from "../config/flags.ts";
import type {
  CommandSource,
  Companion,
  PromptSource,
  ToolGate,
  ToolSource,
  TurnListener,
} from "../features/contributions.ts";
import { Jail } from "../jail/jail.ts";
import type { Model } from "../models/catalog.ts";
import type { Output } from "../output/output.ts";
import { Settings } from "../output/settings.ts";
import { Ui } from "../output/ui.ts";
import { Conversation } from "./conversation/conversation.ts";
import { Modes } from "./conversation/modes.ts";
import { RememberedOutput } from "./conversation/recording-output.ts";
import { PersonBash } from "./person-bash.ts";
import { Steering } from "./prompts/steering.ts";
import { TurnQueue } from "./prompts/turn-queue.ts";
import { RetryPause } from "./turn/retry-pause.ts";

export class Agent {
  readonly turns = new TurnQueue({
    joinFollowUps: () => this.modes.followUp === "all",
    changed: () => this.tellQueue(),
  });
  /** How the person wants turns to go. */
  readonly modes: Modes;
  readonly steering = new Steering();
  /** The wait before a failed model call is tried again. */
  readonly retryPause = new RetryPause();
  /** A summary is being written. */
  compacting = false;
  readonly flags: Flags;
  readonly config: Config;
  readonly output: Output;
  readonly conversation: Conversation;
  /** What is kept across sessions lies here; it may not exist. */
  readonly home: string;
  /** Questions and words to the person. */
  readonly ui: Ui;
  /** Which directories may start programs of their own. */
  readonly trust: Trust;
  /** What a person can change, and the next worker of the session gets back. */
  readonly settings: Settings;
  /** The person's own commands. */
  readonly bash: PersonBash;
  readonly toolSources: ToolSource[] = [];
  readonly gates: ToolGate[] = [];
  /** The last gate: the person is asked about what would really run. */
  readonly approvals: Approvals;
  /** What its tools can reach. */
  readonly jail: Jail;
  readonly listeners: TurnListener[] = [];
  readonly promptSources: PromptSource[] = [];
  readonly commandSources: CommandSource[] = [];
  readonly companions: Companion[] = [];
  readonly #closing = new AbortController();
  #opened: Promise<void> | undefined;

  constructor(flags: Flags, config: Config, model: Model, output: Output) {
    this.flags = flags;
    this.config = config;
    this.conversation = new Conversation(flags, config, model);
    this.output = new RememberedOutput(output, this.conversation);
    this.home = resolve(flags.home ?? config.home);
    this.ui = new Ui(this.output);
    this.settings = new Settings(this.output);
    this.modes = new Modes(this.settings, this.conversation, flags);
    this.approvals = new Approvals(this);
    this.jail = new Jail(this);
    this.trust = new Trust({
      home: this.home,
      always: flags.trustProject,
      forbidden: flags.jail === "enforced",
      ui: this.ui,
      settled: () => this.#opened,
    });
    this.bash = new PersonBash(this);
    this.companions.push(this.bash);
  }

  /** Fires when the worker ends: for work that belongs to no turn. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Its place is known: whoever works beside it may start. What comes later waits for them. */
  open(): Promise<void> {
    this.#opened ??= Promise.all(
      this.companions.map((companion) => companion.open(this.conversation.cwd)),
    ).then(() => {
      for (const listener of this.listeners) listener.sessionStarted?.();
    });
    return this.#opened;
  }

  /** What waits has changed. */
  tellQueue(): void {
    const { steering, turns } = this;
    this.output.write({ type: "queue_update", steering: steering.excerpts, follow_up: turns.excerpts });
  }

  /** Resolves when nothing runs: no turn, and no command of the person's. */
  async idle(): Promise<void> {
    while (this.turns.busy || this.bash.running) {
      await this.turns.idle();
      await this.bash.idle();
    }
  }

  async close(): Promise<void> {
    this.ui.close();
    this.#closing.abort("shutdown");
    await Promise.all(this.companions.map((companion) => companion.close()));
    await this.jail.close();
  }
}
