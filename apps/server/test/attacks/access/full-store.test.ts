// Revocation while the database cannot be written: the login ends at once, and does not come back with a restart.
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import pino from "pino";
import { expect, it } from "vitest";
import { Logins } from "../../../src/access/logins.ts";
import { AccessLimits } from "../../../src/config/access-limits.ts";
import { openStore } from "../../support/open-store.ts";

it("[X21] a revocation that cannot be stored holds, and is stored as soon as that works", async () => {
  await using opened = await openStore();
  const limits = AccessLimits.parse({});
  const log = pino({ enabled: false });
  const logins = await Logins.open(opened.store.logins, limits, log);
  const { id, cookie, secret } = await logins.create({
    label: "Firefox on Linux",
    address: "127.0.0.1",
    person: null,
  });
  const other = new DatabaseSync(join(opened.home, "patchbay.db"));
  other.exec("BEGIN IMMEDIATE"); // another program holds the write lock for longer than the store waits
  await expect(logins.revoke(id)).rejects.toThrow(/locked|busy/i);
  expect(logins.check(cookie, secret)).toBeUndefined();
  expect(await opened.store.logins.list()).toHaveLength(1);
  other.exec("COMMIT");
  other.close();
  await expect.poll(() => opened.store.logins.list(), { timeout: 15_000 }).toEqual([]);
  await logins.close();
  const store = await opened.reopen();
  const next = await Logins.open(store.logins, limits, log);
  expect(next.check(cookie, secret)).toBeUndefined();
  await next.close();
});
