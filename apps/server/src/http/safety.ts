// Routes for the safety settings of this machine.
import { UpdateSafety } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import { may } from "../access/policy.ts";
import type { MachineSafety } from "../machine/machine.ts";
import { parse } from "./requests/parse.ts";

/** `changed` is called when new workers must start with other settings. */
export function safetyRoutes(app: FastifyInstance, safety: MachineSafety, changed: () => void): void {
  app.get("/api/safety", may("safety.read"), async () => ({ safety: safety.view() }));

  app.patch("/api/safety", may("safety.change"), async (request) => {
    await safety.update(parse(UpdateSafety, request.body));
    changed();
    return { safety: safety.view() };
  });
}
