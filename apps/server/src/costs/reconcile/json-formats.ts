// The answers of the usage and cost APIs of Anthropic and OpenAI: one page, or an array of the pages.
import { explain } from "@patchbay/protocol";
import * as z from "zod/mini";
import { modelOfLineItem, openaiTokens } from "./csv-formats.ts";
import {
  dayOf,
  type ExportLine,
  nanosOf,
  requireDollars,
  tokenCount,
  UnreadableExport,
} from "./export-line.ts";

const Text = z.optional(z.nullable(z.string()));
const Count = z.optional(z.nullable(z.number()));
const Result = z.record(z.string(), z.unknown());
const Bucket = z.looseObject({
  starting_at: z.optional(z.string()),
  start_time: z.optional(z.number()),
  results: z.array(Result),
});
const Page = z.looseObject({ data: z.array(Bucket), has_more: z.optional(z.boolean()) });

const AnthropicUsage = z.looseObject({
  uncached_input_tokens: z.number(),
  cache_creation: z.optional(
    z.nullable(z.looseObject({ ephemeral_1h_input_tokens: Count, ephemeral_5m_input_tokens: Count })),
  ),
  cache_read_input_tokens: Count,
  output_tokens: z.number(),
  model: Text,
});
/** Amounts are decimal texts of cents. */
const AnthropicCost = z.looseObject({ amount: z.string(), currency: z.string(), model: Text });
const OpenaiUsage = z.looseObject({
  object: z.literal("organization.usage.completions.result"),
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_cached_tokens: Count,
  input_cache_write_tokens: Count,
  model: Text,
});
const OpenaiCost = z.looseObject({
  object: z.literal("organization.costs.result"),
  amount: z.looseObject({ value: z.union([z.number(), z.string()]), currency: z.string() }),
  line_item: Text,
});

interface JsonFormat {
  name: string;
  provider: "anthropic" | "openai";
  /** Undefined: it is of another format. */
  read(result: unknown, where: string): Omit<ExportLine, "day"> | undefined;
}

const format = <T>(
  name: string,
  provider: JsonFormat["provider"],
  schema: z.ZodMiniType<T>,
  read: (result: T, where: string) => Omit<ExportLine, "day">,
): JsonFormat => ({
  name,
  provider,
  read: (given, where) => {
    const result = schema.safeParse(given).data;
    return result === undefined ? undefined : read(result, where);
  },
});

const formats: readonly JsonFormat[] = [
  format("Anthropic usage report (JSON)", "anthropic", AnthropicUsage, (result, where) => ({
    model: result.model ?? "",
    tokens: {
      input: tokenCount(result.uncached_input_tokens, where),
      output: tokenCount(result.output_tokens, where),
      cache_read: tokenCount(result.cache_read_input_tokens, where),
      cache_write:
        tokenCount(result.cache_creation?.ephemeral_5m_input_tokens, where) +
        tokenCount(result.cache_creation?.ephemeral_1h_input_tokens, where),
    },
    cost_nanos: null,
  })),
  format("Anthropic cost report (JSON)", "anthropic", AnthropicCost, (result, where) => {
    requireDollars(result.currency, where);
    return { model: result.model ?? "", tokens: null, cost_nanos: nanosOf(result.amount, 100, where) };
  }),
  format("OpenAI usage (JSON)", "openai", OpenaiUsage, (result, where) => ({
    model: result.model ?? "",
    tokens: openaiTokens((name) => tokenCount(result[name], where)),
    cost_nanos: null,
  })),
  format("OpenAI costs (JSON)", "openai", OpenaiCost, (result, where) => {
    requireDollars(result.amount.currency, where);
    return {
      model: modelOfLineItem(result.line_item),
      tokens: null,
      cost_nanos: nanosOf(result.amount.value, 1, where),
    };
  }),
];

interface JsonExport {
  name: string;
  provider: "anthropic" | "openai";
  lines: (ExportLine | { day: string })[];
  isPartial: boolean;
}

/** Throws an UnreadableExport. */
export function readJsonExport(text: string): JsonExport {
  const pages = pagesOf(text);
  let found: JsonFormat | undefined;
  const lines: JsonExport["lines"] = [];
  for (const [index, bucket] of pages.flatMap(({ data }) => data).entries()) {
    const where = `Bucket ${index + 1}`;
    const day = dayOf(bucket.starting_at ?? bucket.start_time, where);
    lines.push({ day });
    for (const result of bucket.results) {
      found ??= formats.find(({ read }) => read(result, where) !== undefined);
      const line = found?.read(result, where);
      if (line === undefined)
        throw new UnreadableExport(
          `${where}: a result is not one of ${found?.name ?? formats.map(({ name }) => name).join(", ")}.`,
        );
      lines.push({ day, ...line });
    }
  }
  if (found === undefined)
    throw new UnreadableExport("The file has no results: nothing was used in its time.");
  const last = pages.at(-1);
  return { name: found.name, provider: found.provider, lines, isPartial: last?.has_more === true };
}

function pagesOf(text: string): z.infer<typeof Page>[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new UnreadableExport("The file begins like JSON, and is not valid JSON. Is it complete?");
  }
  const read = z.array(Page).safeParse(Array.isArray(given) ? given : [given]);
  if (read.success) return read.data;
  throw new UnreadableExport(
    `The file is JSON, but no answer of a usage or cost API: ${explain(read.error)}. Expected an object with "data", a list of buckets with "results".`,
  );
}
