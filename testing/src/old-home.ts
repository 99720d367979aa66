// A home with a database of an earlier version, which keeps the earlier safety settings.
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

export async function makeOldHome(home: string): Promise<void> {
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("create table of_an_earlier_version (value text)");
  database.close();
}
