// Decides what a person may do in a session. Not of the page's first load.
import type { Role } from "./person.ts";
import { privateAccess, type Right, rights, type SessionAccess } from "./session-access.ts";

export const includesRight = (has: Right | null, needed: Right): boolean =>
  has !== null && rights.indexOf(has) >= rights.indexOf(needed);

/** The person's right in the session; null: none, not even to know of it. */
export function rightIn(
  { owner, access = privateAccess }: { owner?: string | undefined; access?: SessionAccess | undefined },
  person: { id: string; role: Role; groups: readonly string[] },
): Right | null {
  if (owner === person.id) return "own";
  const given = access.grants.flatMap(({ to, right }) => {
    const applies = "person" in to ? to.person === person.id : person.groups.includes(to.group);
    return applies ? [right] : [];
  });
  if (access.team !== null && person.role !== "guest") given.push(access.team);
  return given.reduce<Right | null>((best, right) => (includesRight(best, right) ? best : right), null);
}
