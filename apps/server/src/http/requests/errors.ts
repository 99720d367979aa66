// Responds to every error with {"error":{code,message}}. An unexpected error is logged, and its details are not sent.
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { ThrottledError } from "../../access/failures.ts";

export function errorReplies(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | PatchbayError>((error, request, reply) => {
    const known = asPatchbayError(error);
    if (known.code === "internal") request.log.error({ err: error }, "a request failed");
    if (known instanceof ThrottledError) reply.header("retry-after", known.retryAfterSeconds);
    // The rest of a refused body is not read, nor what follows a refused upgrade.
    if (hasBody(request) || request.ws) reply.header("connection", "close");
    void reply.code(known.status).send(known.toBody()); // the reply is awaited by fastify itself
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

function asPatchbayError(error: FastifyError | PatchbayError): PatchbayError {
  if (error instanceof PatchbayError) return error;
  if (error.statusCode === 413) return new PatchbayError("too_large");
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new PatchbayError("bad_request", error.message);
  return new PatchbayError("internal");
}
