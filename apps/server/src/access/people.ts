// The people of this server and their groups, in memory and in the store. Without people the server belongs to the holder of its token,
// as it does on one person's machine. The first person that is added makes the holder an admin.
import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { Handle, PatchbayError, type PersonInfo, type Role } from "@patchbay/protocol";
import type { GroupRecord, PeopleStore, PersonRecord } from "../store/people/people-store.ts";

/** All are kept in memory and compared at each request. */
const maxPeople = 10_000;
const maxGroups = 1_000;

export interface Person extends PersonInfo {
  isHolder: boolean;
}

export interface NewPerson {
  handle: string;
  name: string;
  role: Role;
}

type Changeable = Pick<PersonRecord, "handle" | "name" | "role" | "state">;
type PersonChange = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

export class People {
  readonly #store: PeopleStore;
  readonly #people = new Map<string, Person>();
  #holder: string | null = null;
  readonly #groups = new Map<string, GroupRecord>();
  readonly #listeners = new Set<() => void>();
  /** Changes run one after another, so that two of them cannot take the same handle, or remove the last admin together. */
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(store: PeopleStore, people: readonly PersonRecord[], groups: readonly GroupRecord[]) {
    this.#store = store;
    for (const group of groups) this.#groups.set(group.id, group);
    for (const person of people) this.#put(person);
  }

  static async open(store: PeopleStore): Promise<People> {
    return new People(store, await store.list(), await store.groups());
  }

  /** Several people use this server. False: it is its token's holder's. */
  get isTeam(): boolean {
    return this.#people.size > 0;
  }

  /** Whose the server's token is; null without people. */
  get holder(): Person | null {
    return this.#holder === null ? null : (this.#people.get(this.#holder) ?? null);
  }

  /** Whom an entry of the ledger names; undefined: nobody, or somebody who is no longer known. */
  ofLedger(person: string): Person | undefined {
    return person === "" ? (this.holder ?? undefined) : this.#people.get(person);
  }

  /** Oldest first. */
  list(): Person[] {
    return [...this.#people.values()];
  }

  find(id: string): Person | undefined {
    return this.#people.get(id);
  }

  byHandle(handle: string): Person | undefined {
    const wanted = handle.trim().toLowerCase();
    return this.list().find((person) => person.handle === wanted);
  }

  groups(): GroupRecord[] {
    return [...this.#groups.values()];
  }

  /** Calls `listener` after each change. Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds a person. The first one adds the holder of the token too, as an admin. */
  add({ handle, name, role }: NewPerson): Promise<Person> {
    return this.#change(async () => {
      if (this.#people.size >= maxPeople)
        throw new PatchbayError("too_many", `This server has ${maxPeople} people, which is the limit.`);
      const added = record({ handle, name, role }, "invited");
      const records = this.isTeam ? [added] : [holderRecord(handle), added];
      this.#checkHandle(added);
      await this.#store.save(records);
      for (const each of records) this.#put(each);
      return this.#get(added.id);
    });
  }

  update(id: string, change: PersonChange): Promise<Person> {
    return this.#change(async () => {
      const { isHolder: is_holder, groups: _groups, created_at, ...person } = this.#get(id);
      const { handle = person.handle, name = person.name, role = person.role, state = person.state } = change;
      const changed = { ...person, is_holder, created_at: Date.parse(created_at), handle, name, role, state };
      this.#checkHandle(changed);
      this.#checkAdminStays(changed);
      await this.#store.save([changed]);
      this.#put(changed);
      return this.#get(id);
    });
  }

  /** Adds a group, or replaces its name and members. */
  saveGroup({ id, name, members }: Omit<GroupRecord, "id"> & { id?: string }): Promise<GroupRecord> {
    return this.#change(async () => {
      if (id !== undefined && !this.#groups.has(id)) throw noGroup();
      if (id === undefined && this.#groups.size >= maxGroups)
        throw new PatchbayError("too_many", `This server has ${maxGroups} groups, which is the limit.`);
      for (const member of members) this.#get(member);
      const group = { id: id ?? newId(), name, members: [...new Set(members)] };
      await this.#store.saveGroup(group);
      this.#groups.set(group.id, group);
      this.#regroup();
      return group;
    });
  }

  removeGroup(id: string): Promise<void> {
    return this.#change(async () => {
      if (!this.#groups.has(id)) throw noGroup();
      await this.#store.removeGroup(id);
      this.#groups.delete(id);
      this.#regroup();
    });
  }

  #change<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changing.then(change);
    this.#changing = changed.catch(() => {}); // the caller gets the error
    void changed.then(
      () => {
        for (const listener of [...this.#listeners]) listener();
      },
      () => {},
    );
    return changed;
  }

  #put({ is_holder, created_at, ...person }: PersonRecord): void {
    if (is_holder) this.#holder = person.id;
    this.#people.set(person.id, {
      ...person,
      groups: this.#groupsOf(person.id),
      created_at: new Date(created_at).toISOString(),
      isHolder: is_holder,
    });
  }

  #regroup(): void {
    for (const [id, person] of this.#people) this.#people.set(id, { ...person, groups: this.#groupsOf(id) });
  }

  #groupsOf(person: string): string[] {
    return this.groups().flatMap(({ id, members }) => (members.includes(person) ? [id] : []));
  }

  #get(id: string): Person {
    const person = this.#people.get(id);
    if (person === undefined) throw new PatchbayError("not_found", "There is no such person.");
    return person;
  }

  #checkHandle({ id, handle }: Pick<PersonRecord, "id" | "handle">): void {
    const other = this.byHandle(handle);
    if (other !== undefined && other.id !== id)
      throw new PatchbayError("bad_request", `The name "${handle}" is taken. Choose another one.`);
  }

  /** Without an active admin, people could only be changed from the server's own machine. */
  #checkAdminStays(changed: PersonRecord): void {
    const isAdmin = ({ role, state }: Pick<PersonRecord, "role" | "state">): boolean =>
      role === "admin" && state === "active";
    const others = this.list().filter((person) => person.id !== changed.id);
    if (isAdmin(this.#get(changed.id)) && ![...others, changed].some(isAdmin))
      throw new PatchbayError(
        "bad_request",
        "This is the last active admin. Make another person an admin first.",
      );
  }
}

/** The person as sessions and the ledger keep it: what was there before there were people names nobody, and is the holder's. */
export const keptOwner = (person: Person | null): string | undefined =>
  person === null || person.isHolder ? undefined : person.id;

const newId = (): string => randomBytes(8).toString("hex");

const noGroup = (): PatchbayError => new PatchbayError("not_found", "There is no such group.");

const record = (person: NewPerson, state: PersonRecord["state"]): PersonRecord => ({
  id: newId(),
  ...person,
  state,
  is_holder: false,
  created_at: Date.now(),
});

/** The holder is named after the user that the server runs as, unless `taken` is that name. They can change it. */
function holderRecord(taken: string): PersonRecord {
  const user = userName();
  const handle = user === taken ? `${user}-admin` : user;
  return { ...record({ handle, name: user, role: "admin" }, "active"), is_holder: true };
}

function userName(): string {
  try {
    return Handle.parse(userInfo().username);
  } catch {
    return "admin"; // a user without a name, or with one that is no handle
  }
}
