// Reads rows of CSV (RFC 4180) from a stream of bytes: quoted cells with commas, quotes and line ends in them, CRLF or LF, a byte
// order mark, and the semicolons or tabs that a spreadsheet writes instead of commas. Holds one row at a time.
import { UnreadableExport } from "./export-line.ts";

/** Exports have up to 30 columns, and cells of some hundred characters. */
const maxColumns = 200;
const maxCellLength = 10_000;

export interface CsvRow {
  /** The number of the line that it begins in. */
  line: number;
  cells: readonly string[];
}

export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const reader = new RowReader();
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.end();
}

class RowReader {
  #cells: string[] = [];
  #cell = "";
  /** `quote`: behind a quote in a quoted cell, which ends the cell or stands for a quote. */
  #state: "start" | "plain" | "quoted" | "quote" = "start";
  #line = 1;
  #rowLine = 1;
  #separator: string | undefined;
  #isFirst = true;

  *push(text: string): Generator<CsvRow> {
    let chunk = text;
    if (this.#isFirst && chunk !== "") {
      this.#isFirst = false;
      if (chunk.startsWith("\uFEFF")) chunk = chunk.slice(1);
    }
    for (const char of chunk) {
      if (this.#state === "quoted") {
        if (char === '"') this.#state = "quote";
        else this.#add(char);
      } else if (char === '"' && this.#state === "start") this.#state = "quoted";
      else if (char === '"' && this.#state === "quote") {
        this.#add('"');
        this.#state = "quoted";
      } else if (this.#separates(char)) this.#endCell();
      else if (char === "\n") yield* this.#endRow();
      else if (char !== "\r") {
        if (this.#state === "start") this.#state = "plain";
        this.#add(char);
      }
      if (char === "\n") this.#line++;
    }
  }

  *end(): Generator<CsvRow> {
    if (this.#state === "quoted")
      throw new UnreadableExport(`Line ${this.#rowLine}: a quoted cell does not end. Is the file complete?`);
    yield* this.#endRow();
  }

  #add(char: string): void {
    if (this.#cell.length >= maxCellLength)
      throw new UnreadableExport(
        `Line ${this.#rowLine}: a cell is longer than ${maxCellLength} characters. Is this a CSV file?`,
      );
    this.#cell += char;
  }

  /** The first separator outside of quotes is that of the whole file. */
  #separates(char: string): boolean {
    if (this.#separator === undefined && (char === "," || char === ";" || char === "\t"))
      this.#separator = char;
    return char === this.#separator;
  }

  #endCell(): void {
    if (this.#cells.length >= maxColumns)
      throw new UnreadableExport(
        `Line ${this.#rowLine}: more than ${maxColumns} columns. Is this a CSV file?`,
      );
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#state = "start";
  }

  *#endRow(): Generator<CsvRow> {
    this.#endCell();
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#rowLine = this.#line + 1;
    if (row.cells.length > 1 || row.cells[0] !== "") yield row;
  }
}
