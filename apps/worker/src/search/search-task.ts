// The task of a search thread and its answer. The thread may be ended at any moment, so it answers once.
import type { Fence } from "@patchbay/sandbox";

interface BaseTask {
  /** A real path: without links. */
  readonly root: string;
  readonly fence: Fence | null;
  /** Which files: a glob of the name, or with a slash of the path below the root. */
  readonly glob: string | null;
  readonly limit: number;
  /** Milliseconds after which it answers with what it has. */
  readonly timeoutMs: number;
}

export interface GrepTask extends BaseTask {
  readonly kind: "grep";
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly context: number;
}

export interface FindTask extends BaseTask {
  readonly kind: "find";
}

export type SearchTask = GrepTask | FindTask;

/** `text` with paths relative to the root. */
export type SearchAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly count: number;
      /** Why it is not everything. */
      readonly cut: "limit" | "time" | null;
    }
  | { readonly ok: false; readonly problem: string };
