// Reads what was spent outside into the ledger. A file is read on from where it was left, and the place is saved only
// after its calls are: whatever happens in between, a call is told again and counted once.
import {
  type CostImport,
  hasPossibleFigures,
  type ImportedSums,
  isUnpriced,
  toMicroDollars,
} from "@patchbay/protocol";
import type { Prices } from "../../costs/prices/prices.ts";
import { errorCode } from "../../diagnostics/error-code.ts";
import { type ImportedCall, type ImportOutcome, importedWorker } from "../../store/imported.ts";
import type { Store } from "../../store/store.ts";
import { type PriceCall, priced } from "./call-pricer.ts";
import { filesIn, type Place, type ProgramName, placesOf, rowReaders } from "./places.ts";
import { openSessionFile, rowsOf, tailDigest } from "./read-rows.ts";
import { FileState, newFile, type RowReader, type ToldCall } from "./recorded-call.ts";

export interface ImportOptions {
  store: Store;
  environment: Readonly<Record<string, string | undefined>>;
  /** Another home directory to look into. */
  from?: string | undefined;
  dryRun: boolean;
  prices: Prices;
  signal?: AbortSignal;
  /** Told of how far it is, now and then. */
  progress?(report: CostImport): void;
}

export class Stopped extends Error {
  override message =
    "The server was stopped before all was read. Import again: it goes on where this one ended.";
}

/** One write to the ledger. */
const batch = 500;
const mostProblems = 20;

export async function importCosts(options: ImportOptions): Promise<CostImport> {
  const run = new CostRun(options);
  for (const place of placesOf(options.environment, options.from)) await run.place(place);
  return run.report("done");
}

export const importFile = (options: ImportOptions, program: ProgramName, path: string): Promise<void> =>
  new CostRun(options).file(program, path, noSums(program));

class CostRun {
  readonly #options: ImportOptions;
  readonly #startedAt = new Date().toISOString();
  readonly #sums = new Map<ProgramName, ImportedSums>();
  readonly #problems: CostImport["problems"] = [];
  /** Two names of one directory are one place. */
  readonly #seenFiles = new Set<string>();
  /** Without writing, what other files of this run have told is known only here. */
  readonly #seenCalls = new Set<string>();
  readonly #price: PriceCall;
  readonly #ownSince = new Map<string, string | undefined>();

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#price = priced(options.prices);
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

  async place(place: Place): Promise<void> {
    const sums = this.#sums.get(place.program) ?? noSums(place.program);
    for (const file of await filesIn(place)) {
      if (this.#options.signal?.aborted === true) throw new Stopped();
      if (this.#seenFiles.has(file.path)) continue;
      this.#seenFiles.add(file.path);
      this.#sums.set(place.program, sums);
      sums.files++;
      try {
        await this.file(place.program, file.path, sums);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        if (this.#problems.length < mostProblems)
          this.#problems.push({ path: file.path, problem: error.message });
      }
      this.#options.progress?.(this.report("running"));
    }
  }

  async file(program: ProgramName, path: string, sums: ImportedSums): Promise<void> {
    const { store, dryRun, signal } = this.#options;
    const handle = await openSessionFile(path);
    try {
      const known = await store.readFile(path);
      const { size } = await handle.stat();
      const goesOn =
        known !== undefined && known.bytes <= size && (await tailDigest(handle, known.bytes)) === known.tail;
      let at = goesOn ? known.bytes : 0;
      let state = goesOn ? FileState.parse(JSON.parse(known.state)) : newFile;
      const read = rowReaders[program];
      let calls: ToldCall[] = [];
      const save = async (): Promise<void> => {
        await this.#count(program, calls, sums);
        calls = [];
        if (dryRun || at === 0) return;
        await store.saveReadFile(path, {
          bytes: at,
          tail: await tailDigest(handle, at),
          state: JSON.stringify(state),
        });
      };
      for await (const { row, end, whole } of rowsOf(handle, at)) {
        const told = row === null ? null : readable(read(state, row));
        if (told?.call !== undefined) calls.push(told.call);
        // A last line without its end is read again when it has one, and its call known by then.
        if (!whole) break;
        if (told === null) sums.unreadable++;
        else ({ state } = told);
        at = end;
        if (calls.length >= batch) await save();
        if (signal?.aborted === true) break;
      }
      if (at !== known?.bytes || calls.length > 0 || !goesOn) await save();
    } finally {
      await handle.close();
    }
  }

  async #count(program: ProgramName, told: readonly ToldCall[], sums: ImportedSums): Promise<void> {
    const { store, dryRun } = this.#options;
    const calls: ImportedCall[] = [];
    for (const call of told) {
      if (await this.#isOwn(call)) sums.own++;
      else if (dryRun && this.#seenCalls.has(call.call)) sums.known++;
      else calls.push(this.#toEntry(program, call));
      if (dryRun) this.#seenCalls.add(call.call);
    }
    if (calls.length === 0) return;
    addOutcome(sums, await (dryRun ? store.tryImported(calls) : store.recordImported(calls)));
  }

  /** Of agents that name their session to us and not their calls, all since then is counted where it was relayed. */
  async #isOwn({ session, time }: ToldCall): Promise<boolean> {
    if (!this.#ownSince.has(session))
      this.#ownSince.set(session, await this.#options.store.ownSince(session));
    const since = this.#ownSince.get(session);
    return since !== undefined && time >= since;
  }

  #toEntry(program: ProgramName, told: ToldCall): ImportedCall {
    const { cost_usd: _told, session, ...call } = told;
    return {
      ...call,
      session: `${program}:${session}`,
      person: "",
      worker: importedWorker(program),
      ...this.#price(told),
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

function addOutcome(sums: ImportedSums, { added, changed, known }: ImportOutcome): void {
  sums.added += added.length;
  sums.changed += changed.length;
  sums.known += known;
  const count = (call: ImportedCall, sign: 1 | -1): void => {
    sums.cost_usd = (toMicroDollars(sums.cost_usd) + sign * call.cost_micros) / 1e6;
    if (isUnpriced(call.price)) sums.unpriced += sign;
  };
  for (const call of added) count(call, 1);
  for (const { before, after } of changed) {
    count(before, -1);
    count(after, 1);
  }
}

/** The file's own fault, and no reason to leave out the others. */
const isUnreadable = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === "it is not a file" ||
    ["ENOENT", "EACCES", "EPERM", "ELOOP", "EIO", "ENXIO"].includes(errorCode(error) ?? ""));

/** Null: it says of a call what no call can have used. */
const readable = (told: ReturnType<RowReader>): ReturnType<RowReader> =>
  told?.call === undefined || hasPossibleFigures({ ...told.call }) ? told : null;
