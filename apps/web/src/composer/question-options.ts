// The choices of a `select` question: plain strings (omp), or objects with a label and perhaps a value.
import * as z from "zod/mini";

const Choice = z.looseObject({ label: z.string(), value: z.optional(z.string()) });

export function optionOf(option: unknown): { label: string; value: string } {
  if (typeof option === "string") return { label: option, value: option };
  const read = Choice.safeParse(option);
  if (read.success) return { label: read.data.label, value: read.data.value ?? read.data.label };
  return { label: JSON.stringify(option), value: JSON.stringify(option) };
}
