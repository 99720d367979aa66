// How often one caller may open sockets: a page that comes back in a loop must not keep the server busy, nor other pages away.
import rateLimit from "@fastify/rate-limit";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Limits } from "../config/config-file.ts";

/** Rejects with `too_many`, which closes the socket that was asked for. */
export type CheckRate = (request: FastifyRequest) => Promise<void>;

export const registerRates = async (app: FastifyInstance): Promise<void> => {
  await app.register(rateLimit, { global: false });
};

/** A limit per caller and socket: of one login, or of one IP address where the token is used. */
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
