// Ranks paths by typed letters: an exact name before a prefix of the name, that before letters inside the name, that
// before letters anywhere in the path, in order. Short and shallow paths first.

/** The best of them, best first. */
export function rankPaths(paths: readonly string[], query: string, limit: number): string[] {
  const wanted = query.toLowerCase();
  const ranked: { path: string; score: number }[] = [];
  for (const path of paths) {
    const score = scoreOf(path, wanted);
    if (score !== null) ranked.push({ path, score });
  }
  ranked.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
  return ranked.slice(0, limit).map(({ path }) => path);
}

/** Lower is better; null: it does not match. */
function scoreOf(path: string, wanted: string): number | null {
  const lower = path.toLowerCase();
  const bare = lower.endsWith("/") ? lower.slice(0, -1) : lower;
  const name = bare.slice(bare.lastIndexOf("/") + 1);
  const depth = bare.split("/").length;
  const size = depth * 4 + bare.length / 8;
  if (wanted === "") return size + (name.startsWith(".") ? 50 : 0);
  if (lower === wanted || name === wanted) return size;
  if (name.startsWith(wanted)) return 100 + size;
  if (lower.startsWith(wanted)) return 150 + size;
  if (name.includes(wanted)) return 200 + size;
  if (lower.includes(wanted)) return 300 + size;
  const gaps = gapsIn(lower, wanted);
  return gaps === null ? null : 400 + gaps * 10 + size;
}

/** The number of gaps between the letters; null: the path does not contain them in this order. */
function gapsIn(text: string, wanted: string): number | null {
  let gaps = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next === -1) return null;
    if (next !== at + 1) gaps++;
    at = next;
  }
  return gaps;
}
