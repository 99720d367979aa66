// Imports the costs of other programs into the ledger. Reading a file continues at the saved offset, which is saved only after
// the calls before it: after a crash in between, a call is read again but counted once.
import {
  type CostImport,
  type ImportedSums,
  isUnpriced,
  type PlanLimitsTold,
  toNanoDollars,
} from "@patchbay/protocol";
import { errorCode } from "../../diagnostics/error-code.ts";
import type { MachineImports, ProgramName, RecordedCall, Unreadable } from "../../machine/machine.ts";
import { type ImportedCall, type ImportOutcome, importedWorker } from "../../store/imported.ts";
import type { PriceChange } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import type { Prices } from "../prices/prices.ts";
import { type CallPricer, callPricer } from "./call-pricer.ts";

export interface ImportOptions {
  store: Store;
  imports: Pick<MachineImports, "files" | "calls">;
  /** Another home directory to look into. */
  from?: string | undefined;
  dryRun: boolean;
  prices: Prices;
  signal?: AbortSignal;
  /** Calls of sessions that were estimated or unknown are exact now. */
  settled?(changes: readonly PriceChange[]): void;
  /** A file told what is left of a plan. */
  planLimits?(program: ProgramName, limits: PlanLimitsTold): void;
  /** Called after each file. */
  progress?(report: CostImport): void;
}

export class ImportStopped extends Error {
  override message = "The server stopped during the import. Import again to continue.";
}

const maxProblems = 20;
/** The code of errors about what a file contains. */
const unreadable: Unreadable = "UNREADABLE";

export async function importCosts(options: ImportOptions): Promise<CostImport> {
  const run = new CostRun(options);
  await run.importFiles(await options.imports.files(options.from));
  return run.report("done");
}

export const importFile = (options: ImportOptions, program: ProgramName, path: string): Promise<void> =>
  new CostRun(options).importFile(program, path, noSums(program));

class CostRun {
  readonly #options: ImportOptions;
  readonly #startedAt = new Date().toISOString();
  readonly #sums = new Map<ProgramName, ImportedSums>();
  readonly #problems: CostImport["problems"] = [];
  /** Two paths may lead to the same directory: each file is read once. */
  readonly #seenFiles = new Set<string>();
  /** A dry run writes nothing, so calls that other files of this run had too are only known here. */
  readonly #seenCalls = new Set<string>();
  readonly #price: CallPricer;
  readonly #ownSince = new Map<string, string | undefined>();

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#price = callPricer(options.prices);
  }

  report(state: CostImport["state"]): CostImport {
    const { from, dryRun } = this.#options;
    return {
      state,
      dry_run: dryRun,
      ...(from === undefined ? {} : { from }),
      started_at: this.#startedAt,
      ...(state === "running" ? {} : { ended_at: new Date().toISOString() }),
      programs: [...this.#sums.values()].map((sums) => ({ ...sums })),
      problems: [...this.#problems],
    };
  }

  async importFiles(files: readonly { program: ProgramName; path: string }[]): Promise<void> {
    for (const { program, path } of files) {
      if (this.#options.signal?.aborted === true) throw new ImportStopped();
      if (this.#seenFiles.has(path)) continue;
      this.#seenFiles.add(path);
      const sums = this.#sums.get(program) ?? noSums(program);
      this.#sums.set(program, sums);
      sums.files++;
      try {
        await this.importFile(program, path, sums);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        if (this.#problems.length < maxProblems) this.#problems.push({ path, problem: error.message });
      }
      this.#options.progress?.(this.report("running"));
    }
  }

  async importFile(program: ProgramName, path: string, sums: ImportedSums): Promise<void> {
    const { imports, store, dryRun, signal } = this.#options;
    const known = await store.readFile(path);
    for await (const batch of imports.calls(program, path, known, signal)) {
      const { calls, limits, unreadable, position } = batch;
      sums.unreadable += unreadable;
      if (limits !== undefined && !dryRun) this.#options.planLimits?.(program, limits);
      await this.#count(program, calls, sums);
      if (!dryRun && position !== null) await store.saveReadFile(path, position);
    }
  }

  async #count(program: ProgramName, recorded: readonly RecordedCall[], sums: ImportedSums): Promise<void> {
    const { store, dryRun } = this.#options;
    const calls: ImportedCall[] = [];
    for (const call of recorded) {
      if (await this.#isOwn(call)) sums.own++;
      else if (dryRun && this.#seenCalls.has(call.call)) sums.known++;
      else calls.push(this.#toEntry(program, call));
      if (dryRun) this.#seenCalls.add(call.call);
    }
    if (calls.length === 0) return;
    const outcome = await (dryRun ? store.previewImported(calls) : store.recordImported(calls));
    addOutcome(sums, outcome);
    if (!dryRun && outcome.settled.length > 0) this.#options.settled?.(outcome.settled);
  }

  /** Some agents report their session's id to us, but no ids of calls. All calls since then were counted when they were relayed. */
  async #isOwn({ session, time }: RecordedCall): Promise<boolean> {
    if (!this.#ownSince.has(session))
      this.#ownSince.set(session, await this.#options.store.ownSince(session));
    const since = this.#ownSince.get(session);
    return since !== undefined && time >= since;
  }

  #toEntry(program: ProgramName, recorded: RecordedCall): ImportedCall {
    const { cost_usd: _cost, incomplete: _incomplete, session, ...call } = recorded;
    return {
      ...call,
      session: `${program}:${session}`,
      person: "",
      worker: importedWorker(program),
      ...this.#price(recorded),
    };
  }
}

const noSums = (program: ProgramName): ImportedSums => ({
  program,
  files: 0,
  added: 0,
  changed: 0,
  known: 0,
  own: 0,
  cost_usd: 0,
  unpriced: 0,
  unreadable: 0,
});

function addOutcome(sums: ImportedSums, { added, changed, settled, known }: ImportOutcome): void {
  sums.added += added.length;
  sums.changed += changed.length + settled.length;
  sums.known += known;
  const count = (call: Pick<ImportedCall, "cost_nanos" | "price">, sign: 1 | -1): void => {
    sums.cost_usd = (toNanoDollars(sums.cost_usd) + sign * call.cost_nanos) / 1e9;
    if (isUnpriced(call.price)) sums.unpriced += sign;
  };
  for (const call of added) count(call, 1);
  for (const { before, after } of changed) {
    for (const call of before) count(call, -1);
    count(after, 1);
  }
  for (const { entry, ...after } of settled) {
    count(entry, -1);
    count(after, 1);
  }
}

/** A problem of this file only: the import continues with the others. */
const isUnreadable = (error: unknown): error is Error =>
  error instanceof Error &&
  ["ENOENT", "EACCES", "EPERM", "ELOOP", "EIO", "ENXIO", "ENOTDIR", "EISDIR", unreadable].includes(
    errorCode(error) ?? "",
  );
