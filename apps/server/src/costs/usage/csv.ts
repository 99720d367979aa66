// Writes lines of CSV (RFC 4180).

export const csvLine = (cells: readonly string[]): string => `${cells.join(",")}\r\n`;

/** Quotes a text where needed. A spreadsheet would run a leading = + - @ as a formula. */
export function quoteCell(text: string): string {
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Nano-dollars as dollars, without an exponent: spreadsheets and FOCUS readers expect a plain decimal. */
export const dollarsCell = (nanos: number): string => (nanos / 1e9).toFixed(9).replace(/\.?0+$/, "");
