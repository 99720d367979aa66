// Routes for visitors of a share link: the page, and what it shows. No login is read or set. The secret stands behind the # of the address,
// which browsers send to nobody, and comes in a header. The page may load its own files and this one call, and nothing else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PatchbayError, shareSecretHeader } from "@patchbay/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { addressOf } from "../../access/credentials.ts";
import type { FailedLogins } from "../../access/failures.ts";
import { may } from "../../access/policy.ts";
import type { Shares } from "../../shares/shares.ts";
import { parse } from "../requests/parse.ts";

/** It is put into a header. */
const Params = z.object({ share: z.string().check(z.regex(/^[A-Za-z0-9]{1,40}$/)) });
const Secret = z.string().check(z.minLength(1), z.maxLength(200));

interface VisitorParts {
  shares: Shares;
  failures: FailedLogins;
  webRoot: string;
  /** The path of this server behind a reverse proxy. */
  base: string;
}

export function visitorRoutes(app: FastifyInstance, { shares, failures, webRoot, base }: VisitorParts): void {
  const page = readFileSync(join(webRoot, "shared.html"), "utf8").replaceAll('"./', `"${base}/`);

  app.get("/shared/:share", may("page.load"), async (request, reply) => {
    const { share } = parse(Params, request.params);
    return unlisted(reply)
      .header("content-security-policy", policyOf(request, base, share))
      .type("text/html; charset=utf-8")
      .send(page);
  });

  app.get("/api/shared/:share", may("share.read"), async (request, reply) => {
    const { share } = parse(Params, request.params);
    const secret = parse(Secret, request.headers[shareSecretHeader]);
    const address = addressOf(request);
    failures.checkRight(address);
    const read = await shares.read(share, secret);
    if (read === undefined) {
      failures.failed(address);
      throw new PatchbayError("not_found", "This link does not work. Check that it is complete.");
    }
    const known = request.headers["if-none-match"];
    if (known === undefined) shares.count(share);
    unlisted(reply).header("etag", read.etag);
    if (known === read.etag) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(read.body);
  });
}

const unlisted = (reply: FastifyReply): FastifyReply =>
  reply
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-robots-tag", "noindex, nofollow");

function policyOf({ protocol, host }: FastifyRequest, base: string, share: string): string {
  const own = `${protocol}://${host}${base}`;
  return [
    "default-src 'none'",
    `script-src ${own}/assets/`,
    `style-src ${own}/assets/`,
    "img-src data:",
    `connect-src ${own}/api/shared/${share}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
