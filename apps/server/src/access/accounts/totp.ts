// One-time codes of authenticator apps: RFC 6238 with what all apps support (SHA-1, six digits, 30 seconds), over RFC 4226.
import { createHmac, timingSafeEqual } from "node:crypto";

const stepMs = 30_000;
const digits = 6;
/** Clocks of phones differ, and a code is typed for a while: one step before and after counts too. */
const drift = 1;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** As apps take it when it is typed. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, value] = ["", 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
    value &= 0xff;
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}

export function codeAt(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits).padStart(digits, "0");
}

/** The step that the code is for; undefined: it is wrong, or not newer than the one that was used last. */
export function stepOf(
  { key, usedStep }: { key: Uint8Array; usedStep: number },
  code: string,
  now = Date.now(),
): number | undefined {
  const current = Math.floor(now / stepMs);
  const given = Buffer.from(code.replaceAll(/\s/g, ""));
  if (given.length !== digits) return undefined;
  const steps = Array.from({ length: 2 * drift + 1 }, (_, at) => current - drift + at);
  return steps.find((step) => step > usedStep && timingSafeEqual(given, Buffer.from(codeAt(key, step))));
}

/** What an app reads from a QR code. */
export const totpUri = (key: Uint8Array, { issuer, account }: { issuer: string; account: string }): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${base32(key)}&issuer=${encodeURIComponent(issuer)}`;
