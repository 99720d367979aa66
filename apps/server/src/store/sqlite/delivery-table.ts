// Events for webhooks, until they are delivered or given up.

import type { Delivery } from "../outgoing/delivery.ts";
import type { Database } from "./database/database.ts";

export async function saveDelivery({ query, write }: Database, delivery: Delivery): Promise<void> {
  const { attempts, next_at } = delivery;
  await write(
    query
      .insertInto("deliveries")
      .values(delivery)
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ attempts, next_at }))
      .compile(),
  );
}

export const deleteDelivery = ({ query, write }: Database, id: string): Promise<void> =>
  write(query.deleteFrom("deliveries").where("id", "=", id).compile());

/** The next due first. */
export const readDeliveries = ({ query }: Database): Promise<Delivery[]> =>
  query.selectFrom("deliveries").selectAll().orderBy("next_at").orderBy("id").execute();
