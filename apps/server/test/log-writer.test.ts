// The writer of all logs, with logs that fail when they are told to: what is tried again, and who hears of it.
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LogWriter, type Pending } from "../src/store/log-writer.ts";

const flood = 100_000;

class Log implements Pending {
  waitingBytes = 0;
  written: number[] = [];
  tries = 0;
  fails = false;
  atOnce = 0;
  busy = 0;

  flush(): void {
    this.tries++;
    if (this.fails) throw new Error("no room");
    this.written.push(this.waitingBytes);
    this.waitingBytes = 0;
  }

  async flushBeside(): Promise<void> {
    this.atOnce = Math.max(this.atOnce, ++this.busy);
    const bytes = this.waitingBytes;
    this.waitingBytes = 0;
    await passed(20);
    this.busy--;
    this.tries++;
    if (this.fails) {
      this.waitingBytes += bytes;
      throw new Error("no room");
    }
    this.written.push(bytes);
  }
}

function start() {
  const troubles: (string | null)[] = [];
  const writer = new LogWriter((error) => troubles.push(error?.message ?? null));
  const add = (log: Log, bytes: number): void => {
    log.waitingBytes += bytes;
    writer.add(log, bytes);
  };
  return { writer, troubles, add };
}

describe("the log writer", () => {
  for (const bytes of [10, flood])
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
      broken.fails = false;
      while (broken.written.length === 0) await passed(20);
      expect(broken.written).toEqual([bytes]);
      expect(troubles).toEqual(["no room", null]);
    });

  it("[T16] one write per log at a time; what comes during a flood follows it", async () => {
    const { writer, add } = start();
    const log = new Log();
    add(log, flood);
    await passed(10);
    add(log, 10);
    add(log, 20);
    await writer.flushNow(log);
    expect(log.written.slice(0, 2)).toEqual([flood, 30]);
    expect(log.atOnce).toBe(1);
  });
});
