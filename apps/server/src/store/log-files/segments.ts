// The files of one session's log. A raw segment has every frame, one per line, and is named by the number of its first
// (`000000000001.frames`). A settled file has finished turns without their deltas, and is named by its range of numbers
// (`000000000001-000000004711.settled`).
import { join } from "node:path";

export interface RawName {
  kind: "raw";
  base: number;
}

export interface SettledName {
  kind: "settled";
  from: number;
  to: number;
}

const pad = (seq: number): string => String(seq).padStart(12, "0");

export const rawSegmentPath = (directory: string, base: number): string =>
  join(directory, `${pad(base)}.frames`);

export const settledPath = (directory: string, from: number, to: number): string =>
  join(directory, `${pad(from)}-${pad(to)}.settled`);

/** Sorted by their frames. Other files and drafts are ignored. */
export function readNames(files: readonly string[]): { raw: RawName[]; settled: SettledName[] } {
  const raw: RawName[] = [];
  const settled: SettledName[] = [];
  for (const file of files) {
    const frames = /^(\d{12})\.frames$/.exec(file);
    if (frames !== null) raw.push({ kind: "raw", base: Number(frames[1]) });
    const range = /^(\d{12})-(\d{12})\.settled$/.exec(file);
    if (range !== null) settled.push({ kind: "settled", from: Number(range[1]), to: Number(range[2]) });
  }
  return { raw: raw.sort((a, b) => a.base - b.base), settled: settled.sort((a, b) => a.from - b.from) };
}

/** Raw segments that a settled file has replaced. They remain after a crash between writing the one and removing the other. */
export function replaced(raw: readonly RawName[], settled: readonly SettledName[]): RawName[] {
  return raw.filter(({ base }) => settled.some(({ from, to }) => base >= from && base <= to));
}
