// Token counts, short: 812, 18.2k, 1.24M.
import type { Usage } from "@patchbay/protocol";

export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 99_950) return `${trim((count / 1000).toFixed(1))}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${trim((count / 1e6).toFixed(2))}M`;
}

const trim = (digits: string): string => digits.replace(/\.?0+$/, "");

const totalInput = (usage: Usage): number => usage.input + usage.cache_read + usage.cache_write;

/** The share of the input that came from the cache, in whole percent; null when there was none. */
export function cachedPercent(usage: Usage): number | null {
  const total = totalInput(usage);
  return total === 0 || usage.cache_read === 0 ? null : Math.round((usage.cache_read / total) * 100);
}

export function formatTokenFlow(usage: Usage): string[] {
  const cached = cachedPercent(usage);
  const input = `${formatTokens(totalInput(usage))} in`;
  return [cached === null ? input : `${input} (${cached} % cached)`, `${formatTokens(usage.output)} out`];
}
