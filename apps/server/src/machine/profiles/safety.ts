// What protects a person from agents here, from the first minute on: where the sandbox works, the built-in agent of a new
// session is confined and runs commands without asking; where it does not, commands ask. The config file overrides both.
// A home from before keeps its earlier way (not confined, never asked) until a person changes that.
import type { ApprovalMode, JailMode, SafetyInfo, UpdateSafety } from "@patchbay/protocol";
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

  static async load(options: SafetyOptions): Promise<Safety> {
    const [safety, hint] = await Promise.all([
      options.settings.read("safety"),
      options.settings.read("safety hint"),
    ]);
    return new Safety(options, safety === "legacy", hint !== "dismissed");
  }

  private constructor(options: SafetyOptions, legacy: boolean, hint: boolean) {
    this.sandbox = options.sandbox;
    this.#options = options;
    this.#legacy = legacy;
    this.#hint = hint;
  }

  /** The config file says that nobody wants to be asked. */
  get fullAccess(): boolean {
    return this.#options.configured.approvals === "full";
  }

  /** How the built-in agent of a new session is set. */
  get defaults(): Defaults {
    const { configured } = this.#options;
    const { works } = this.sandbox;
    const jail = configured.jail ?? (works && !this.#legacy ? "on" : "off");
    const isSafe = this.#legacy || (works && jail !== "off");
    return { jail, approvals: configured.approvals ?? (isSafe ? "full" : "auto-edit") };
  }

  /** For the command line of the built-in worker. It must not look for bubblewrap itself: once is enough. */
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
      configured: configured.jail !== undefined || configured.approvals !== undefined,
      legacy: this.#legacy,
      hint: this.#legacy && this.#hint && configured.jail === undefined,
    };
  }

  /** Saved first: what was said to be safe is safe after a crash too. */
  async update({ legacy, hint }: UpdateSafety): Promise<void> {
    const { settings } = this.#options;
    if (legacy === false) {
      await settings.write("safety", null);
      this.#legacy = false;
    }
    if (hint === false) {
      await settings.write("safety hint", "dismissed");
      this.#hint = false;
    }
  }

  /** One line for whoever starts the server. */
  sentence(): string {
    const { jail, approvals } = this.defaults;
    // A jail that cannot hold asks about every command, whatever the mode.
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
        ? "This home keeps its earlier setting; the page offers to change it"
        : "The config file turns it off";
      return `Sandbox: bubblewrap, not used. ${how}. In new sessions the built-in agent reaches everything you can reach, and ${asks}.`;
    }
    return `Sandbox: bubblewrap. In new sessions the built-in agent reaches only its own directory, and ${asks}.`;
  }
}
