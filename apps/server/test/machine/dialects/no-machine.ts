// The machine's part of a DialectHost, for translations that do not use it.
import type { DialectHost } from "../../../src/machine/dialects/dialect.ts";

export const noMachine: Pick<DialectHost, "files" | "start" | "traits"> = {
  files: { home: "/nonexistent", serverHome: "/nonexistent/.patchbay", fullAccess: false },
  traits: {},
  start: () => {
    throw new Error("this translation starts nothing");
  },
};
