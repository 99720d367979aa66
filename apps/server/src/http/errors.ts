// Every error leaves as {"error":{code,message}}; what we did not expect is logged and not told.
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyError, FastifyInstance } from "fastify";

export function errorReplies(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | PatchbayError>((error, request, reply) => {
    const known = asPatchbayError(error);
    if (known.code === "internal") request.log.error({ err: error }, "a request failed");
    void reply.code(known.status).send(known.toBody()); // the reply is awaited by fastify itself
  });
}

function asPatchbayError(error: FastifyError | PatchbayError): PatchbayError {
  if (error instanceof PatchbayError) return error;
  if (error.statusCode === 413) return new PatchbayError("too_large");
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new PatchbayError("bad_request", error.message);
  return new PatchbayError("internal");
}
