// Single-use codes for login links. A link is visible on a terminal, in a browser's history and in the arguments of the program that
// opens it, so its code expires after a minute or its first use. Codes are in memory only and do not survive a restart.
import { digest, makeSecret } from "./secrets.ts";

/** Enough for a person to get from the terminal to the browser. */
export const codeValidMs = 60_000;

/** Only programs with the token can request codes. One that requests them in a loop must not fill the memory. */
const maxCodes = 100;

export class LoginCodes {
  /** When each code expires, by its hash, oldest first. Monotonic: a change of the clock must not extend it. */
  readonly #ends = new Map<string, number>();

  make(): string {
    const code = makeSecret(24);
    this.#ends.set(keyOf(code), performance.now() + codeValidMs);
    if (this.#ends.size > maxCodes) this.#ends.delete(this.#ends.keys().next().value ?? "");
    return code;
  }

  /** Returns whether the code was valid, and invalidates it. */
  consume(code: string): boolean {
    const key = keyOf(code);
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    return end !== undefined && performance.now() < end;
  }
}

const keyOf = (code: string): string => digest(code).toString("base64url");
