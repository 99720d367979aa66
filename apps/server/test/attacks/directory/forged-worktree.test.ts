// A worktree whose .git file, or whose place in the repository, was forged: deleting its session runs nothing, removes
// nothing that is not its own, and says what it kept.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { directory, git, repository } from "../../machine/git/repositories.ts";
import { createSession } from "../../support/actor.ts";
import { attributes, Canary, expectHonestWork, poison, startVictim } from "./hostile.ts";

const files = { "honest.txt": "honest\n", "app/honest.txt": "honest\n" };

async function cwdOf(server: RunningServer, session: string): Promise<string> {
  const { body } = await server.call("GET", `/api/sessions/${session}`);
  return (body as { session: { cwd: string } }).session.cwd;
}

async function remove(server: RunningServer, session: string): Promise<void> {
  expect((await server.call("DELETE", `/api/sessions/${session}`)).status).toBe(204);
}

/** A repository of the attacker's, which would be opened if the .git file were believed. */
function hostileRepository(canary: Canary): string {
  const root = repository({ ...files, ".gitattributes": attributes });
  poison(join(root, ".git"), canary);
  return root;
}

const forgeries: [string, (path: string, root: string, hostile: string) => void][] = [
  [
    "a .git file that names a hostile repository",
    (path, _, hostile) => writeFileSync(join(path, ".git"), `gitdir: ${hostile}/.git\n`),
  ],
  [
    "a hostile git directory in the place of the .git file",
    (path, _, hostile) => {
      rmSync(join(path, ".git"));
      renameSync(join(hostile, ".git"), join(path, ".git"));
    },
  ],
  [
    "a .git file that names an admin directory in a hostile repository, which names it back",
    (path, _, hostile) => {
      const admin = join(hostile, ".git/worktrees/forged");
      mkdirSync(admin, { recursive: true });
      writeFileSync(join(admin, "gitdir"), `${path}/.git\n`);
      writeFileSync(join(admin, "commondir"), "../..\n");
      writeFileSync(join(admin, "HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(path, ".git"), `gitdir: ${admin}\n`);
    },
  ],
  [
    "an admin directory that is a link to another repository's",
    (path, root, hostile) => {
      const [name = ""] = readdirSync(join(root, ".git/worktrees"));
      const forged = join(hostile, ".git/worktrees", name);
      mkdirSync(join(hostile, ".git/worktrees"));
      renameSync(join(root, ".git/worktrees", name), forged);
      symlinkSync(forged, join(root, ".git/worktrees", name));
      expect(path).toContain(name);
    },
  ],
  [
    "an admin directory whose commondir leads to a hostile repository",
    (_, root, hostile) => {
      const [name = ""] = readdirSync(join(root, ".git/worktrees"));
      writeFileSync(join(root, ".git/worktrees", name, "commondir"), `${hostile}/.git\n`);
    },
  ],
];

describe("a forged worktree", () => {
  it.each(forgeries)("[L97] %s: nothing is run or removed, and that is said", async (_, forge) => {
    const canary = new Canary();
    const hostile = hostileRepository(canary);
    canary.expectRunBy(() => git(hostile, "status"));
    const root = repository(files);
    await using server = await startVictim([root]);
    const session = await createSession(server, { cwd: root, worktree: true });
    const path = await cwdOf(server, session);
    forge(path, root, hostile);
    const left = readdirSync(path);
    await remove(server, session);
    await server.logged(`${path} was kept`);
    expect(readdirSync(path)).toEqual(left);
    expect(readFileSync(join(hostile, "honest.txt"), "utf8")).toBe("honest\n");
    canary.expectSilence();
    // An honest one of the same repository goes.
    const other = await createSession(server, { cwd: root, worktree: true });
    const place = await cwdOf(server, other);
    expect(git(place, "status", "--porcelain")).toBe("");
    await remove(server, other);
    expect(existsSync(place)).toBe(false);
  });

  it("[L97] what a directory belongs to is the records' to say: costs go to the project, whatever .git names", async () => {
    const root = repository(files);
    const other = repository(files);
    await using server = await startVictim([root, other]);
    const session = await createSession(server, { cwd: join(root, "app"), worktree: true });
    const cwd = await cwdOf(server, session);
    writeFileSync(join(cwd, "..", ".git"), `gitdir: ${other}/.git\n`);
    const projectOf = async (place: string): Promise<unknown> => {
      const { body } = await server.call("POST", "/api/sessions", { cwd: place });
      return (body as { session: { project?: string } }).session.project;
    };
    expect(await projectOf(cwd)).toBe(join(root, "app"));
    expect(await projectOf(join(cwd, ".."))).toBe(root);
    expect(await projectOf(root)).toBeUndefined();
  });

  it("[L97] the worktree of an earlier version is removed if its project agrees, and kept if not", async () => {
    const root = repository(files);
    await using server = await startVictim([root]);
    const sessions: string[] = [];
    for (let n = 0; n < 4; n++)
      sessions.push(await createSession(server, { cwd: join(root, "app"), worktree: true }));
    const places = await Promise.all(sessions.map((session) => cwdOf(server, session)));
    const [agrees = "", moved = "", unknown = "", dirty = ""] = sessions;
    await server.kill();
    const database = new DatabaseSync(join(server.home, ".patchbay/patchbay.db"));
    database.exec("update sessions set worktree = null");
    database.prepare("update sessions set project = ? where id = ?").run(directory(), moved);
    database.prepare("update sessions set project = null where id = ?").run(unknown);
    database.close();
    writeFileSync(join(places[3] ?? "", "honest.txt"), "changed\n");
    await server.start();
    for (const session of [agrees, moved, unknown, dirty]) await remove(server, session);
    expect(places.map((place) => existsSync(place))).toEqual([false, true, true, true]);
    for (const place of places.slice(1)) await server.logged(`${place} was kept`);
    expect(readdirSync(join(root, ".git/worktrees")).sort()).toEqual([moved, unknown, dirty].sort());
  });

  it("[L97] a worktree is not made of a repository that a forged .git file names", async () => {
    const canary = new Canary();
    const secret = hostileRepository(canary);
    const root = directory(files);
    writeFileSync(join(root, ".git"), `gitdir: ${secret}/.git\n`);
    await using server = await startVictim([root]);
    const refused = await server.call("POST", "/api/sessions", { cwd: root, worktree: true });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("does not name it back")]);
    await expectHonestWork(server, root);
    expect(existsSync(join(secret, ".git/worktrees"))).toBe(false);
    canary.expectSilence();
  });
});
