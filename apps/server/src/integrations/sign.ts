// Signatures of the Standard Webhooks specification, which has libraries in many languages: the HMAC-SHA256 of id, time and body. A
// receiver rejects old times, so that a delivery cannot be replayed.
import { createHmac } from "node:crypto";

/** After this prefix, the secret is base64. */
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
