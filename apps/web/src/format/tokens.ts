// Token counts, short: 812, 18.2k, 1.24M.
import type { Usage } from "@patchbay/protocol";
import { fixed } from "./number.ts";
import { formatTexts } from "./texts.ts";

export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 99_950) return `${trim(fixed(count / 1000, 1))}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${trim(fixed(count / 1e6, 2))}M`;
}

const trim = (digits: string): string => digits.replace(/[.,]?0+$/, "");

const totalInput = (usage: Usage): number => usage.input + usage.cache_read + usage.cache_write;

/** The share of the input that came from the cache, in whole percent; null when there was none. */
export function cachedPercent(usage: Usage): number | null {
  const total = totalInput(usage);
  return total === 0 || usage.cache_read === 0 ? null : Math.round((usage.cache_read / total) * 100);
}

export function formatTokenFlow(usage: Usage): string[] {
  const cached = cachedPercent(usage);
  const input = formatTokens(totalInput(usage));
  return [
    cached === null ? formatTexts.tokensIn(input) : formatTexts.tokensInCached(input, cached),
    formatTexts.tokensOut(formatTokens(usage.output)),
  ];
}
