// Limits how often one caller may open sockets: a page that reconnects in a loop must not load the server or block other pages.
import rateLimit from "@fastify/rate-limit";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Limits } from "../config/config-file.ts";

/** Rejects with `too_many`, which closes the new socket. */
export type CheckRate = (request: FastifyRequest) => Promise<void>;

export const registerRates = async (app: FastifyInstance): Promise<void> => {
  await app.register(rateLimit, { global: false });
};

/** One limit per caller and route. The caller is a login, or an IP address with the token. */
export function attachRate(app: FastifyInstance, { attaches_per_minute: max }: Limits): CheckRate {
  const check = app.createRateLimit({
    max,
    timeWindow: 60_000,
    keyGenerator: ({ principal, ip, routeOptions, params }) => {
      const caller = principal?.kind === "login" ? principal.login.id : ip;
      return JSON.stringify([caller, routeOptions.url, params]);
    },
  });
  return async (request) => {
    const rate = await check(request);
    if (!rate.isAllowed && rate.isExceeded) throw new PatchbayError("too_many");
  };
}
