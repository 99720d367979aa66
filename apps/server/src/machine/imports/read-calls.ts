// Reads the model calls that a session file records, from where it was last read on. Batches come with the position behind
// them: a caller that saves the position after the calls reads a call twice after a crash, and never misses one.
import { hasPossibleFigures, type PlanLimitsTold } from "@patchbay/protocol";
import type { ReadFile } from "../../store/imported.ts";
import { FileState, type RecordedCall, type RowReader } from "./formats/recorded-call.ts";
import { type ProgramName, rowReaders } from "./program-directories.ts";
import { openSessionFile, rowsOf, tailDigest } from "./read-rows.ts";
import { openWholeSource, stateAt, type WholeSource } from "./session-source.ts";

export interface CallBatch {
  calls: RecordedCall[];
  /** The newest that its rows tell about a plan. */
  limits?: PlanLimitsTold;
  /** Rows that cannot be read. */
  unreadable: number;
  /** Null: no whole row has been read yet. */
  position: ReadFile | null;
}

/** Calls in a batch. */
const batchSize = 500;

/** `known`: how far the file was read before. Yields nothing when the file has nothing new. */
export async function* readCalls(
  program: ProgramName,
  path: string,
  known: ReadFile | undefined,
  signal?: AbortSignal,
): AsyncGenerator<CallBatch> {
  const source = await openWholeSource(program, path, known?.state);
  if (source === null) return yield* readLines(program, path, known, signal);
  try {
    if (source.version !== known?.tail) yield* readWhole(program, path, source, signal);
  } finally {
    await source.close();
  }
}

/** The position comes with the last batch: a reading that was stopped begins again. */
async function* readWhole(
  program: ProgramName,
  path: string,
  source: WholeSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<CallBatch> {
  let calls: RecordedCall[] = [];
  let unreadable = 0;
  const begin = await stateAt(program, path);
  for await (const rows of source.sessions()) {
    let state = begin;
    for await (const row of rows) {
      if (signal?.aborted === true) return;
      const result = row === null ? null : withPossibleFigures(rowReaders[program](state, row));
      if (result === null) unreadable++;
      else ({ state } = result);
      if (result?.call !== undefined) calls.push(result.call);
      if (calls.length < batchSize) continue;
      yield { calls, unreadable, position: null };
      calls = [];
      unreadable = 0;
    }
  }
  yield { calls, unreadable, position: { bytes: 0, tail: source.version, state: source.state() } };
}

async function* readLines(
  program: ProgramName,
  path: string,
  known: ReadFile | undefined,
  signal?: AbortSignal,
): AsyncGenerator<CallBatch> {
  const handle = await openSessionFile(path);
  try {
    const { size } = await handle.stat();
    const continues =
      known !== undefined && known.bytes <= size && (await tailDigest(handle, known.bytes)) === known.tail;
    let at = continues ? known.bytes : 0;
    let state = continues ? FileState.parse(JSON.parse(known.state)) : await stateAt(program, path);
    let calls: RecordedCall[] = [];
    let limits: PlanLimitsTold | undefined;
    let unreadable = 0;
    const batch = async (): Promise<CallBatch> => {
      const tail = at === 0 ? "" : await tailDigest(handle, at);
      const position = at === 0 ? null : { bytes: at, tail, state: JSON.stringify(state) };
      const read = { calls, unreadable, position, ...(limits === undefined ? {} : { limits }) };
      calls = [];
      unreadable = 0;
      return read;
    };
    for await (const { row, end, whole } of rowsOf(handle, at)) {
      const result = row === null ? null : withPossibleFigures(rowReaders[program](state, row));
      if (result?.call !== undefined) calls.push(result.call);
      limits = result?.limits ?? limits;
      // A last line without LF may be incomplete. It is read again next time, when its call is known and not counted twice.
      if (!whole) break;
      if (result === null) unreadable++;
      else ({ state } = result);
      at = end;
      if (calls.length >= batchSize) yield await batch();
      if (signal?.aborted === true) break;
    }
    if (at !== known?.bytes || calls.length > 0 || !continues) yield await batch();
  } finally {
    await handle.close();
  }
}

/** Null: the row has figures that no call can have. */
const withPossibleFigures = (result: ReturnType<RowReader>): ReturnType<RowReader> =>
  result?.call === undefined || hasPossibleFigures({ ...result.call }) ? result : null;
