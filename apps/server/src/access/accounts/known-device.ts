// The cookie of a device on which a person has logged in. It lets nobody in: a password that is typed there is not throttled together with
// the guesses of strangers. It is signed, not stored, so it ends with the server's token.
import { createHmac, timingSafeEqual } from "node:crypto";
import { digest, makeSecret } from "../secrets.ts";

export class KnownDevices {
  readonly #key: Buffer;

  constructor(token: string) {
    this.#key = digest(`patchbay known devices ${token}`);
  }

  /** A value for the cookie. */
  make(person: string): string {
    const device = makeSecret(16);
    return `${device}.${this.#sign(device, person).toString("base64url")}`;
  }

  /** The id of the device; undefined: the person has not logged in on it. */
  read(value: string | undefined, person: string | undefined): string | undefined {
    const [device = "", signature = ""] = value?.split(".") ?? [];
    if (device === "" || person === undefined) return undefined;
    const given = Buffer.from(signature, "base64url");
    const expected = this.#sign(device, person);
    return given.length === expected.length && timingSafeEqual(given, expected) ? device : undefined;
  }

  #sign(device: string, person: string): Buffer {
    return createHmac("sha256", this.#key).update(`${device} ${person}`).digest();
  }
}
