// The CSV files that the consoles of Anthropic and OpenAI export. A file is told by its columns; columns that are not named here are
// ignored, since both add some now and then.
import { dayOf, type ExportLine, nanosOf, requireDollars, tokenCount } from "./export-line.ts";

/** A row by the names of its columns; undefined: the file has no such column. */
type Cells = (column: string) => string | undefined;

export interface CsvFormat {
  /** For a person. */
  name: string;
  provider: "anthropic" | "openai";
  /** All of them are in such a file, and not in any other. */
  columns: readonly string[];
  /** Only a day: nothing was used on it. */
  read(cells: Cells, where: string): ExportLine | { day: string };
}

const modelOf = (text: string | undefined): string => text?.trim() ?? "";

export const csvFormats: readonly CsvFormat[] = [
  {
    name: "Anthropic Console usage (CSV)",
    provider: "anthropic",
    columns: ["usage_date_utc", "model_version", "usage_input_tokens_no_cache", "usage_output_tokens"],
    read: (cells, where) => ({
      day: dayOf(cells("usage_date_utc"), where),
      model: modelOf(cells("model_version")),
      tokens: {
        input: tokenCount(cells("usage_input_tokens_no_cache"), where),
        output: tokenCount(cells("usage_output_tokens"), where),
        cache_read: tokenCount(cells("usage_input_tokens_cache_read"), where),
        cache_write:
          tokenCount(cells("usage_input_tokens_cache_write_5m"), where) +
          tokenCount(cells("usage_input_tokens_cache_write_1h"), where) +
          tokenCount(cells("usage_input_tokens_cache_write"), where), // files of 2024
      },
      cost_nanos: null,
    }),
  },
  {
    name: "Anthropic Console cost (CSV)",
    provider: "anthropic",
    columns: ["usage_date_utc", "model", "token_type", "cost_usd"],
    read: (cells, where) => ({
      day: dayOf(cells("usage_date_utc"), where),
      model: modelOf(cells("model")),
      tokens: null,
      cost_nanos: nanosOf(cells("cost_usd"), 1, where),
    }),
  },
  {
    name: "OpenAI usage (CSV)",
    provider: "openai",
    columns: ["start_time", "model", "num_model_requests", "input_tokens", "output_tokens"],
    read: (cells, where) => {
      const day = dayOf(cells("start_time"), where);
      if (modelOf(cells("model")) === "" && modelOf(cells("input_tokens")) === "") return { day };
      return {
        day,
        model: modelOf(cells("model")),
        tokens: openaiTokens((name) => tokenCount(cells(name), where)),
        cost_nanos: null,
      };
    },
  },
  {
    name: "OpenAI cost (CSV)",
    provider: "openai",
    columns: ["start_time", "amount_value", "amount_currency"],
    read: (cells, where) => {
      const day = dayOf(cells("start_time"), where);
      if (modelOf(cells("amount_value")) === "") return { day };
      requireDollars(cells("amount_currency"), where);
      return {
        day,
        model: modelOfLineItem(cells("line_item")),
        tokens: null,
        cost_nanos: nanosOf(cells("amount_value"), 1, where),
      };
    },
  },
];

/** Cached tokens, and those that were written to the cache, are part of OpenAI's input. */
export function openaiTokens(count: (name: string) => number) {
  const cache_read = Math.min(count("input_cached_tokens"), count("input_tokens"));
  const cache_write = Math.min(count("input_cache_write_tokens"), count("input_tokens") - cache_read);
  return {
    input: count("input_tokens") - cache_read - cache_write,
    output: count("output_tokens"),
    cache_read,
    cache_write,
  };
}

/** `gpt-5-mini-2025-08-07, cached input` is the model and what of it was billed. */
export const modelOfLineItem = (item: string | null | undefined): string =>
  (item ?? "").split(",")[0]?.trim() ?? "";
