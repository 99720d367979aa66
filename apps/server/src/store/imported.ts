// The store of imports from other programs' files: their calls, and how far each file was read.
import type { LedgerEntry, PriceChange } from "./ledger-types.ts";

/** The worker's name of imported calls, so that every view can distinguish them from relayed ones. */
export const importedWorker = (program: string): string => `${program} (imported)`;
export const isImported = (worker: string): boolean => worker.endsWith(" (imported)");

/** A call from a program's own file; its session is the program's. */
export type ImportedCall = Omit<LedgerEntry, "seq" | "origin" | "call"> & { call: string };

/** The result of an import. A call that is read again with more tokens is changed. */
export interface ImportOutcome {
  added: ImportedCall[];
  changed: { before: ImportedCall; after: ImportedCall }[];
  /** Calls of logs that were estimated or unknown, and whose usage a file has: their entries are exact now. */
  settled: PriceChange[];
  known: number;
}

/** How far a file was read, and the reader's state at that place. */
export interface ReadFile {
  bytes: number;
  /** A digest of the bytes before that place. If it differs, the file was replaced. */
  tail: string;
  state: string;
}

export interface ImportStore {
  /** Records calls of files. A call is counted once even if several files have it, and not if a log has it. */
  recordImported(calls: readonly ImportedCall[]): Promise<ImportOutcome>;
  /** The same without recording. */
  previewImported(calls: readonly ImportedCall[]): Promise<ImportOutcome>;
  readFile(path: string): Promise<ReadFile | undefined>;
  saveReadFile(path: string, file: ReadFile): Promise<void>;
  /** Since when the agent's session has been a session of this server with entries in the ledger; undefined: never. */
  ownSince(agentSession: string): Promise<string | undefined>;
}
