// What a session has changed, in repositories of every shape. Git looks only through a repository of ours.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StartingPoint } from "../../../src/machine/git/starting-point.ts";
import { commitAll, directory, git, repository, runner, write } from "./repositories.ts";

function startIn(place = join(directory(), "start")): StartingPoint {
  return new StartingPoint(place, runner());
}

async function changed(start: StartingPoint, root: string): Promise<string[]> {
  const { files } = await start.changes(root);
  return files.map(({ path, from, change, added, removed }) =>
    [change, from === undefined ? path : `${from} → ${path}`, added, removed].join(" "),
  );
}

describe("what has changed in a repository", () => {
  it("[L98] a nested repository is one entry: its commit, also of one that was not there or has none yet", async () => {
    const root = repository({ "a.txt": "a\n" });
    const nested = join(root, "nested");
    write(nested, { "x.txt": "x\n" });
    git(nested, "init", "-q");
    commitAll(nested);
    const start = startIn();
    await start.take(root);
    write(nested, { "x.txt": "changed\n", "y.txt": "y\n" });
    write(root, { "a.txt": "b\n", "unborn/z.txt": "z\n" });
    git(join(root, "unborn"), "init", "-q");
    expect(await changed(start, root)).toEqual(["modified a.txt 1 1", "added unborn  "]);
    const before = git(nested, "rev-parse", "HEAD").trim();
    commitAll(nested);
    commitAll(join(root, "unborn"));
    expect(await changed(start, root)).toEqual([
      "modified a.txt 1 1",
      "modified nested 1 1",
      "added unborn 1 0",
    ]);
    const diff = await start.diff(root, ["nested"]);
    expect(diff).toContain(`-Subproject commit ${before}`);
    expect(diff).toContain(`+Subproject commit ${git(nested, "rev-parse", "HEAD").trim()}`);
  });

  it("[L98] a submodule is one entry too, and nothing in it is looked at", async () => {
    const other = repository({ "lib.txt": "1\n" });
    const root = repository({ "a.txt": "a\n" });
    git(root, "submodule", "--quiet", "add", other, "lib");
    commitAll(root);
    const start = startIn();
    await start.take(root);
    write(root, { "lib/lib.txt": "2\n" });
    expect(await changed(start, root)).toEqual([]);
    commitAll(join(root, "lib"));
    expect(await changed(start, root)).toEqual(["modified lib 1 1"]);
  });

  it("[L61] links, modes, and files that become directories or the other way", async () => {
    const root = repository({
      "file/inside.txt": "1\n",
      directory: "2\n",
      "run.sh": "3\n",
      "kept/a.txt": "4\n",
    });
    symlinkSync("run.sh", join(root, "link"));
    commitAll(root);
    const start = startIn();
    await start.take(root);
    rmSync(join(root, "file"), { recursive: true });
    rmSync(join(root, "directory"));
    rmSync(join(root, "link"));
    write(root, { file: "now a file\n", "directory/a.txt": "now in a directory\n" });
    chmodSync(join(root, "run.sh"), 0o755);
    symlinkSync("elsewhere", join(root, "link"));
    // A directory that is a link now: what is behind it is not in this one.
    renameSync(join(root, "kept"), join(root, "moved"));
    symlinkSync("moved", join(root, "kept"));
    expect(await changed(start, root)).toEqual([
      "deleted directory 0 1",
      "added directory/a.txt 1 0",
      "added file 1 0",
      "deleted file/inside.txt 0 1",
      "added kept 1 0",
      "modified link 1 1",
      "renamed kept/a.txt → moved/a.txt 0 0",
      "modified run.sh 0 0",
    ]);
    expect(await start.diff(root, ["link"])).toContain("-run.sh\n\\ No newline at end of file\n+elsewhere");
  });

  it("[L61] line ends are compared as the repository's attributes want them", async () => {
    const root = repository({ ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "one\r\ntwo\r\n" });
    const start = startIn();
    await start.take(root);
    write(root, { "a.txt": "one\r\n2\r\n", "sub/new.txt": "x\r\n" });
    expect(await changed(start, root)).toEqual(["modified a.txt 1 1", "added sub/new.txt 1 0"]);
    expect(await start.diff(root, ["a.txt"])).not.toContain("\r");
    // Attributes that fit no content do not hide the change.
    write(root, { ".gitattributes": "*.txt working-tree-encoding=UTF-16\n", "a.txt": "odd" });
    expect((await start.changes(root)).files.map(({ path }) => path)).toEqual([
      ".gitattributes",
      "a.txt",
      "sub/new.txt",
    ]);
  });

  it("[L61] in the middle of a merge, with files announced, unstaged and touched", async () => {
    const root = repository({ "a.txt": "base\n", "b.txt": "b\n" });
    git(root, "checkout", "-q", "-b", "other");
    write(root, { "a.txt": "theirs\n" });
    commitAll(root);
    git(root, "checkout", "-q", "main");
    write(root, { "a.txt": "ours\n" });
    commitAll(root);
    expect(() => git(root, "merge", "-q", "other")).toThrow();
    write(root, { "new.txt": "n\n" });
    git(root, "add", "-N", "new.txt");
    utimesSync(join(root, "b.txt"), 1, 1);
    const start = startIn();
    await start.take(root);
    expect(await changed(start, root)).toEqual([]);
    write(root, { "a.txt": "resolved\n" });
    expect((await start.changes(root)).files.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it("[L61] repositories of every format: sha256, a split index, a sparse checkout, without an index", async () => {
    const files = { "a/a.txt": "a\n", "b/b.txt": "b\n", "c.txt": "c\n" };
    const sparse = repository(files);
    git(sparse, "sparse-checkout", "set", "--cone", "--sparse-index", "a");
    const split = repository(files);
    git(split, "update-index", "--split-index");
    const bare = repository(files);
    rmSync(join(bare, ".git/index"));
    const broken = repository(files);
    writeFileSync(join(broken, ".git/index"), "not an index");
    for (const root of [repository(files, "--object-format=sha256"), sparse, split, bare, broken]) {
      const start = startIn();
      await start.take(root);
      expect(await changed(start, root)).toEqual([]);
      write(root, { "a/a.txt": "A\n", "n.txt": "n\n" });
      expect(await changed(start, root)).toEqual(["modified a/a.txt 1 1", "added n.txt 1 0"]);
      expect(await start.diff(root, ["a/a.txt"])).toContain("+A");
    }
  });

  it("[L61] hundreds of new files at once, with and without attributes above them", async () => {
    const root = repository({ "a.txt": "a\n", "crlf/.gitattributes": "* text eol=crlf\n" });
    const start = startIn();
    await start.take(root);
    const names = Array.from({ length: 300 }, (_, n) => [`new/${n % 7}/${n}.txt`, `${n}\n`]);
    write(root, Object.fromEntries(names));
    write(root, { "crlf/one.txt": "1\r\n", "crlf/deep/er/two.txt": "2\r\n" });
    const files = await changed(start, root);
    expect(files).toHaveLength(302);
    expect(files).toContain("added crlf/deep/er/two.txt 1 0");
    expect(await start.diff(root, ["new/3/3.txt"])).toContain("+3\n");
    expect(await start.diff(root, ["crlf/deep/er/two.txt"])).not.toContain("\r");
    appendFileSync(join(root, "new/3/3.txt"), "more\n");
    expect(await changed(start, root)).toContain("added new/3/3.txt 2 0");
  });

  it("[L100] files too large to be kept are compared by size and time, and have no difference to show", async () => {
    const large = 33 * 1024 * 1024;
    const root = repository({ "a.txt": "a\n", "grows.bin": "small\n" });
    for (const name of ["same.bin", "other.bin", "gone.bin", "shrinks.bin"]) {
      writeFileSync(join(root, name), "");
      truncateSync(join(root, name), large);
    }
    const home = join(directory(), "start");
    const start = startIn(home);
    await start.take(root);
    expect(await changed(start, root)).toEqual([]);
    truncateSync(join(root, "other.bin"), large + 1);
    truncateSync(join(root, "grows.bin"), large);
    rmSync(join(root, "gone.bin"));
    write(root, { "shrinks.bin": "small\n" });
    writeFileSync(join(root, "new.bin"), "");
    truncateSync(join(root, "new.bin"), large);
    const expected = [
      "deleted gone.bin  ",
      "modified grows.bin  ",
      "added new.bin  ",
      "modified other.bin  ",
      "modified shrinks.bin  ",
    ];
    expect(await changed(start, root)).toEqual(expected);
    expect(await start.diff(root, ["other.bin"])).toBeNull();
    expect(await changed(startIn(home), root)).toEqual(expected); // a server that was started again
    const sizes = readdirSync(home, { recursive: true, encoding: "utf8" }).map(
      (name) => statSync(join(home, name)).size,
    );
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024); // none of it was copied
  });

  it("[L100] more files than a person reads are not all listed", async () => {
    const root = repository({ "a.txt": "a\n" });
    const start = startIn();
    await start.take(root);
    for (let n = 0; n < 5_001; n++) write(root, { [`many/${n}`]: "" });
    const { files, more } = await start.changes(root);
    expect([files.length, more]).toEqual([5_000, true]);
  });

  it("[L61] a git that was killed, or a server, leaves nothing that stands in the way", async () => {
    const root = repository({ "a.txt": "a\n" });
    const home = join(directory(), "start");
    await startIn(home).take(root);
    writeFileSync(join(home, "index.lock"), "");
    mkdirSync(join(home, "stage/files"), { recursive: true });
    writeFileSync(join(home, "stage/files/a.txt"), "left behind\n");
    write(root, { "a.txt": "b\n" });
    expect(await changed(startIn(home), root)).toEqual(["modified a.txt 1 1"]);
    expect(readdirSync(home)).not.toContain("stage");
    const objects = statSync(join(root, ".git/objects")).mtimeMs;
    expect(existsSync(join(root, ".git/index.lock"))).toBe(false);
    expect(statSync(join(root, ".git/objects")).mtimeMs).toBe(objects);
  });

  it("[L66] a difference is only of what is in the session's directory", async () => {
    const root = repository({ "app/a.txt": "a\n", "secret.txt": "s\n" });
    const start = startIn();
    const app = join(root, "app");
    await start.take(app);
    write(root, { "secret.txt": "changed\n", "app/a.txt": "b\n" });
    await expect((async () => start.diff(app, ["../secret.txt"]))()).rejects.toThrow("outside");
    expect(await start.diff(app, ["a.txt"])).toContain("+b");
    expect(readFileSync(join(root, "secret.txt"), "utf8")).toBe("changed\n");
  });
});
