// The settings that a person can change. Each part adds its own; together they are one frame, which the server
// stores and sends to the next worker of the session.
import type { WorkerOutput } from "./worker-output.ts";

export interface Setting {
  get(): unknown;
  /** Restores a value that `get` once returned, perhaps in an older version; an invalid one is ignored. */
  restore(value: unknown): void;
}

export class SettingsRegistry {
  readonly #output: WorkerOutput;
  readonly #settings = new Map<string, Setting>();

  constructor(output: WorkerOutput) {
    this.#output = output;
  }

  /** The name is the field of the `settings` frame. */
  add(name: string, setting: Setting): void {
    this.#settings.set(name, setting);
  }

  values(): Record<string, unknown> {
    return Object.fromEntries([...this.#settings].map(([name, setting]) => [name, setting.get()]));
  }

  /** Writes all settings as one frame; call it after any change. */
  changed(): void {
    this.#output.write({ type: "settings", ...this.values() });
  }

  restore(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) this.#settings.get(name)?.restore(value);
  }
}
