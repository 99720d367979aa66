// Single-use codes for login links, and for the QR codes that pair a phone. A link is visible on a terminal, in a browser's history and in
// the arguments of the program that opens it, so its code expires after a minute or its first use. Codes are in memory only.
import { digest, makeSecret } from "./secrets.ts";

/** Enough for a person to get from the terminal to the browser. */
export const codeValidMs = 60_000;

/** Enough to find a phone and to point it at the screen. */
export const pairingValidMs = 120_000;

/** Only programs with the token, and people who are logged in, can request codes. One that does it in a loop must not fill the memory. */
const maxCodes = 100;

interface Code {
  /** Monotonic: a change of the clock must not extend it. */
  end: number;
  /** Whom it logs in; null: the holder of the token. */
  person: string | null;
}

export class LoginCodes {
  /** By their hashes, oldest first. */
  readonly #codes = new Map<string, Code>();

  make(person: string | null = null, validMs = codeValidMs): string {
    const code = makeSecret(24);
    this.#codes.set(keyOf(code), { end: performance.now() + validMs, person });
    if (this.#codes.size > maxCodes) this.#codes.delete(this.#codes.keys().next().value ?? "");
    return code;
  }

  /** Whom the code logs in, without using it; undefined: it is not valid. */
  personOf(code: string): string | null | undefined {
    const found = this.#codes.get(keyOf(code));
    return found !== undefined && performance.now() < found.end ? found.person : undefined;
  }

  /** Returns whom the code logs in, and invalidates it; undefined: it was not valid. */
  consume(code: string): string | null | undefined {
    const key = keyOf(code);
    const found = this.#codes.get(key);
    this.#codes.delete(key);
    return found !== undefined && performance.now() < found.end ? found.person : undefined;
  }

  /** The codes of the person (null: of the holder of the token) are not valid any more. */
  revoke(person: string | null): void {
    for (const [key, code] of this.#codes) if (code.person === person) this.#codes.delete(key);
  }
}

const keyOf = (code: string): string => digest(code).toString("base64url");
