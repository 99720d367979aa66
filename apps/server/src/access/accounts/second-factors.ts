// The second factor of a person: a code of an authenticator app, or one of ten recovery codes, each good once.
import { randomBytes } from "node:crypto";
import { PatchbayError, type SecondFactor } from "@patchbay/protocol";
import type { Person } from "../people.ts";
import { digest } from "../secrets.ts";
import type { PersonCredentials } from "./person-credentials.ts";
import { base32, stepOf, totpUri } from "./totp.ts";

const keyBytes = 20;
const recoveryCodes = 10;

/** From the QR code to the first code. */
const setupMs = 10 * 60_000;

/** Of people who are setting one up at the same time. */
const maxSetups = 1_000;

export class SecondFactors {
  readonly #credentials: PersonCredentials;
  /** Keys that are shown and not confirmed yet, by person. */
  readonly #setups = new Map<string, { key: Buffer; until: number }>();

  constructor(credentials: PersonCredentials) {
    this.#credentials = credentials;
  }

  has(person: Person): boolean {
    return this.#credentials.has(person.id, "totp");
  }

  /** Counts only when it is confirmed. */
  begin(person: Person): SecondFactor {
    const key = randomBytes(keyBytes);
    this.#setups.delete(person.id);
    this.#setups.set(person.id, { key, until: performance.now() + setupMs });
    if (this.#setups.size > maxSetups) this.#setups.delete(this.#setups.keys().next().value ?? "");
    return { secret: base32(key), uri: totpUri(key, { issuer: "Patchbay", account: person.handle }) };
  }

  /** Returns the recovery codes, which are not shown again. */
  async confirm(person: Person, code: string): Promise<string[]> {
    const setup = this.#setups.get(person.id);
    if (setup === undefined || setup.until < performance.now())
      throw new PatchbayError("bad_request", "This took too long. Start again with a new QR code.");
    const step = stepOf({ key: setup.key, usedStep: 0 }, code);
    if (step === undefined)
      throw new PatchbayError("forbidden", "This code is wrong. Enter the one that the app shows now.");
    this.#setups.delete(person.id);
    const codes = Array.from({ length: recoveryCodes }, () => recoveryCode());
    const data = { key: setup.key.toString("base64url"), used_step: step, recovery: codes.map(hashOf) };
    const remove = this.#credentials.idsOf(person.id, ["totp"]);
    await this.#credentials.change({ remove, add: [{ person: person.id, kind: "totp", data }] });
    return codes;
  }

  /** A right code is used up before this resolves. */
  async check(person: Person, code: string): Promise<boolean> {
    const known = this.#credentials.find(person.id, "totp");
    if (known === undefined) return false;
    const { key, used_step, recovery } = known.data;
    const step = stepOf({ key: Buffer.from(key, "base64url"), usedStep: used_step }, code);
    const hash = hashOf(code);
    if (step === undefined && !recovery.includes(hash)) return false;
    const data =
      step === undefined
        ? { key, used_step, recovery: recovery.filter((each) => each !== hash) }
        : { key, used_step: step, recovery };
    await this.#credentials.replace({ ...known, data });
    return true;
  }

  async remove(person: Person): Promise<void> {
    await this.#credentials.change({ remove: this.#credentials.idsOf(person.id, ["totp"]), add: [] });
  }
}

/** 80 bits, in groups that can be copied by hand. */
const recoveryCode = (): string => (base32(randomBytes(10)).match(/.{4}/g) ?? []).join("-").toLowerCase();

const hashOf = (code: string): string =>
  digest(code.toLowerCase().replaceAll(/[^a-z0-9]/g, "")).toString("base64url");
