// What a session is called.
const longestName = 60;

/** The name of a session after its first prompt: its first line, cut between two words. Empty: the prompt has no words. */
export function nameFrom(prompt: string): string {
  const line = prompt.trim().split("\n")[0]?.trim() ?? "";
  if (line.length <= longestName) return line;
  const cut = line.slice(0, longestName);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), longestName / 2)).trimEnd()}…`;
}
