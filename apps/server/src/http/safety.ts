// What protects the person who runs agents here, and the one change of it that the page can make.
import { UpdateSafety } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import type { MachineSafety } from "../machine/machine.ts";
import { parse } from "./requests/parse.ts";

/** `changed` is told when new workers are to be started in another way. */
export function safetyRoutes(app: FastifyInstance, safety: MachineSafety, changed: () => void): void {
  app.get("/api/safety", async () => ({ safety: safety.view() }));

  app.patch("/api/safety", async (request) => {
    await safety.update(parse(UpdateSafety, request.body));
    changed();
    return { safety: safety.view() };
  });
}
