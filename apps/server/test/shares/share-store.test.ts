// Share links after a restart: they, their counts and what frozen ones show are kept; what has ended long ago is not.

import pino from "pino";
import { expect, it } from "vitest";
import { People } from "../../src/access/people.ts";
import type { Hub } from "../../src/session/hub/hub.ts";
import { Shares } from "../../src/shares/shares.ts";
import type { ShareRecord } from "../../src/store/people/share-store.ts";
import { openStore } from "../support/open-store.ts";

const day = 86_400_000;
const record = (change: Partial<ShareRecord>): ShareRecord => ({
  ...{ id: "a", hash: "h", session: "s", mode: "live", up_to_seq: null, hidden: ["paths"], created_by: null },
  ...{ created_at: Date.now() - 100 * day, expires_at: null, views: 3, last_viewed_at: 5, revoked_at: null },
  ...change,
});

it("[X404] a link that expired says so, and is forgotten a month later with what it showed", async () => {
  await using opened = await openStore();
  const { store } = opened;
  const kept = record({ id: "kept", mode: "frozen", up_to_seq: 7, expires_at: Date.now() - day });
  const old = record({ id: "old", mode: "frozen", expires_at: Date.now() - 40 * day });
  const revoked = record({ id: "revoked", revoked_at: Date.now() - 40 * day });
  await store.shares.add(kept, "kept document");
  await store.shares.add(old, "old document");
  await store.shares.add(revoked, null);
  expect(await store.shares.list()).toEqual(expect.arrayContaining([kept, old, revoked]));
  const hub = { find: () => ({}) } as unknown as Hub;
  const log = pino({ enabled: false });
  const shares = await Shares.open({
    store: store.shares,
    hub,
    people: await People.open(store.people),
    log,
  });
  shares.removeOld();
  await expect.poll(() => store.shares.list()).toEqual([kept]);
  expect(await store.shares.document("kept")).toBe("kept document");
  expect(await store.shares.document("old")).toBeUndefined();
});

it("[X404] what a frozen link shows is deleted with its session and when it is revoked", async () => {
  await using opened = await openStore();
  const { store } = opened;
  await store.shares.add(record({ id: "a" }), "first");
  await store.shares.add(record({ id: "b", session: "other" }), "second");
  await store.deleteSession("s");
  expect(await store.shares.document("a")).toBeUndefined();
  expect(await store.shares.document("b")).toBe("second");
  await store.shares.update(record({ id: "b", session: "other", revoked_at: 1 }));
  expect(await store.shares.document("b")).toBeUndefined();
});
