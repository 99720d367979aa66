// The lines of fixture workers, and that no fixture reads lines in another way.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { onLines } from "@patchbay/testing/lines";
import { repository } from "@patchbay/testing/server-process";
import { expect, it } from "vitest";

it("[R3] fixtures split lines on LF only, also inside characters and at the end", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  onLines(stream, (line) => lines.push(line));
  const bytes = Buffer.from('{"a":"x\u2028y\u2029😀"}\n\nlast');
  for (const byte of bytes) stream.write(Buffer.of(byte));
  stream.end();
  await once(stream, "end");
  expect(lines).toEqual(['{"a":"x\u2028y\u2029😀"}', "", "last"]);
});

it("[R3] no fixture uses readline, which splits on U+2028 from Node 24 on", () => {
  const found = ["testing/workers", "testing/extensions/board", "testing/src"].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => /from "node:readline/.test(readFileSync(path, "utf8"))),
  );
  expect(found).toEqual([]);
});
