// The descriptors of log files: a closed one is never used, whatever has its number by then.
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OpenFiles } from "../../../src/store/log-files/open-files.ts";
import { append, openStore } from "../../support/open-store.ts";

function directory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "patchbay-files-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;

describe("open files", () => {
  it("[T18] a file that is closed while it is used is closed after that use, and never used again", async () => {
    using home = directory();
    const file = new OpenFiles().create(join(home.path, "log"));
    let used = -1;
    let finish = (): void => {};
    const reading = file.use(async (descriptor) => {
      used = descriptor;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return readSync(descriptor, Buffer.alloc(1)); // still this file: it would throw EBADF otherwise
    });
    file.close();
    const other = openSync(join(home.path, "other"), "w+");
    expect(other).not.toBe(used); // its number is not free yet
    finish();
    expect(await reading).toBe(0);
    const later = openSync(join(home.path, "later"), "w+");
    expect(later).toBe(used); // now it is, and names another file
    writeSync(later, "untouched");
    expect(() => file.useNow((descriptor) => writeSync(descriptor, "overwritten"))).toThrow(/is closed/);
    await expect(file.use(async (descriptor) => closeSync(descriptor))).rejects.toThrow(/is closed/);
    expect(readFileSync(join(home.path, "later"), "utf8")).toBe("untouched");
    closeSync(later);
    closeSync(other);
  });

  it("[T19] many files at rest hold few descriptors, and each is opened again when it is used", () => {
    using home = directory();
    const pool = new OpenFiles(10);
    const before = descriptors();
    const files = Array.from({ length: 300 }, (_, index) => pool.create(join(home.path, String(index))));
    for (const [index, file] of files.entries())
      file.useNow((descriptor) => writeSync(descriptor, String(index)));
    expect(descriptors() - before).toBeLessThanOrEqual(10);
    for (const [index, file] of files.entries())
      file.useNow((descriptor) => {
        const found = Buffer.alloc(10);
        expect(found.toString("utf8", 0, readSync(descriptor, found, 0, 10, 0))).toBe(String(index));
      });
    for (const file of files) file.close();
    expect(descriptors()).toBe(before);
  });

  it("[T18] a log that is closed while it is read gives what was asked for before, and refuses what comes after", async () => {
    await using opened = await openStore(1 << 20);
    const log = await (await opened.store.claim("a")).openLog();
    const long = `{"x":"${"y".repeat(2_000_000)}"}`;
    await append(log, long);
    const before = log.read(0, 10);
    await log.close();
    await expect(log.read(0, 10)).rejects.toThrow(/is closed/);
    expect((await before)[0]?.bytes.length).toBe(long.length + 1);
  });

  it("[T19] the logs of 600 open sessions hold at most 200 descriptors", async () => {
    await using opened = await openStore();
    const before = descriptors();
    const logs = [];
    for (let index = 0; index < 600; index++) {
      const log = await (await opened.store.claim(`s${index}`)).openLog();
      await append(log, `{"n":${index}}`);
      logs.push(log);
    }
    expect(descriptors() - before).toBeLessThanOrEqual(200);
    for (const [index, log] of logs.entries()) {
      const [chunk] = await log.read(0, 1_000);
      expect(Buffer.from(chunk?.bytes ?? []).toString()).toBe(`{"n":${index}}\n`);
    }
    for (const log of logs) await log.close();
    expect(descriptors()).toBeLessThanOrEqual(before + 1);
  });
});
