// Data of the server at a path, checked against its schema.
import type * as z from "zod/mini";
import { call } from "../../api/http/call.ts";
import { type Fetched, useFetched } from "../../api/http/use-fetched.ts";

/** `path` null: not yet. `everyMs` null: once. */
export const useFetchedPath = <T>(
  path: string | null,
  schema: z.ZodMiniType<T>,
  everyMs: number | null,
): Fetched<T> => useFetched(path, () => call(path ?? "", schema), everyMs);
