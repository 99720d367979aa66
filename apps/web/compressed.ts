// Puts a compressed copy beside every text file of the build, so that the server sends a third of the bytes and
// compresses nothing itself. gzip for plain http, where browsers do not take brotli.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const isText = (name: string): boolean => /\.(js|css|svg|webmanifest)$/.test(name);
/** A smaller one fits into a packet as it is. */
const smallest = 1024;

export const compressed = (): Plugin => ({
  name: "patchbay-compressed",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    await Promise.all(
      Object.keys(bundle)
        .filter(isText)
        .map(async (name) => {
          const path = join(dir, name);
          const bytes = await readFile(path);
          if (bytes.length < smallest) return;
          await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }));
          await writeFile(
            `${path}.br`,
            await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
          );
        }),
    );
  },
});
