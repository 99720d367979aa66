// What a dialect's translation has of the machine, for those that need none of it.
import type { Sides } from "../src/machine/dialects/dialect.ts";

export const noMachine: Pick<Sides, "files" | "start"> = {
  files: { home: "/nonexistent", serverHome: "/nonexistent/.patchbay", fullAccess: false },
  start: () => {
    throw new Error("this translation starts nothing");
  },
};
