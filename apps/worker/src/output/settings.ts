// What a person can set about the agent. Each part adds its own settings; together they are one frame,
// which the server keeps and gives back to the next worker of the session.
import type { Output } from "./output.ts";

export interface Setting {
  get(): unknown;
  /** Takes back what `get` once gave, perhaps in an older version: what makes no sense is passed over. */
  restore(value: unknown): void;
}

export class Settings {
  readonly #output: Output;
  readonly #settings = new Map<string, Setting>();

  constructor(output: Output) {
    this.#output = output;
  }

  /** The name is the field of the `settings` frame. */
  add(name: string, setting: Setting): void {
    this.#settings.set(name, setting);
  }

  values(): Record<string, unknown> {
    return Object.fromEntries([...this.#settings].map(([name, setting]) => [name, setting.get()]));
  }

  /** Tells everybody; call it after any change. */
  changed(): void {
    this.#output.write({ type: "settings", ...this.values() });
  }

  restore(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) this.#settings.get(name)?.restore(value);
  }
}
