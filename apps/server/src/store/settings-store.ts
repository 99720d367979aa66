// What holds for the whole home and is not in the config file: a name and a value each.

export interface SettingsStore {
  read(name: string): Promise<string | null>;
  /** Null: as if it had never been set. */
  write(name: string, value: string | null): Promise<void>;
}
