// Creates, hashes and compares secrets. All are random and long, so a plain SHA-256 is enough to store one. Hashes are compared in
// constant time, so that the time does not reveal how close a guess was.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export const makeSecret = (bytes = 32): string => randomBytes(bytes).toString("base64url");

export const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

export const isSecret = (given: string, expected: Buffer): boolean =>
  timingSafeEqual(digest(given), expected);
