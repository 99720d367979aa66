// Routes for the keys of model providers. A key goes in, and no answer has it.
import { TestKey, UpdateKey } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../access/policy.ts";
import type { MachineKeys } from "../machine/machine.ts";
import { parse } from "./requests/parse.ts";

const Params = z.object({ provider: z.string().check(z.maxLength(100)) });

/** `changed` has workers use the new keys, and returns how many sessions use the old ones until their worker ends. */
export function keyRoutes(
  app: FastifyInstance,
  keys: MachineKeys,
  changed: () => Promise<{ kept: number }>,
): void {
  app.get("/api/keys", may("keys.read"), async () => ({ keys: keys.view() }));

  app.patch("/api/keys/:provider", may("keys.change"), async (request) => {
    const { provider } = parse(Params, request.params);
    await keys.update(provider, parse(UpdateKey, request.body));
    const { kept } = await changed();
    return { keys: keys.view(), sessions_with_old_keys: kept };
  });

  app.delete("/api/keys/:provider", may("keys.change"), async (request) => {
    const { provider } = parse(Params, request.params);
    await keys.remove(provider);
    const { kept } = await changed();
    return { keys: keys.view(), sessions_with_old_keys: kept };
  });

  app.post("/api/keys/:provider/test", may("keys.change"), async (request) => {
    const { provider } = parse(Params, request.params);
    return { test: await keys.test(provider, parse(TestKey, request.body)) };
  });
}
