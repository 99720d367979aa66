// Completion of directories: what a typed path may mean, and nothing beyond the directories that sessions may use.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listDirectories } from "../../../src/machine/files/list-directories.ts";
import { gitBranch } from "../../../src/machine/git/repository.ts";

let base = "";
let root = "";
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-directories-")));
  root = join(base, "allowed");
  for (const path of [
    "code/api",
    "code/Apple",
    "code/web",
    "code/.hidden",
    "code/locked/inner",
    "../other/private",
  ])
    mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, "code/a-file"), "");
  execFileSync("git", ["init", "-q", "-b", "trunk", join(root, "code/api")]);
  symlinkSync(join(root, "code/web"), join(root, "code/apart"));
  symlinkSync(join(base, "other"), join(root, "code/a-way-out"));
  symlinkSync(join(root, "code/a-loop"), join(root, "code/a-loop"));
  symlinkSync("..", join(root, "code/api/up"));
  chmodSync(join(root, "code/locked"), 0o000);
});
afterAll(() => {
  chmodSync(join(root, "code/locked"), 0o700);
  rmSync(base, { recursive: true, force: true });
});

const list = (typed: string) => listDirectories(typed, { directories: [root], branch: gitBranch });
const names = async (typed: string) => (await list(typed)).entries.map(({ name }) => name);

describe("completion of directories", () => {
  it("[P201] lists directories that begin with what was typed, with those that are repositories", async () => {
    expect(await list(`${root}/code/ap`)).toMatchObject({
      directory: join(root, "code"),
      found: null,
      entries: [
        { name: "apart", git: false },
        { name: "api", path: join(root, "code/api"), git: true },
        { name: "Apple", git: false },
      ],
      more: false,
      home: homedir(),
    });
    expect((await list(`${root}/code/api`)).found).toEqual({ path: join(root, "code/api"), branch: "trunk" });
    expect((await list(`${root}/code/web/`)).found).toEqual({ path: join(root, "code/web"), branch: null });
  });

  it("[P201] hidden ones only when they are typed; links only to where sessions may work; loops and locked ones are harmless", async () => {
    expect(await names(`${root}/code/`)).toEqual(["apart", "api", "Apple", "locked", "web"]);
    expect(await names(`${root}/code/.`)).toEqual([".hidden"]);
    expect(await names(`${root}/code/api/up/api/up/w`)).toEqual(["web"]);
    expect(await names(`${root}/code/a-loop/`)).toEqual([]);
    if (process.getuid?.() !== 0) expect(await names(`${root}/code/locked/`)).toEqual([]);
  });

  it("[P201] outside of the allowed directories shows only what leads to them", async () => {
    expect(await names(`${base}/`)).toEqual(["allowed"]);
    expect(await names(`${dirname(base)}/`)).toEqual([basename(base)]);
    for (const typed of [
      `${base}/other/`,
      `${root}/code/a-way-out/`,
      `${root}/../other/`,
      "/etc/",
      "code",
      "",
      "a\0b",
    ])
      expect(await list(typed), typed).toMatchObject({ directory: null, found: null, entries: [] });
    expect((await list(`${base}/oth`)).entries).toEqual([]);
  });

  it("[P201] understands ~", async () => {
    const home = await listDirectories("~", { directories: [homedir()], branch: gitBranch });
    expect(home).toMatchObject({
      directory: realpathSync(homedir()),
      found: { path: realpathSync(homedir()) },
    });
    expect((await listDirectories("~/", { directories: [root], branch: gitBranch })).found).toBeNull();
  });

  it("[P201] is bounded", async () => {
    const many = join(root, "many");
    for (let number = 0; number < 230; number++) mkdirSync(join(many, `d${number}`), { recursive: true });
    const { entries, more } = await list(`${many}/`);
    expect([entries.length, more]).toEqual([200, true]);
  });
});
