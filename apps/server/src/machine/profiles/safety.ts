// What protects a person from agents by default: where the sandbox works, the built-in agent of a new session is confined
// and runs commands without asking; where it does not, it asks before commands. The config file overrides both. A home of
// an earlier version keeps its setting (not confined, never asks) until a person changes it.
import {
  ApprovalMode,
  type JailMode,
  PatchbayError,
  type SafetyInfo,
  type UpdateSafety,
} from "@patchbay/protocol";
import type { Sandbox } from "@patchbay/sandbox";
import type { AgentDefaults, SandboxPlaces } from "../../config/config-file.ts";
import type { SettingsStore } from "../../store/settings-store.ts";

interface SafetyOptions {
  readonly sandbox: Sandbox;
  readonly configured: AgentDefaults;
  readonly places: SandboxPlaces;
  readonly settings: SettingsStore;
}

interface Defaults {
  readonly jail: JailMode;
  readonly approvals: ApprovalMode;
}

export class Safety {
  readonly sandbox: Sandbox;
  readonly #options: SafetyOptions;
  #legacy: boolean;
  #hint: boolean;
  /** What a person chose for new sessions; null: nothing. */
  #approvals: ApprovalMode | null;

  static async load(options: SafetyOptions): Promise<Safety> {
    const [safety, hint, approvals] = await Promise.all([
      options.settings.read("safety"),
      options.settings.read("safety hint"),
      options.settings.read("approvals"),
    ]);
    const chosen = ApprovalMode.safeParse(approvals);
    const loaded = new Safety(options, safety === "legacy", hint !== "dismissed");
    loaded.#approvals = chosen.success ? chosen.data : null;
    return loaded;
  }

  private constructor(options: SafetyOptions, legacy: boolean, hint: boolean) {
    this.#approvals = null;
    this.sandbox = options.sandbox;
    this.#options = options;
    this.#legacy = legacy;
    this.#hint = hint;
  }

  /** The config file turns approvals off. */
  get fullAccess(): boolean {
    return this.#options.configured.approvals === "full";
  }

  /** The settings of the built-in agent in a new session. */
  get defaults(): Defaults {
    const { configured } = this.#options;
    const { works } = this.sandbox;
    const jail = configured.jail ?? (works && !this.#legacy ? "on" : "off");
    const isSafe = this.#legacy || (works && jail !== "off");
    return { jail, approvals: configured.approvals ?? this.#approvals ?? (isSafe ? "full" : "auto-edit") };
  }

  /** For the command line of the built-in worker. Includes the sandbox that was found, so that the worker need not look for it. */
  get workerArguments(): string[] {
    const { jail, approvals } = this.defaults;
    const { jail_network } = this.#options.configured;
    const { works: _known, ...found } = this.sandbox;
    return [
      ...["--approvals", approvals, "--jail", jail],
      ...(jail_network === undefined ? [] : ["--jail-network", jail_network ? "on" : "off"]),
      ...["--sandbox", JSON.stringify({ ...found, ...this.#options.places })],
    ];
  }

  view(): SafetyInfo {
    const { configured } = this.#options;
    const { sandbox } = this;
    return {
      sandbox: sandbox.works
        ? { works: true }
        : { works: false, problem: sandbox.problem, remedy: sandbox.remedy },
      ...this.defaults,
      approvals_by:
        configured.approvals !== undefined ? "config" : this.#approvals === null ? "default" : "person",
      configured: configured.jail !== undefined || configured.approvals !== undefined,
      legacy: this.#legacy,
      hint: this.#legacy && this.#hint && configured.jail === undefined,
    };
  }

  /** Saves before it takes effect, so that a confirmed change survives a crash. */
  async update({ legacy, hint, approvals }: UpdateSafety): Promise<void> {
    const { settings, configured } = this.#options;
    if (approvals !== undefined) {
      if (configured.approvals !== undefined) throw new PatchbayError("read_only");
      await settings.write("approvals", approvals);
      this.#approvals = approvals;
    }
    if (legacy === false) {
      await settings.write("safety", null);
      this.#legacy = false;
    }
    if (hint === false) {
      await settings.write("safety hint", "dismissed");
      this.#hint = false;
    }
  }

  /** One line that the server prints or logs at its start. */
  sentence(): string {
    const { jail, approvals } = this.defaults;
    // A jail without a working sandbox asks about every command in every mode.
    const mode = approvals === "full" && jail === "on" && !this.sandbox.works ? "auto-edit" : approvals;
    const asks = {
      full: "runs commands without asking",
      "auto-edit": "asks before it runs commands",
      ask: "asks before it changes anything",
    }[mode];
    if (!this.sandbox.works) {
      const why = `No sandbox (${this.sandbox.problem}). ${this.sandbox.remedy}.`;
      const kept = this.#legacy ? " This home keeps its earlier setting." : "";
      const shell = jail === "enforced" ? "runs no commands: the jail is enforced" : asks;
      return `${why}${kept} In new sessions the built-in agent ${shell}.`;
    }
    if (jail === "off") {
      const how = this.#legacy
        ? "This home keeps its earlier setting; you can change it in the browser"
        : "The config file turns it off";
      return `Sandbox: bubblewrap, not used. ${how}. In new sessions the built-in agent reaches everything you can reach, and ${asks}.`;
    }
    return `Sandbox: bubblewrap. In new sessions the built-in agent reaches only its own directory, and ${asks}.`;
  }
}
