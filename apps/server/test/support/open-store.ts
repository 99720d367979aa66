// A store of its own for each test, which can be closed and opened again as a restart would.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionLog } from "../../src/store/session-log.ts";
import type { SessionRecord } from "../../src/store/session-record.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";

export interface OpenStore extends AsyncDisposable {
  store: Store;
  home: string;
  /** Closes it and opens what is there again. */
  reopen(): Promise<Store>;
}

export async function openStore(segmentBytes = 1_000): Promise<OpenStore> {
  const home = mkdtempSync(join(tmpdir(), "patchbay-store-"));
  const open = () => SqliteStore.open({ home, segmentBytes, onWriteError: () => {} });
  const opened = {
    home,
    store: (await open()) as Store,
    async reopen() {
      await opened.store.close();
      opened.store = await open();
      return opened.store;
    },
    async [Symbol.asyncDispose]() {
      await opened.store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return opened;
}

export const lines = (...texts: string[]): Uint8Array =>
  Buffer.from(texts.map((text) => `${text}\n`).join(""));

export const append = (log: SessionLog, ...texts: string[]): Promise<void> =>
  log.append(lines(...texts), texts.length);

/** A session as it is when nothing has happened in it. */
export const record = (id: string, change: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  name: id,
  worker: "builtin",
  dialect: "zot",
  cwd: "/tmp",
  provider: "p",
  model: "m",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  seq: 0,
  message_count: 0,
  process: null,
  pinned: false,
  archived: false,
  deletes_at: null,
  ...change,
});
