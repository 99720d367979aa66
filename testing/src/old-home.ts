// A home whose database was there before this version: that is all by which it is known to keep its earlier way.
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

export async function makeOldHome(home: string): Promise<void> {
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("create table of_an_earlier_version (value text)");
  database.close();
}
