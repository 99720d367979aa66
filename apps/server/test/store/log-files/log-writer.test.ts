// The writer of all logs, with logs that fail when they are told to: what is tried again, and who hears of it.
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LogWriter, type PendingLog } from "../../../src/store/log-files/log-writer.ts";

class Log implements PendingLog {
  waiting = 0;
  written: number[] = [];
  tries = 0;
  fails = false;

  flush(): void {
    this.tries++;
    if (this.fails) throw new Error("no room");
    this.written.push(this.waiting);
    this.waiting = 0;
  }

  async write(): Promise<void> {
    const bytes = this.waiting;
    this.waiting = 0;
    this.tries++;
    await passed(5);
    if (!this.fails) return void this.written.push(bytes);
    this.waiting += bytes;
    throw new Error("no room");
  }
}

function start() {
  const troubles: (string | null)[] = [];
  const writer = new LogWriter((error) => troubles.push(error?.message ?? null));
  const add = (log: Log, bytes: number): void => {
    log.waiting += bytes;
    writer.add(log, bytes);
  };
  return { troubles, add };
}

describe("the log writer", () => {
  for (const bytes of [10, 100_000])
    it(`[T16] a log that cannot be written is tried again later, and nobody else waits for it (${bytes} bytes)`, async () => {
      const { troubles, add } = start();
      const [broken, sound] = [new Log(), new Log()];
      broken.fails = true;
      add(broken, bytes);
      add(sound, bytes);
      await passed(100);
      expect(broken.written).toEqual([]);
      expect(broken.tries).toBeLessThan(5);
      expect(sound.written).toEqual([bytes]);
      expect(troubles).toEqual(["no room"]);
      const tries = broken.tries;
      add(sound, bytes); // while the broken one waits to be tried again
      add(broken, bytes);
      while (sound.written.length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(broken.tries).toBe(tries);
      broken.fails = false;
      while (broken.written.length === 0) await passed(20);
      expect(broken.written).toEqual([2 * bytes]);
      expect(troubles).toEqual(["no room", null]);
    });

  it("[T17] a flood is written aside: what comes meanwhile waits behind it, and other logs do not wait at all", async () => {
    const { troubles, add } = start();
    const [flooded, quiet] = [new Log(), new Log()];
    add(flooded, 100_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(flooded.tries).toBe(1);
    expect(flooded.written).toEqual([]);
    for (const bytes of [200_000, 10]) add(flooded, bytes);
    add(quiet, 10);
    await new Promise((resolve) => setImmediate(resolve));
    expect(quiet.written).toEqual([10]);
    expect(flooded.tries).toBe(1);
    while (flooded.written.length < 2) await passed(5);
    expect(flooded.written).toEqual([100_000, 200_010]);
    expect(troubles).toEqual([]);
  });
});
