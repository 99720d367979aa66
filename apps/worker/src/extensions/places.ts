// Where extensions lie about, in the order in which they count. Loaded with every worker, so that one
// without extensions needs to load nothing else.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent/agent.ts";

export type Scope = "flag" | "project" | "global";

export interface Place {
  readonly scope: Scope;
  /** Holds a directory per extension. */
  readonly directory: string;
}

export function placesOf({ flags, config, home }: Agent, cwd: string): Place[] {
  if (flags.noExt) return [];
  const places: Place[] = [
    { scope: "project", directory: join(cwd, ".patchbay", "extensions") },
    { scope: "project", directory: join(cwd, ".zot", "extensions") },
    { scope: "global", directory: join(home, "extensions") },
  ];
  if (config.zotHome !== undefined)
    places.push({ scope: "global", directory: join(config.zotHome, "extensions") });
  return places;
}

export function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // absent, or not ours to read: there are no extensions in it
  }
}

/** Whether there is anything to load. */
export const anyExtensions = (agent: Agent, cwd: string): boolean =>
  agent.flags.ext.length > 0 ||
  placesOf(agent, cwd).some(({ directory }) => entriesOf(directory).some((name) => !name.startsWith(".")));
