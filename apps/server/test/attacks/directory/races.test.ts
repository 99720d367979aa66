// A directory that changes while it is looked at: repositories that come and go, files that turn into links to what the
// agent may not read, and more files than a page can show.
import { mkdir, readFile, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { commitAll, directory, git, repository, write } from "../../machine/git/repositories.ts";
import { createSession } from "../../support/actor.ts";
import {
  attributes,
  Canary,
  expectHonestWork,
  healthMs,
  poison,
  startVictim,
  watchHealth,
} from "./hostile.ts";

/** Does it over and over until it is disposed. */
function meanwhile(act: (round: number) => Promise<void>): AsyncDisposable & { rounds(): number } {
  let going = true;
  let round = 0;
  const done = (async () => {
    while (going) await act(round++);
  })();
  return {
    rounds: () => round,
    async [Symbol.asyncDispose]() {
      going = false;
      await done;
    },
  };
}

const changes = (server: RunningServer, session: string) =>
  server.call("GET", `/api/sessions/${session}/changes`);

describe("a directory that changes under the call", () => {
  it("[L98] a hostile repository that comes and goes runs nothing, and what else changed is shown", async () => {
    const canary = new Canary();
    const root = repository({ "honest.txt": "honest\n" });
    const model = directory({ "x.txt": "x\n", ".gitattributes": attributes });
    git(model, "init", "-q");
    commitAll(model);
    poison(join(model, ".git"), canary);
    canary.expectRunBy(() => git(model, "status"));
    await using server = await startVictim([root]);
    const session = await createSession(server, { cwd: root });
    await changes(server, session);
    write(root, { "honest.txt": "honest\nchange\n" });
    await using loop = meanwhile(async () => {
      await rename(join(model, ".git"), join(root, ".comes")).catch(() => {});
      await mkdir(join(root, "nested"), { recursive: true });
      await rename(join(root, ".comes"), join(root, "nested/.git"));
      await writeFile(join(root, "nested/x.txt"), "dirty\n");
      await rename(join(root, "nested/.git"), join(root, ".comes"));
      await rm(join(root, "nested"), { recursive: true });
    });
    for (let look = 0; look < 25; look++) {
      const { status, text, body } = await changes(server, session);
      expect([status, text]).toEqual([200, expect.stringContaining("honest.txt")]);
      expect(
        (body as { files: { path: string }[] }).files.every(({ path }) =>
          /^(honest|nested|\.comes)/.test(path),
        ),
      ).toBe(true);
    }
    expect(loop.rounds()).toBeGreaterThan(20);
    canary.expectSilence();
  });

  it("[L97] a file that turns into a link, or a directory that does, never shows what is behind it", async () => {
    const secrets = directory({ "file.txt": "top secret\n", "deep/file.txt": "top secret\n" });
    const root = repository({ "file.txt": "mine\n", "deep/file.txt": "mine\n" });
    await using server = await startVictim([root]);
    const session = await createSession(server, { cwd: root });
    await changes(server, session);
    await using loop = meanwhile(async (round) => {
      await writeFile(join(root, "file.txt"), `mine ${round}\n`);
      await writeFile(join(root, "deep/file.txt"), `mine ${round}\n`);
      await symlink(join(secrets, "file.txt"), join(root, "l"));
      await rename(join(root, "l"), join(root, "file.txt"));
      await rename(join(root, "deep"), join(root, "real"));
      await symlink(join(secrets, "deep"), join(root, "deep"));
      await unlink(join(root, "deep"));
      await rename(join(root, "real"), join(root, "deep"));
      await unlink(join(root, "file.txt"));
    });
    for (let look = 0; look < 25; look++) {
      expect((await changes(server, session)).status).toBe(200);
      for (const path of ["file.txt", "deep/file.txt"]) {
        const { text } = await server.call("GET", `/api/sessions/${session}/changes/diff?path=${path}`);
        expect(text).not.toContain("top secret");
      }
    }
    expect(loop.rounds()).toBeGreaterThan(20);
    expect(await readFile(join(secrets, "file.txt"), "utf8")).toBe("top secret\n");
  });

  it("[L97] a worktree is not removed through a directory that turns into a link", async () => {
    const precious = directory({ "inner/kept.txt": "kept\n", "inner/deep/kept.txt": "kept\n" });
    const root = repository({ "honest.txt": "honest\n", ".gitignore": "cache\n" });
    let planted = 0;
    await using server = await startVictim([root]);
    for (let attempt = 0; attempt < 5; attempt++) {
      const session = await createSession(server, { cwd: root, worktree: true });
      const { body } = await server.call("GET", `/api/sessions/${session}`);
      const { cwd } = (body as { session: { cwd: string } }).session;
      const home = join(cwd, "..");
      const places = [cwd, join(home, `.removed-${session}`)];
      for (let n = 0; n < 200; n++) write(cwd, { [`cache/${n}/inner/kept.txt`]: "mine\n" });
      const spare = directory();
      await using _loop = meanwhile(async (round) => {
        const at = join(places[round % 2] ?? "", "cache", String(199 - (round % 200)));
        const isMoved = await rename(at, join(spare, String(round))).then(
          () => true,
          () => false,
        );
        if (!isMoved) return;
        await symlink(precious, at).then(
          () => planted++,
          () => {},
        );
      });
      await server.call("DELETE", `/api/sessions/${session}`);
      expect(await readFile(join(precious, "inner/kept.txt"), "utf8")).toBe("kept\n");
      expect(await readFile(join(precious, "inner/deep/kept.txt"), "utf8")).toBe("kept\n");
    }
    expect(planted).toBeGreaterThan(0);
  });
});

describe("a directory of too much", () => {
  it("[L100] more changed files than a list shows are answered for, and others are answered meanwhile", async () => {
    const root = repository({ "honest.txt": "honest\n" });
    await using server = await startVictim([root]);
    const session = await createSession(server, { cwd: root });
    await changes(server, session);
    for (let n = 0; n < 12_000; n++) {
      if (n % 300 === 0)
        await mkdir(join(root, `many/${n / 300}/${"deep/".repeat(20)}`), { recursive: true });
      await writeFile(join(root, `many/${Math.floor(n / 300)}/${"deep/".repeat(20)}${n}.txt`), `${n}\n`);
    }
    await using watch = await watchHealth(server);
    const { body } = await changes(server, session);
    expect(body).toMatchObject({ more: true });
    expect((body as { files: unknown[] }).files).toHaveLength(5_000);
    const { body: found } = await server.call("GET", `/api/sessions/${session}/paths?q=11999`);
    expect((found as { paths: { path: string }[] }).paths[0]?.path).toMatch(/11999\.txt$/);
    expect(await watch.longest()).toBeLessThan(healthMs);
    await expectHonestWork(server, root);
  });

  it("[L100] an index full of deep paths delays no other call", async () => {
    const root = repository({ "honest.txt": "honest\n" });
    const blob = git(root, "hash-object", "honest.txt").trim();
    const entries = Array.from({ length: 8_000 }, (_, n) => {
      const depth = n % 4 === 0 ? 1_900 : 480; // of 4,000 bytes, or of 1,000
      return `100644 ${blob}\t${n}/${"a/".repeat(depth)}x`;
    });
    write(root, { entries: `${entries.join("\n")}\n` });
    git(root, "-c", "alias.fill=!git update-index --index-info <entries", "fill");
    await rm(join(root, "entries"));
    await using server = await startVictim([root]);
    await using watch = await watchHealth(server);
    const session = await createSession(server, { cwd: root });
    for (const query of ["honest", "aaaaaaaaax", "zzz"])
      expect((await server.call("GET", `/api/sessions/${session}/paths?q=${query}`)).status).toBe(200);
    await expectHonestWork(server, root);
    expect(await watch.longest()).toBeLessThan(healthMs);
  });

  it("[L96] a commit that unfolds to more files than a disk holds gets no worktree", async () => {
    const root = repository({ "honest.txt": "honest\n" });
    let object = git(root, "hash-object", "-w", "honest.txt").trim();
    let type = "100644 blob";
    for (let level = 0; level < 10; level++) {
      const entries = Array.from({ length: 10 }, (_, n) => `${type} ${object}\t${"x".repeat(20)}${n}`).join(
        "\n",
      );
      write(root, { entries: `${entries}\n` });
      object = git(root, "-c", "alias.tree=!git mktree <entries", "tree").trim();
      type = "040000 tree";
    }
    const commit = git(root, "commit-tree", "-m", "bomb", object).trim();
    await rm(join(root, "entries"));
    git(root, "update-ref", "refs/heads/main", commit);
    await using server = await startVictim([root]);
    await using watch = await watchHealth(server);
    const { status, text } = await server.call("POST", "/api/sessions", { cwd: root, worktree: true });
    expect([status, text]).toEqual([400, expect.stringContaining("too many files")]);
    expect(await watch.longest()).toBeLessThan(healthMs);
    await expectHonestWork(server, root);
  });
});
