// A partial clone whose missing objects are fetched by a program that its config names: with the server's keys in its
// environment, if the server ever let git fetch.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, repository } from "../../machine/git/repositories.ts";
import { createSession } from "../../support/actor.ts";
import { Canary, expectHonestWork, startVictim } from "./hostile.ts";

/** Listing files needs the content of a `.gitignore` that is only in the index, and its object is missing. */
function partialClone(canary: Canary): string {
  const root = repository({
    "honest.txt": "honest\n",
    "sub/.gitignore": "*.log\n",
    "sub/kept.txt": "kept\n",
  });
  const object = git(root, "rev-parse", "HEAD:sub/.gitignore").trim();
  git(root, "update-index", "--skip-worktree", "sub/.gitignore");
  rmSync(join(root, "sub/.gitignore"));
  writeFileSync(join(root, "sub/untracked.txt"), "is it ignored?\n");
  rmSync(join(root, ".git/objects", object.slice(0, 2), object.slice(2)));
  for (const [key, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.url", "ssh://nowhere.invalid/x"],
    ["remote.origin.promisor", "true"],
    ["core.sshCommand", canary.program],
  ] as const)
    git(root, "config", key, value);
  return root;
}

describe("a partial clone", () => {
  it("[L94] fetches nothing: completion, changes and differences do without what is missing", async () => {
    const canary = new Canary();
    const root = partialClone(canary);
    canary.expectRunBy(() => git(root, "ls-files", "--others", "--exclude-standard"));
    await using server = await startVictim([root]);
    await expectHonestWork(server, root);
    canary.expectSilence();
  });

  it("[L94] a worktree of one is refused when its files are missing, and nothing is fetched", async () => {
    const canary = new Canary();
    const root = partialClone(canary);
    await using server = await startVictim([root]);
    const refused = await server.call("POST", "/api/sessions", { cwd: root, worktree: true });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("Cannot create a worktree of"),
    ]);
    expect(git(root, "branch", "--list", "patchbay/*")).toBe("");
    canary.expectSilence();
    // With its files there it gets one.
    writeFileSync(join(root, "ignore"), "*.log\n");
    git(root, "hash-object", "-w", join(root, "ignore"));
    await createSession(server, { cwd: root, worktree: true });
    canary.expectSilence();
  });
});
