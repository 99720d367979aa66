// What the store keeps of files that other programs wrote: calls, and how far each file was read.
import type { LedgerEntry } from "./ledger-types.ts";

/** What the ledger calls the worker of imported calls, so that every view tells them from those we relayed. */
export const importedWorker = (program: string): string => `${program} (imported)`;
export const isImported = (worker: string): boolean => worker.endsWith(" (imported)");

/** A call that a program's own file tells of; its session is the program's. */
export type ImportedCall = Omit<LedgerEntry, "seq" | "origin" | "call"> & { call: string };

/** What became of imported calls. One that was told again, more completely, is changed. */
export interface ImportOutcome {
  added: ImportedCall[];
  changed: { before: ImportedCall; after: ImportedCall }[];
  known: number;
}

/** How far a file has been read, and what has to be remembered to read on. */
export interface ReadFile {
  bytes: number;
  /** A digest of what stands right before that place: another one is another file. */
  tail: string;
  state: string;
}

export interface ImportStore {
  /** Calls of files. A call is counted once, however many files tell of it, and not at all when a log has it. */
  recordImported(calls: readonly ImportedCall[]): Promise<ImportOutcome>;
  /** The same without recording. */
  tryImported(calls: readonly ImportedCall[]): Promise<ImportOutcome>;
  readFile(path: string): Promise<ReadFile | undefined>;
  saveReadFile(path: string, file: ReadFile): Promise<void>;
  /** Since when the agent's session has been one of ours whose spending the ledger has; undefined: it has not. */
  ownSince(agentSession: string): Promise<string | undefined>;
}
