// The switch of this folder. What is here uses parts of Node and ws that they do not document, for speed alone: without it the
// server does the same by their documented interfaces. `fast_io` of the config file, or PATCHBAY_FAST_IO, turns it off, as a
// whole or in part; `npm run bench -- fast-io` measures what each part gives.

export const fastIoParts = ["read-buffers", "read-pace", "text-frame"] as const;
export type FastIoPart = (typeof fastIoParts)[number];

/** Of the whole process, because all workers share the buffers that they are read into. */
let used: ReadonlySet<FastIoPart> = new Set(fastIoParts);

/** Called once, before a worker is started. */
export function useFastIo(parts: readonly FastIoPart[]): void {
  used = new Set(parts);
}

export const usesFastIo = (part: FastIoPart): boolean => used.has(part);
