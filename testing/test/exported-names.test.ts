// One meaning per exported name: scripts/exported-names.mjs says what counts as the same name.
import { describe, expect, it } from "vitest";

const script: string = "../../scripts/exported-names.mjs"; // plain JavaScript, without types
const { declarations, ambiguousNames } = (await import(script)) as {
  declarations(): ReadonlyMap<string, ReadonlySet<string>>;
  ambiguousNames(): [name: string, files: string[]][];
};

describe("exported names", () => {
  it("are found in the sources of every app and package", () => {
    const found = declarations();
    expect(found.get("LineSplitter")).toEqual(new Set(["packages/protocol/src/lines/split-lines.ts"]));
    expect(found.get("Usage")?.size).toBe(1); // a schema and its type
    expect(found.get("PageRoot")?.size).toBe(1);
  });

  it("are each declared by one file", () => {
    expect(ambiguousNames()).toEqual([]);
  });
});
