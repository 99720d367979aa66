// What every measured bridge looks like to the bench: a process to account for, and links to read.
import type { Links } from "../read.ts";

export interface Bridge extends AsyncDisposable {
  readonly name: string;
  /** Absent for the bare pipe, which has nobody in between. */
  readonly pid?: number | undefined;
  /** It sends a message per line: given fewer frames, or a round would take minutes. */
  readonly slow: boolean;
  /** Links to that many workers, each with one of its own. */
  links(sessions: number): Promise<Links>;
}
