// Reads messages of opencode, which are values of the same form in its files and in its database. A fork copies messages under new
// ids: a call is told by its model and by when it began and ended. A message of versions before 0.8 has several calls: their cost, and the
// tokens of the last one.
import * as z from "zod/mini";
import { callKey, type RowReader, recordedCall } from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Head = z.looseObject({ role: z.string(), sessionID: z.string() });
const Path = z.catch(z.optional(z.looseObject({ cwd: text })), undefined);
const Answer = z.looseObject({
  providerID: text,
  modelID: text,
  cost: count,
  path: Path,
  /** Absent or empty in messages of versions that may have several calls in one. */
  parentID: text,
  time: z.looseObject({
    created: z.number().check(z.nonnegative()),
    completed: z.catch(z.optional(z.number()), undefined),
  }),
  /** The input is without cached tokens, the output without reasoning. */
  tokens: z.catch(
    z.optional(
      z.looseObject({
        input: count,
        output: count,
        reasoning: count,
        cache: z.catch(z.looseObject({ read: count, write: count }), { read: 0, write: 0 }),
      }),
    ),
    undefined,
  ),
});
const Prompt = z.looseObject({ time: z.catch(z.looseObject({ created: count }), { created: 0 }) });

export const readOpencodeRow: RowReader = (state, given) => {
  const head = Head.safeParse(given).data;
  if (head === undefined) return null;
  const at = { ...state, session: head.sessionID };
  if (head.role === "user") {
    const { created } = Prompt.parse(given).time;
    return { state: { ...at, turn: at.turn + 1, time: toTime(created) || at.time } };
  }
  if (head.role !== "assistant") return { state: at };
  const answer = Answer.safeParse(given).data;
  if (answer === undefined) return null;
  const { providerID: provider, modelID: model, cost, path, parentID, time, tokens } = answer;
  const next = { ...at, provider, model, cwd: path?.cwd || at.cwd, time: toTime(time.created) || at.time };
  if (tokens === undefined) return { state: next };
  const figures = {
    input: tokens.input,
    output: tokens.output + tokens.reasoning,
    cache_read: tokens.cache.read,
    cache_write: tokens.cache.write,
    thinking: tokens.reasoning,
    cost_usd: cost,
  };
  if (figures.input + figures.output + figures.cache_read + figures.cache_write === 0) return { state: next };
  const key = (completed: number) => callKey("opencode", provider, model, time.created, completed);
  const { completed = 0 } = time;
  const call = {
    ...recordedCall(next, key(completed), figures, { time: next.time }),
    ...(parentID === "" && cost === 0 ? { incomplete: true as const } : {}),
  };
  // It may have been read before it ended.
  return { state: next, call: completed === 0 ? call : { ...call, also: [key(0)] } };
};

/** Empty: no time, or one beyond those that a date can have. */
function toTime(millis: number): string {
  const date = new Date(millis);
  return millis === 0 || Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
