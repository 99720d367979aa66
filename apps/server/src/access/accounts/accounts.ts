// The accounts of people: invitations, passwords, and their end. Routes and the local socket call it; who may do what is checked before.
import { type Invitation, type InvitedPerson, PatchbayError, type Role } from "@patchbay/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { Access } from "../access.ts";
import type { NewPerson, Person } from "../people.ts";
import { digest, makeSecret } from "../secrets.ts";
import type { Guesses } from "./guesses.ts";
import type { KnownDevices } from "./known-device.ts";
import { hashPassword, isPassword } from "./password-hash.ts";
import { checkPassword } from "./password-rules.ts";
import { type Credential, noPerson, type PersonCredentials } from "./person-credentials.ts";
import type { SecondFactors } from "./second-factors.ts";

const invitationMs = 7 * 86_400_000;

/** An invitation that was made. The secret is in the link, and nowhere else. */
export interface NewInvitation extends Omit<Invitation, "link"> {
  secret: string;
}

interface Change {
  handle?: string | undefined;
  name?: string | undefined;
  role?: Role | undefined;
  disabled?: boolean | undefined;
}

interface AccountParts {
  access: Access;
  credentials: PersonCredentials;
  guesses: Guesses;
  devices: KnownDevices;
  secondFactors: SecondFactors;
  /** Ends the workers of a person's sessions. */
  stopSessions(person: Person): Promise<void>;
  log: FastifyBaseLogger;
}

/** Who has shown that they are this person. */
export interface Admitted {
  person: Person;
  /** False: what let them in was taken away in the meantime. */
  isStill(): boolean;
}

export class Accounts {
  readonly secondFactors: SecondFactors;
  readonly #access: Access;
  readonly #credentials: PersonCredentials;
  readonly #guesses: Guesses;
  readonly #devices: KnownDevices;
  readonly #stopSessions: AccountParts["stopSessions"];
  readonly #log: FastifyBaseLogger;
  /** Changes run one after another: an invitation must not be used twice, nor while it is taken back. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor({ access, credentials, guesses, devices, secondFactors, stopSessions, log }: AccountParts) {
    this.#access = access;
    this.#credentials = credentials;
    this.#guesses = guesses;
    this.#devices = devices;
    this.secondFactors = secondFactors;
    this.#stopSessions = stopSessions;
    this.#log = log;
  }

  /** By the name that the person logs in with. */
  named(handle: string): Person {
    const person = this.#people.byHandle(handle);
    if (person === undefined)
      throw new PatchbayError("not_found", `There is nobody with the name "${handle}" here.`);
    return person;
  }

  add(wanted: NewPerson): Promise<{ person: Person; invitation: NewInvitation }> {
    return this.#change(async () => {
      const person = await this.#people.add(wanted);
      return { person, invitation: await this.#invite(person, []) };
    });
  }

  /** A new link. All that the person could log in with until now ends, and so do their logins and tokens. */
  reset(id: string): Promise<{ person: Person; invitation: NewInvitation }> {
    return this.#change(async () => {
      const person = this.#find(id);
      if (person.state === "disabled")
        throw new PatchbayError("bad_request", `${person.name} is disabled. Enable them first.`);
      const invitation = await this.#invite(person, this.#credentials.idsOf(id));
      await this.#end(person);
      return { person, invitation };
    });
  }

  update(id: string, { disabled, ...change }: Change): Promise<Person> {
    return this.#change(async () => {
      const known = this.#find(id);
      const person = await this.#people.update(id, { ...change, state: this.#stateOf(known, disabled) });
      if (person.state !== "disabled") return person;
      await this.#end(person);
      await this.#credentials.change({ remove: this.#credentials.idsOf(id, ["invitation"]), add: [] });
      await this.#stopSessions(person);
      return person;
    });
  }

  /** Whom the invitation is for. Throws when it was used, has expired, or was taken back. */
  invited(secret: string, address: string): InvitedPerson {
    const { handle, name } = this.#ofInvitation(secret, address).person;
    return { handle, name };
  }

  /** Uses the invitation up. */
  accept(
    { invitation, password }: { invitation: string; password: string },
    address: string,
  ): Promise<Admitted> {
    return this.#change(async () => {
      const { person, credential } = this.#ofInvitation(invitation, address);
      checkPassword(password, person);
      const hash = await hashPassword(password);
      const remove = [...this.#credentials.idsOf(person.id, ["password"]), credential.id];
      await this.#credentials.change({
        remove,
        add: [{ person: person.id, kind: "password", data: { hash } }],
      });
      const active = await this.#people.update(person.id, { state: "active" });
      return this.#admitted(active);
    });
  }

  /** The same error, after the same time, for a name that does not exist, a wrong password and a person who may not log in. */
  async logIn(
    { handle, password, code }: { handle: string; password: string; code?: string | undefined },
    { address, device }: { address: string; device: string | undefined },
  ): Promise<Admitted> {
    const person = this.#people.byHandle(handle);
    const known = this.#devices.read(device, person?.id);
    const wasRight = this.#guesses.begin({ handle: handle.trim().toLowerCase(), address, device: known });
    const credential = person === undefined ? undefined : this.#credentials.find(person.id, "password");
    const isRight = await isPassword(password, credential?.data.hash);
    if (!isRight || person === undefined || this.#people.find(person.id)?.state !== "active")
      throw new PatchbayError("not_logged_in", "Wrong name or password.");
    if (this.secondFactors.has(person)) {
      if (code === undefined) {
        wasRight();
        throw new PatchbayError("code_needed");
      }
      // Counted as a guess: six digits are few.
      if (!(await this.secondFactors.check(person, code))) throw new PatchbayError("code_needed", wrongCode);
    }
    wasRight();
    const admitted = this.#admitted(person);
    if (credential === undefined || !this.#credentials.isCurrent(credential))
      throw new PatchbayError("login_ended");
    this.#credentials
      .touch(credential.id)
      .catch((err: unknown) => this.#log.warn({ err }, "the use of a password could not be saved"));
    return admitted;
  }

  /** Turns the second factor off. The code is a guess like a password. */
  async removeSecondFactor(
    person: Person,
    code: string,
    { login, address }: { login: string | null; address: string },
  ): Promise<void> {
    const wasRight = this.#guesses.begin({ handle: person.handle, address, device: login ?? "a login" });
    if (!(await this.secondFactors.check(person, code))) throw new PatchbayError("forbidden", wrongCode);
    wasRight();
    await this.secondFactors.remove(person);
  }

  /** A value for the cookie that makes a device known as this person's. */
  deviceOf(person: Person): string {
    return this.#devices.make(person.id);
  }

  hasPassword(person: Person): boolean {
    return this.#credentials.has(person.id, "password");
  }

  /** Ends the person's other logins. `old` is needed unless they have no password yet. */
  changePassword(
    person: Person,
    { old, password }: { old: string | undefined; password: string },
    { login, address }: { login: string | null; address: string },
  ): Promise<void> {
    return this.#change(async () => {
      const known = this.#credentials.find(person.id, "password");
      if (known !== undefined) {
        // A login that was left open must not be a way to try passwords.
        const key = login ?? "a login";
        const wasRight = this.#guesses.begin({ handle: person.handle, address, device: key });
        if (!(await isPassword(old ?? "", known.data.hash)))
          throw new PatchbayError("forbidden", "This is not your password.");
        wasRight();
      }
      checkPassword(password, person);
      const data = { hash: await hashPassword(password) };
      const remove = this.#credentials.idsOf(person.id, ["password", "invitation"]);
      await this.#credentials.change({ remove, add: [{ person: person.id, kind: "password", data }] });
      await this.#access.endLogins(person, login);
    });
  }

  get #people() {
    return this.#access.people;
  }

  #admitted(person: Person): Admitted {
    const credential = this.#credentials.find(person.id, "password");
    return {
      person,
      isStill: () => credential !== undefined && this.#credentials.isCurrent(credential),
    };
  }

  /** Who never chose a password is invited again, not active. */
  #stateOf({ id, state, isHolder }: Person, disabled: boolean | undefined): Person["state"] {
    if (disabled === undefined) return state;
    if (disabled) return "disabled";
    if (state !== "disabled") return state;
    return isHolder || this.#credentials.has(id, "password") ? "active" : "invited";
  }

  async #invite({ id }: Person, ended: readonly string[]): Promise<NewInvitation> {
    const secret = makeSecret();
    const expiresAt = Date.now() + invitationMs;
    const data = { hash: hashOf(secret), expires_at: expiresAt };
    await this.#credentials.change({ remove: ended, add: [{ person: id, kind: "invitation", data }] });
    return { secret, expires_at: new Date(expiresAt).toISOString() };
  }

  #ofInvitation(secret: string, address: string): { person: Person; credential: Credential<"invitation"> } {
    this.#access.failures.checkRight(address);
    const hash = hashOf(secret);
    const credential = this.#credentials.all("invitation").find(({ data }) => data.hash === hash);
    const person = credential === undefined ? undefined : this.#people.find(credential.person);
    if (credential === undefined || person === undefined || person.state === "disabled")
      this.#access.failures.failed(address);
    else if (credential.data.expires_at > Date.now()) return { person, credential };
    throw new PatchbayError(
      "not_logged_in",
      "This invitation was already used, has expired, or was replaced. Ask an admin for a new one.",
    );
  }

  async #end(person: Person): Promise<void> {
    const { tokens } = this.#access;
    this.#access.codes.revoke(person.id);
    if (person.isHolder) this.#access.codes.revoke(null);
    await this.#access.endLogins(person, null);
    await tokens.revoke(tokens.list(person.id).map(({ id }) => id));
  }

  #find(id: string): Person {
    const person = this.#people.find(id);
    if (person === undefined) throw noPerson();
    return person;
  }

  #change<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changing.then(change);
    this.#changing = changed.catch(() => {}); // the caller gets the error
    return changed;
  }
}

/** The secret has 256 bits, so nothing is learned from the time of a comparison of hashes. */
const hashOf = (secret: string): string => digest(secret).toString("base64url");

const wrongCode =
  "This code is wrong, or it was used already. Enter the newest one of your app, or a recovery code.";
