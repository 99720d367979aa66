// The names of people, whom the ledger knows by id. Filled by the costs page; without people it stays empty.
const names = new Map<string, string>();

/** The ledger names nobody where it means the holder of the server's token. */
export function namePeople(
  people: readonly { id: string; name: string; is_holder?: boolean | undefined }[],
): void {
  for (const { id, name, is_holder } of people) {
    names.set(id, name);
    if (is_holder === true) names.set("", name);
  }
}

export const personName = (person: string): string | undefined => names.get(person);
