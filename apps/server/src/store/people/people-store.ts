// Where people and their groups are kept. How they log in is in stores of its own.
import type { PersonState, Role } from "@patchbay/protocol";

export interface PersonRecord {
  id: string;
  /** What the person types to log in. No two people have the same. */
  handle: string;
  name: string;
  role: Role;
  state: PersonState;
  /** The holder of the server's token: what there was before there were people is theirs. */
  is_holder: boolean;
  /** Milliseconds. */
  created_at: number;
}

export interface GroupRecord {
  id: string;
  name: string;
  /** Ids of people. */
  members: string[];
}

export interface PeopleStore {
  /** Oldest first. */
  list(): Promise<PersonRecord[]>;
  /** Adds or changes people, all or none. */
  save(people: readonly PersonRecord[]): Promise<void>;
  groups(): Promise<GroupRecord[]>;
  /** Adds the group, or replaces it with its members. */
  saveGroup(group: GroupRecord): Promise<void>;
  removeGroup(id: string): Promise<void>;
}
