// Signatures after the Standard Webhooks specification, for which receivers find libraries in many languages: the
// HMAC-SHA256 of id, time and body. A receiver refuses old times, so that nothing can be replayed.
import { createHmac } from "node:crypto";

/** A secret that begins so is the rest of it, in base64. */
const prefix = "whsec_";

export function signedHeaders(
  secret: string,
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : secret;
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${signature}`,
  };
}
