// Decides whether somebody may do something: the policy, applied to people, their rights in sessions, and the scopes of tokens.
import {
  type Author,
  includesRight,
  PatchbayError,
  type Right,
  rightIn,
  roles,
  type SessionAccess,
} from "@patchbay/protocol";
import type { People, Person } from "./people.ts";
import { type Action, ruleOf, type TokenScope } from "./policy.ts";

/** Who acts. */
export interface Actor {
  /** Null: this server has no people, and the holder of its token may do everything. */
  readonly person: Person | null;
  /** What the token that was sent is limited to; null: it may do what the person may. */
  readonly scopes: ReadonlySet<TokenScope> | null;
  readonly author: Author;
}

/** Whose a session is, and who else may do what. */
export interface SessionRights {
  owner?: string | undefined;
  access?: SessionAccess | undefined;
}

export class Rights {
  readonly #people: People;
  readonly #sessionOf: (id: string) => SessionRights | undefined;
  readonly #listeners = new Set<(session: string | null) => void>();

  /** `sessionOf` returns undefined for a session that does not exist. */
  constructor(people: People, sessionOf: (id: string) => SessionRights | undefined) {
    this.#people = people;
    this.#sessionOf = sessionOf;
    people.onChange(() => this.changed(null));
  }

  /** Throws `forbidden`, or `no_such_session` for a session of which the actor may not know. */
  check(actor: Actor, action: Action, session?: string): void {
    if (actor.person === null) return;
    const refusal = this.refusal(actor, action, session);
    if (refusal !== null) throw refusal;
  }

  /** Why the actor may not; null: they may. */
  refusal(actor: Actor, action: Action, session?: string): PatchbayError | null {
    const { person, scopes } = actor;
    if (person === null) return null;
    const rule = ruleOf(action);
    if ("who" in rule && rule.who === "anyone") return null;
    if (scopes !== null && (rule.scope === "account" || !scopes.has(rule.scope)))
      return new PatchbayError("forbidden", `This token may not do that: ${neededScope(rule.scope)}`);
    if ("who" in rule)
      return roles.indexOf(person.role) >= roles.indexOf(rule.who)
        ? null
        : new PatchbayError(
            "forbidden",
            `Only ${rule.who === "admin" ? "an admin" : "members of the team"} may do that.`,
          );
    const right = session === undefined ? null : this.rightOf(actor, session);
    if (right === null) return new PatchbayError("no_such_session");
    return includesRight(right, rule.right)
      ? null
      : new PatchbayError("forbidden", this.#explain(rule.right, session));
  }

  /** The best right of the actor in the session; null: none, or there is no such session. */
  rightOf({ person }: Actor, session: string): Right | null {
    if (person === null) return "own";
    const found = this.#sessionOf(session);
    if (found === undefined) return null;
    const { owner = this.#people.holder?.id, access } = found; // one from before there were people is the holder's
    return rightIn({ owner, access }, person);
  }

  /** Whether the actor may know of the session. */
  sees(actor: Actor, session: string): boolean {
    return actor.person === null || this.rightOf(actor, session) !== null;
  }

  /** Calls `listener` when rights in the session (null: in any) may have changed. Returns a function that ends it. */
  onChange(listener: (session: string | null) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Rights in the session may have changed; null: in any. */
  changed(session: string | null): void {
    for (const listener of [...this.#listeners]) listener(session);
  }

  #explain(needed: Right, session: string | undefined): string {
    const owner = session === undefined ? undefined : this.#sessionOf(session)?.owner;
    const name = (owner === undefined ? undefined : this.#people.find(owner)?.name) ?? "its owner";
    switch (needed) {
      case "watch":
      case "drive":
        return `You may watch this session, but not change it. ${name} can let you.`;
      case "approve":
        return `You may not allow what the agent asks for in this session. ${name} can let you.`;
      case "own":
        return `Only ${name} may do that, because it is their session.`;
    }
  }
}

const neededScope = (scope: TokenScope | "account"): string =>
  scope === "account" ? "log in with a browser." : `it needs the scope "${scope}".`;
