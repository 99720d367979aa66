// An answer of the server to a path, checked against its schema.
import type * as z from "zod/mini";
import { call } from "../../api/http/call.ts";
import { type Answer, useAnswer } from "../../api/http/use-answer.ts";

/** `path` null: not yet. `everyMs` null: once. */
export const useAsked = <T>(
  path: string | null,
  schema: z.ZodMiniType<T>,
  everyMs: number | null,
): Answer<T> => useAnswer(path, () => call(path ?? "", schema), everyMs);
