// Single-use codes for login links. A link stands on a terminal, in a browser's history and in the arguments of the
// program that opens it, so what it holds is worth nothing after a minute or after its first use. In memory only: a
// restart forgets them.
import { digest, makeSecret } from "./secrets.ts";

/** As long as a person needs from the terminal to the browser. */
export const codeLifeMs = 60_000;

/** Only who has the token can ask for codes; a program that asks in a loop must not fill the memory. */
const maxCodes = 100;

export class LoginCodes {
  /** When a code ends, by its hash, the oldest first. Monotonic: a clock that is set must not lengthen it. */
  readonly #ends = new Map<string, number>();

  make(): string {
    const code = makeSecret(24);
    this.#ends.set(keyOf(code), performance.now() + codeLifeMs);
    if (this.#ends.size > maxCodes) this.#ends.delete(this.#ends.keys().next().value ?? "");
    return code;
  }

  /** Whether the code was good; it is not any more. */
  spend(code: string): boolean {
    const key = keyOf(code);
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    return end !== undefined && performance.now() < end;
  }
}

const keyOf = (code: string): string => digest(code).toString("base64url");
