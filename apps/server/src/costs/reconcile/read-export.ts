// Reads a provider's export of usage or costs, and sums it by day and model while it is read: a file of a million rows takes no more
// memory than its days and models.
import { type CsvFormat, csvFormats } from "./csv-formats.ts";
import { type CsvRow, readCsv } from "./csv-reader.ts";
import { addedLines, type ExportLine, UnreadableExport } from "./export-line.ts";
import { readJsonExport } from "./json-formats.ts";

/** A month of a large organisation by key, workspace and hour is some 100,000 rows of 150 bytes. */
const maxRows = 1_000_000;
export const maxExportBytes = 128 * 1024 * 1024;
/** JSON is held whole. A year of days and models is 5 MiB. */
const maxJsonBytes = 16 * 1024 * 1024;
/** Five years of ten models: the comparison is one answer. */
const maxSums = 20_000;

export interface ProviderExport {
  provider: "anthropic" | "openai";
  format: string;
  from: string;
  to: string;
  isPartial: boolean;
  sums: readonly ExportLine[];
}

/** Rejects with an UnreadableExport. */
export async function readExport(bytes: AsyncIterable<Uint8Array>): Promise<ProviderExport> {
  const texts = decoded(bytes);
  const { value: first = "", done } = await firstText(texts);
  if (done === true) throw new UnreadableExport("The file is empty.");
  const rest = (async function* () {
    yield first;
    yield* texts;
  })();
  return /^\uFEFF?\s*[[{]/.test(first) ? readWhole(rest) : readRows(rest);
}

/** Until there is something other than white space. */
async function firstText(texts: AsyncGenerator<string>): Promise<{ value?: string; done?: boolean }> {
  let text = "";
  for (;;) {
    const next = await texts.next();
    if (next.done === true) return { done: true };
    text += next.value;
    if (/[^\s\uFEFF]/.test(text)) return { value: text };
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxExportBytes)
        throw new UnreadableExport(
          `The file is larger than ${maxExportBytes / 1024 / 1024} MiB. Export a shorter time.`,
        );
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableExport("The file is no text in UTF-8.");
    throw error;
  }
}

async function readWhole(texts: AsyncIterable<string>): Promise<ProviderExport> {
  let text = "";
  for await (const part of texts) {
    text += part;
    if (text.length > maxJsonBytes)
      throw new UnreadableExport(
        `The JSON file is larger than ${maxJsonBytes / 1024 / 1024} MiB. Ask for buckets of a day, or a shorter time.`,
      );
  }
  const { name, provider, lines, isPartial } = readJsonExport(text.replace(/^\uFEFF/, ""));
  const sums = new Sums();
  for (const line of lines) sums.add(line);
  return { provider, format: name, isPartial, ...sums.result() };
}

async function readRows(texts: AsyncIterable<string>): Promise<ProviderExport> {
  const sums = new Sums();
  let head: { format: CsvFormat; columns: ReadonlyMap<string, number> } | undefined;
  let rows = 0;
  for await (const row of readCsv(texts)) {
    if (head === undefined) {
      head = headOf(row);
      continue;
    }
    const { format, columns } = head;
    if (++rows > maxRows)
      throw new UnreadableExport(
        `The file has more than ${maxRows.toLocaleString("en-US")} rows. Export a shorter time.`,
      );
    const cells = (name: string): string | undefined => {
      const index = columns.get(name);
      return index === undefined ? undefined : row.cells[index];
    };
    if (row.cells.length < columns.size)
      throw new UnreadableExport(`Line ${row.line}: it has fewer cells than the head. Is the file complete?`);
    sums.add(format.read(cells, `Line ${row.line}`));
  }
  if (head === undefined) throw new UnreadableExport("The file is empty.");
  if (rows === 0)
    throw new UnreadableExport("The file has columns and no rows: nothing was used in its time.");
  return { provider: head.format.provider, format: head.format.name, isPartial: false, ...sums.result() };
}

function headOf({ cells }: CsvRow) {
  const columns = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
  const format = csvFormats.find((each) => each.columns.every((name) => columns.has(name)));
  if (format !== undefined) return { format, columns };
  const found = cells.slice(0, 8).join(", ").slice(0, 200);
  const expected = csvFormats.map((each) => `${each.name} with ${each.columns.join(", ")}`).join("; ");
  throw new UnreadableExport(
    `These columns are of no known export: ${found}${cells.length > 8 ? ", …" : ""}. Expected one of: ${expected}.`,
  );
}

class Sums {
  readonly #sums = new Map<string, ExportLine>();
  #from: string | undefined;
  #to: string | undefined;

  add(line: ExportLine | { day: string }): void {
    const { day } = line;
    if (this.#from === undefined || day < this.#from) this.#from = day;
    if (this.#to === undefined || day > this.#to) this.#to = day;
    if (!("model" in line)) return;
    const key = `${day}\n${line.model}`;
    const known = this.#sums.get(key);
    if (known === undefined && this.#sums.size >= maxSums)
      throw new UnreadableExport(
        `The file has more than ${maxSums.toLocaleString("en-US")} days and models. Export a shorter time.`,
      );
    this.#sums.set(key, known === undefined ? line : addedLines(known, line));
  }

  result(): Pick<ProviderExport, "from" | "to" | "sums"> {
    return { from: this.#from ?? "", to: this.#to ?? "", sums: [...this.#sums.values()] };
  }
}
