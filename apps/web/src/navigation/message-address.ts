// Links into a transcript. A message is named by its time: numbers of frames are lost when finished turns are
// compacted, positions differ between branches, and every list of costs or search hits knows the time.

/** Where a message of that time is shown; the nearest one, when there is none. `find`: the search terms to highlight in it. */
export const messageAddress = (session: string, time: string | number, find = ""): string =>
  `/sessions/${encodeURIComponent(session)}?at=${encodeURIComponent(String(time))}${
    find === "" ? "" : `&find=${encodeURIComponent(find)}`
  }`;

/** Milliseconds, from RFC 3339 or from milliseconds; null for what is no time. */
export function readAddressTime(at: string | null): number | null {
  if (at === null) return null;
  const time = /^\d{12,14}$/.test(at) ? Number(at) : Date.parse(at);
  return Number.isNaN(time) ? null : time;
}
