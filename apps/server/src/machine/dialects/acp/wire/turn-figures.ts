// The tokens that an agent reports with the end of a prompt: split by model (`_meta.quota`: claude, codex, gemini), or as one
// sum (`usage`). Agents count differently: their total shows whether thoughts are part of the output, and the cache of the input.
import type { TokenCounts } from "@patchbay/protocol";
import * as z from "zod/mini";

/** What the calls of one model used in a prompt. */
export interface ModelFigures extends TokenCounts {
  /** Undefined: the agent does not report the model. */
  readonly model: string | undefined;
  /** Of the output, what the model thought with. */
  readonly thinking: number;
  /** The agent leaves out what came from a cache, and the thoughts (gemini). */
  readonly isPartial: boolean;
}

/** More than a day of the largest models uses. */
const Count = z.catch(z.number().check(z.nonnegative(), z.maximum(1_000_000_000)), 0);
const Counts = z.looseObject({
  inputTokens: z.number(),
  outputTokens: Count,
  totalTokens: Count,
  /** In `usage`. */
  cachedReadTokens: Count,
  cachedWriteTokens: Count,
  thoughtTokens: Count,
  /** In `_meta.quota`, the same. codex has another name for writes. */
  cachedInputTokens: Count,
  cacheWriteInputTokens: Count,
  reasoningOutputTokens: Count,
});
const BriefCounts = z.looseObject({ input_tokens: Count, output_tokens: Count });
const AnyCounts = z.union([Counts, BriefCounts]);

const Response = z.looseObject({
  usage: z.catch(z.nullish(Counts), null),
  _meta: z.catch(
    z.nullish(
      z.looseObject({
        quota: z.catch(
          z.nullish(
            z.looseObject({
              token_count: z.catch(z.nullish(AnyCounts), null),
              model_usage: z.catch(
                z.array(z.looseObject({ model: z.string().check(z.maxLength(200)), token_count: AnyCounts })),
                [],
              ),
            }),
          ),
          null,
        ),
      }),
    ),
    null,
  ),
});

/** A prompt uses a main model and a few for subagents and titles. */
const maxModels = 20;

/** Reads the response to a prompt. Undefined: the agent reports no tokens. Empty: it reports that none were used. */
export function readFigures(response: unknown): ModelFigures[] | undefined {
  const { usage, _meta } = Response.safeParse(response).data ?? {};
  const quota = _meta?.quota;
  const byModel = (quota?.model_usage ?? [])
    .slice(0, maxModels)
    .map(({ model, token_count }) => figuresOf(token_count, model))
    .filter(isUsed);
  if (byModel.length > 0) return byModel;
  const sum = usage ?? quota?.token_count;
  return sum === null || sum === undefined ? undefined : [figuresOf(sum, undefined)].filter(isUsed);
}

export const isUsed = ({ input, output, cache_read, cache_write }: TokenCounts): boolean =>
  input + output + cache_read + cache_write > 0;

function figuresOf(given: z.infer<typeof AnyCounts>, model: string | undefined): ModelFigures {
  const counts = Counts.safeParse(given).data;
  if (counts === undefined) {
    const { input_tokens: input, output_tokens: output } = BriefCounts.parse(given);
    return { model, input, output, cache_read: 0, cache_write: 0, thinking: 0, isPartial: true };
  }
  const { outputTokens, totalTokens } = counts;
  const inputTokens = Count.parse(counts.inputTokens);
  const cache_read = counts.cachedReadTokens || counts.cachedInputTokens;
  const cache_write = counts.cachedWriteTokens || counts.cacheWriteInputTokens;
  const thinking = counts.thoughtTokens || counts.reasoningOutputTokens;
  const cached = cache_read + cache_write;
  const [isCacheInInput, isThinkingInOutput] = [
    [true, true],
    [true, false],
    [false, true],
  ].find(
    ([inInput, inOutput]) =>
      totalTokens === inputTokens + outputTokens + (inInput ? 0 : cached) + (inOutput ? 0 : thinking) &&
      (!inInput || cached <= inputTokens) &&
      (!inOutput || thinking <= outputTokens),
  ) ?? [false, false];
  return {
    model,
    input: inputTokens - (isCacheInInput ? cached : 0),
    output: outputTokens + (isThinkingInOutput ? 0 : thinking),
    ...{ cache_read, cache_write, thinking, isPartial: false },
  };
}

/** The sum, under the name of the model that used most. */
export function sumOfModels(figures: readonly ModelFigures[]): ModelFigures {
  const used = ({ input, output, cache_read, cache_write }: TokenCounts) =>
    input + output + cache_read + cache_write;
  const main = figures.reduce((most, one) => (used(one) > used(most) ? one : most), figures[0] ?? nothing);
  return figures.reduce(
    (sum, one) => ({
      model: main.model,
      input: sum.input + one.input,
      output: sum.output + one.output,
      cache_read: sum.cache_read + one.cache_read,
      cache_write: sum.cache_write + one.cache_write,
      thinking: sum.thinking + one.thinking,
      isPartial: sum.isPartial || one.isPartial,
    }),
    nothing,
  );
}

const nothing: ModelFigures = {
  ...{ model: undefined, input: 0, output: 0, cache_read: 0, cache_write: 0, thinking: 0 },
  isPartial: false,
};
