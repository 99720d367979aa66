// Which repository a directory belongs to, read without running git.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findRepository } from "../../../src/machine/git/repository.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-repository-")));
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a directory's repository", () => {
  it("[L101] is not an empty .git, but the one above it, or none", () => {
    const inside = join(root, "project/vendor/library");
    mkdirSync(join(inside, ".git"), { recursive: true });
    expect(findRepository(inside)).toBeUndefined();
    execFileSync("git", ["init", "-q"], { cwd: join(root, "project") });
    expect(findRepository(inside)).toMatchObject({ root: join(root, "project"), prefix: "vendor/library" });
  });
});
