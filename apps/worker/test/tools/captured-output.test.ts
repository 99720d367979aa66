// Output in chunks of any size: what is shown, and what is in the file.
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { CapturedOutput } from "../../src/tools/shell/captured-output.ts";

const limit = 50 * 1024;
const directory = mkdtempSync(join(tmpdir(), "patchbay-outputs-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function capture(chunks: readonly Uint8Array[]): Promise<{ text: string; whole: string | null }> {
  const output = new CapturedOutput(directory);
  for (const chunk of chunks) await output.add(chunk);
  const { text, file } = await output.end();
  if (file === null) return { text, whole: null };
  return { text, whole: await readFile(file, "utf8") };
}

/** Cuts bytes at the given places, which may lie inside characters. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...at, bytes.length].map((end, index) => bytes.subarray(at[index - 1] ?? 0, end));
}

describe("captured output", () => {
  const piece = fc.constantFrom("a", "é", "€", "🦩", "\n", "line\n");
  const places = fc.array(fc.nat(200_000), { maxLength: 8 });

  it("[W52] within the limit everything is shown as it is, however it was cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 2_000 }), places, async (pieces, cuts) => {
        const whole = pieces.join("");
        expect(await capture(cut(Buffer.from(whole), cuts))).toEqual({ text: whole, whole: null });
      }),
    );
  });

  it("[W52] beyond it the file has everything, and no character is split where it was cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 50 }),
        fc.string({ maxLength: 3 }),
        places,
        async (pieces, odd, cuts) => {
          const unit = pieces.join("");
          const whole = `${odd}${unit.repeat(Math.ceil((limit + 5_000) / Buffer.byteLength(unit)))}`;
          const shown = await capture(cut(Buffer.from(whole), cuts));
          expect(shown.whole).toBe(whole);
          expect(shown.text).not.toContain("\uFFFD");
          const [head = "", tail = ""] = shown.text.split(
            /\n\.\.\. \[\d+ bytes left out here; the end follows\] \.\.\.\n/,
          );
          expect(head.length).toBeGreaterThan(1_000);
          expect(tail.length).toBeGreaterThan(1_000);
          expect(whole.startsWith(head)).toBe(true);
          expect(whole.endsWith(tail)).toBe(true);
          expect(Buffer.byteLength(shown.text)).toBeLessThan(limit + 200);
        },
      ),
      { numRuns: 60 },
    );
  });
});
