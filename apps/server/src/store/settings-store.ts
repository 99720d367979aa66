// Settings of the home that are not in the config file: a name and a value each.

export interface SettingsStore {
  read(name: string): Promise<string | null>;
  /** Null: removes the setting. */
  write(name: string, value: string | null): Promise<void>;
}
