// ARCHITECTURE.md lists the files that a prompt and a delta pass: they exist, they are connected, and they are few.
import { describe, expect, it } from "vitest";

const script: string = "../../scripts/prompt-path.mjs"; // plain JavaScript, without types
const { paths } = (await import(script)) as {
  paths(): { name: string; files: string[]; problems: string[] }[];
};

describe("the ways in ARCHITECTURE.md", () => {
  it("are those of a prompt and of a delta", () => {
    expect(paths().map(({ name }) => name)).toEqual(["prompt", "delta"]);
  });

  it.each(paths())("$name: exist, are connected by imports, and pass at most 30 files", ({ problems }) => {
    expect(problems).toEqual([]);
  });
});
