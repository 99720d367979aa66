// Events on their way to webhooks: kept until they are taken or given up.

import type { Delivery } from "../store.ts";
import type { Database } from "./database/database.ts";

export async function keepDelivery({ query, write }: Database, delivery: Delivery): Promise<void> {
  const { attempts, next_at } = delivery;
  await write(
    query
      .insertInto("deliveries")
      .values(delivery)
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ attempts, next_at }))
      .compile(),
  );
}

export const dropDelivery = ({ query, write }: Database, id: string): Promise<void> =>
  write(query.deleteFrom("deliveries").where("id", "=", id).compile());

/** The one that is due first comes first. */
export const readDeliveries = ({ query }: Database): Promise<Delivery[]> =>
  query.selectFrom("deliveries").selectAll().orderBy("next_at").orderBy("id").execute();
