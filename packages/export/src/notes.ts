// The marks between messages, as text.
import type { Mark, Usage } from "@patchbay/protocol";

export function noteText(mark: Mark): string {
  switch (mark.kind) {
    case "turn": {
      const ending = mark.error === null ? [] : [`${mark.stop}: ${mark.error}`];
      const took = mark.duration_ms === undefined ? [] : [durationWords(mark.duration_ms)];
      const calls = `${mark.calls} ${mark.calls === 1 ? "call" : "calls"}`;
      const usage = isHidden(mark.usage) ? [] : usageWords(mark.usage);
      return ["turn", calls, ...took, ...usage, ...ending].join(" · ");
    }
    case "unkept":
      return "The agent did not keep the stopped answer.";
    case "error":
      return `Error: ${mark.message}`;
    case "compaction":
      return mark.summary === "" ? "Compacted." : `Compacted. Summary: ${mark.summary}`;
    case "notice":
      return `[${mark.source}] ${mark.text}`;
    case "question":
      return `Asked: ${mark.title} · ${mark.answer ?? "no answer"}`;
    case "retry":
      return `Retried (attempt ${mark.attempt} of ${mark.max_attempts}) after: ${mark.error}`;
    case "worker_exit":
      return mark.reason;
  }
}

/** No turn used nothing: its figures were left out. */
const isHidden = ({ input, output, cache_read, cache_write, cost_usd, unpriced = 0 }: Usage): boolean =>
  input + output + cache_read + cache_write + cost_usd + unpriced === 0;

export function usageWords({
  input,
  output,
  cache_read,
  cache_write,
  cost_usd,
  unpriced,
  estimated,
}: Usage): string[] {
  const read = input + cache_read + cache_write;
  const cached = read > 0 && cache_read > 0 ? ` (${Math.round((cache_read / read) * 100)} % cached)` : "";
  const about = estimated === undefined ? "" : "≈ ";
  const missing = unpriced === undefined ? "" : " + unpriced";
  return [
    `${tokenWords(read)} in${cached}`,
    `${tokenWords(output)} out`,
    ...(cost_usd > 0 || unpriced === undefined
      ? [`${about}$${cost_usd.toFixed(4)}${missing}`]
      : ["unpriced"]),
  ];
}

const tokenWords = (count: number): string =>
  count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;

export const durationWords = (ms: number): string =>
  ms < 60_000
    ? `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
