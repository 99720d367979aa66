// Names that mean something to git, to a terminal or to a path: options, pathspecs, line ends, bytes that are no text,
// and an index that names files elsewhere.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { directory, git, repository, write } from "../../machine/git/repositories.ts";
import { createSession } from "../../support/actor.ts";
import { expectHonestWork, startVictim } from "./hostile.ts";

const names = [
  "-rf",
  "--upload-pack=touch ran",
  ":(glob)**",
  ":(attr:x)y",
  ":!honest.txt",
  "two\nlines.txt",
  'quo"ted\\name\t.txt',
  " spaces at both ends ",
  "*.txt",
  "$(touch ran)",
  "`touch ran`",
  "git~1",
  "__proto__",
  "constructor",
  "\u001b[31mred.txt",
  "ünïcode 🎉.txt",
  "sub/-x/:(literal)y",
];

interface Changed {
  path: string;
  from?: string;
  change: string;
}

async function changesOf(server: RunningServer, session: string): Promise<Changed[]> {
  const { body } = await server.call("GET", `/api/sessions/${session}/changes`);
  return (body as { files: Changed[] }).files;
}

async function diffOf(server: RunningServer, session: string, path: string): Promise<string> {
  const query = new URLSearchParams({ path });
  const { body } = await server.call("GET", `/api/sessions/${session}/changes/diff?${query}`);
  return (body as { diff: string }).diff;
}

describe("odd names", () => {
  it("[L99] are files like others: listed, found as changed, each with its own difference", async () => {
    const root = repository({
      "honest.txt": "honest\n",
      ...Object.fromEntries(names.slice(0, 5).map((name) => [name, "before\n"])),
    });
    await using server = await startVictim([root]);
    const session = await createSession(server, { cwd: root });
    expect(await changesOf(server, session)).toEqual([]);
    for (const [at, name] of names.entries()) write(root, { [name]: `content ${at}\n` });
    const changed = await changesOf(server, session);
    expect(new Set(changed.map(({ path }) => path))).toEqual(new Set(names));
    for (const [at, name] of names.entries()) {
      const diff = await diffOf(server, session, name);
      expect(diff.match(/^\+content .*$/gm)).toEqual([`+content ${at}`]);
    }
    const { body } = await server.call("GET", `/api/sessions/${session}/paths?limit=100`);
    const found = (body as { paths: { path: string }[] }).paths.map(({ path }) => path);
    expect(found).toEqual(expect.arrayContaining(["honest.txt", ...names]));
    const apart = await expectHonestWork(server, root, { worktree: true });
    expect((await server.call("DELETE", `/api/sessions/${apart}`)).status).toBe(204);
  });

  it("[L99] a name that is no UTF-8 is shown as far as it can be, and has its difference", async () => {
    const root = repository({ "honest.txt": "honest\n" });
    await using server = await startVictim([root]);
    const session = await createSession(server, { cwd: root });
    await changesOf(server, session);
    const raw = (text: string): Buffer =>
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from(text, "latin1")]);
    writeFileSync(raw("caf\u00e9.txt"), "latin\n");
    writeFileSync(raw("[x]\u00ff.txt"), "brackets\n");
    symlinkSync(Buffer.from("\u00fe\u00ff", "latin1"), raw("l\u00efnk"));
    mkdirSync(raw("\u00e0"));
    symlinkSync("target", raw("\u00e0/inner"));
    const changed = await changesOf(server, session);
    expect(changed.map(({ path }) => path)).toEqual([
      "[x]\u{FFFD}.txt",
      "caf\u{FFFD}.txt",
      "l\u{FFFD}nk",
      "\u{FFFD}/inner",
    ]);
    expect(await diffOf(server, session, "caf\u{FFFD}.txt")).toContain("+latin");
    expect(await diffOf(server, session, "[x]\u{FFFD}.txt")).toContain("+brackets");
    await expectHonestWork(server, root);
  });

  it("[L99] an index that names files outside of the directory, or in .git, is believed as far as it is inside", async () => {
    const outside = directory({ "secret.txt": "secret of the server\n" });
    const root = repository({ "honest.txt": "honest\n", "placeholder-1": "x\n", "placeholder-2": "y\n" });
    const escape = `../${outside.split("/").at(-1)}/secret.txt`;
    rewriteIndex(
      join(root, ".git/index"),
      new Map([
        ["placeholder-1", escape],
        ["placeholder-2", ".git/config"],
      ]),
    );
    expect(git(root, "ls-files")).toContain(escape);
    await using server = await startVictim([root]);
    const session = await expectHonestWork(server, root);
    expect(JSON.stringify(await changesOf(server, session))).not.toMatch(/secret|config/);
    const { text } = await server.call("GET", `/api/sessions/${session}/paths?q=secret`);
    expect(JSON.parse(text)).toEqual({ paths: [] });
    const escaped = await server.call(
      "GET",
      `/api/sessions/${session}/changes/diff?${new URLSearchParams({ path: escape })}`,
    );
    expect([escaped.status, escaped.text]).toEqual([403, expect.stringContaining("outside")]);
  });
});

/** Gives entries of an index (version 2) other names. */
function rewriteIndex(path: string, other: ReadonlyMap<string, string>): void {
  const before = readFileSync(path);
  const parts: Buffer[] = [before.subarray(0, 12)];
  let at = 12;
  for (let entry = 0; entry < before.readUInt32BE(8); entry++) {
    const end = before.indexOf(0, at + 62);
    const name = before.subarray(at + 62, end).toString();
    const written = Buffer.from(other.get(name) ?? name);
    const head = Buffer.from(before.subarray(at, at + 62));
    head.writeUInt16BE(written.length, 60);
    const length = 62 + written.length;
    parts.push(head, written, Buffer.alloc(8 - (length % 8)));
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  const body = Buffer.concat(parts);
  writeFileSync(path, Buffer.concat([body, createHash("sha1").update(body).digest()]));
}
