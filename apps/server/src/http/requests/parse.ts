// Validates the parts of a request. A mismatch becomes a 400 with a sentence.
import { explain, PatchbayError } from "@patchbay/protocol";
import type * as z from "zod/mini";

export function parse<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  throw new PatchbayError("bad_request", `Invalid request: ${explain(read.error)}.`);
}
