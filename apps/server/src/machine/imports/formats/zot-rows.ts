// Reads rows of zot's session files: `meta` (repeated when the model changes), `message`, and `usage` with the sum so far, after
// a turn or (newer versions) before each answer. Some versions wrote the sum in the field of the turn's usage, so a turn's usage is
// the difference of two sums. A branch copies the rows before it: a sum and the message before it are the same in both files.
import * as z from "zod/mini";
import { callKey, type RowReader, recordedCall, type UsageFigures } from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Row = z.looseObject({ type: z.string() });
const Meta = z.looseObject({
  meta: z.looseObject({ id: z.string(), cwd: text, provider: text, model: text, started: text }),
});
const MessageRow = z.looseObject({ message: z.looseObject({ role: z.string(), time: text }) });
const Usage = z.looseObject({
  cumulative: z.looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    reasoning_tokens: count,
    cost_usd: count,
  }),
});

export const readZotRow: RowReader = (state, row) => {
  switch (Row.safeParse(row).data?.type) {
    case undefined:
      return null;
    case "meta": {
      const meta = Meta.safeParse(row).data?.meta;
      if (meta === undefined) return null;
      const { id: session, cwd, provider, model, started } = meta;
      return { state: { ...state, session, cwd, provider, model, time: state.time || started } };
    }
    case "message": {
      const message = MessageRow.safeParse(row).data?.message;
      if (message === undefined) return null;
      const turn = state.turn + (message.role === "user" ? 1 : 0);
      const answers = state.answers + (message.role === "assistant" ? 1 : 0);
      return { state: { ...state, turn, answers, time: message.time || state.time } };
    }
    case "usage": {
      const sum = Usage.safeParse(row).data?.cumulative;
      if (sum === undefined) return null;
      const total: UsageFigures = {
        input: sum.input_tokens,
        output: sum.output_tokens,
        cache_read: sum.cache_read_tokens,
        cache_write: sum.cache_write_tokens,
        thinking: sum.reasoning_tokens,
        cost_usd: sum.cost_usd,
      };
      const figures = difference(state.total, total);
      const next = { ...state, total, answers: 0 };
      if (figures.input + figures.output + figures.cache_read + figures.cache_write === 0)
        return { state: next };
      const key = callKey("zot", state.time, ...Object.values(total));
      const call = recordedCall(state, key, figures, { time: state.time });
      return { state: next, call: state.answers > 1 ? { ...call, isSum: true } : call };
    }
    default:
      return { state };
  }
};

/** A sum below the one before it was counted from 0 again. */
function difference(before: UsageFigures | null, total: UsageFigures): UsageFigures {
  if (before === null || total.input < before.input || total.output < before.output) return total;
  const nanos = Math.round((total.cost_usd - before.cost_usd) * 1e9);
  return {
    input: total.input - before.input,
    output: total.output - before.output,
    cache_read: Math.max(0, total.cache_read - before.cache_read),
    cache_write: Math.max(0, total.cache_write - before.cache_write),
    thinking: Math.max(0, total.thinking - before.thinking),
    cost_usd: Math.max(0, nanos) / 1e9,
  };
}
