// Making, hashing and comparing secrets. All of them are random and long, so a plain SHA-256 is enough to store one, and
// comparing hashes in constant time tells nothing about how close a guess was.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export const makeSecret = (bytes = 32): string => randomBytes(bytes).toString("base64url");

export const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

export const isSecret = (given: string, expected: Buffer): boolean =>
  timingSafeEqual(digest(given), expected);
