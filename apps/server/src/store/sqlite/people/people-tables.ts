// The tables of people and groups.
import { PersonState, Role } from "@patchbay/protocol";
import type { Selectable } from "kysely";
import type { GroupRecord, PeopleStore, PersonRecord } from "../../people/people-store.ts";
import type { Database } from "../database/database.ts";
import { type ReportUnreadable, readableRows } from "../database/readable-rows.ts";
import type { Tables } from "../database/tables.ts";

export class PeopleTables implements PeopleStore {
  readonly #db: Database;
  readonly #report: ReportUnreadable;

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
  }

  async list(): Promise<PersonRecord[]> {
    const rows = await this.#db.query
      .selectFrom("people")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    // A row that cannot be read gives nobody a right.
    return readableRows("people", rows, fromRow, { nameOf: ({ id }) => id, report: this.#report });
  }

  async save(people: readonly PersonRecord[]): Promise<void> {
    await this.#db.write(
      ...people.map(({ id, is_holder, ...plain }) => {
        const columns = { ...plain, is_holder: Number(is_holder) };
        return this.#db.query
          .insertInto("people")
          .values({ id, ...columns })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
          .compile();
      }),
    );
  }

  async groups(): Promise<GroupRecord[]> {
    const [groups, members] = await Promise.all([
      this.#db.query.selectFrom("groups").selectAll().orderBy("name").orderBy("id").execute(),
      this.#db.query.selectFrom("group_members").selectAll().orderBy("person").execute(),
    ]);
    return groups.map(({ id, name }) => ({
      id,
      name,
      members: members.filter(({ group }) => group === id).map(({ person }) => person),
    }));
  }

  async saveGroup({ id, name, members }: GroupRecord): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(
      query
        .insertInto("groups")
        .values({ id, name })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ name }))
        .compile(),
      query.deleteFrom("group_members").where("group", "=", id).compile(),
      ...members.map((person) => query.insertInto("group_members").values({ group: id, person }).compile()),
    );
  }

  async removeGroup(id: string): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(
      query.deleteFrom("groups").where("id", "=", id).compile(),
      query.deleteFrom("group_members").where("group", "=", id).compile(),
    );
  }
}

const fromRow = ({ role, state, is_holder, ...plain }: Selectable<Tables["people"]>): PersonRecord => ({
  ...plain,
  role: Role.parse(role),
  state: PersonState.parse(state),
  is_holder: is_holder === 1,
});
