// The switch of this folder. Its files use undocumented parts of Node and ws, only for speed: without them the server does the
// same with the documented interfaces. `fast_io` of the config file, or PATCHBAY_FAST_IO, turns it off, as a whole or in part;
// `npm run bench -- fast-io` measures the gain of each part.

export const fastIoParts = ["read-buffers", "read-pace", "text-frame"] as const;
export type FastIoPart = (typeof fastIoParts)[number];

/** One setting for the process, because all workers share the read buffers. */
let used: ReadonlySet<FastIoPart> = new Set(fastIoParts);

/** Called once, before a worker is started. */
export function useFastIo(parts: readonly FastIoPart[]): void {
  used = new Set(parts);
}

export const usesFastIo = (part: FastIoPart): boolean => used.has(part);
