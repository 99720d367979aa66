// What a dialect's translation has of the machine, for those that need none of it.
import type { DialectHost } from "../src/machine/dialects/dialect.ts";

export const noMachine: Pick<DialectHost, "files" | "start"> = {
  files: { home: "/nonexistent", serverHome: "/nonexistent/.patchbay", fullAccess: false },
  start: () => {
    throw new Error("this translation starts nothing");
  },
};
