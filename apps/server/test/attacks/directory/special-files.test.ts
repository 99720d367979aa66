// Pipes, devices, links and giant files where git keeps its own: reading them neither waits nor grows, and while git
// itself waits at one, other calls are answered.
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processesWith } from "@patchbay/testing/processes";
import type { RunningServer } from "@patchbay/testing/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git, repository, write } from "../../machine/git/repositories.ts";
import { createSession, openSession } from "../../support/actor.ts";
import { expectHonestWork, healthMs, lookAt, startVictim, watchHealth } from "./hostile.ts";

const files = { "honest.txt": "honest\n", "ignored.log": "x\n", ".gitignore": "*.log\n" };

const pipe = (path: string): void => {
  rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
};
const endless = (path: string): void => {
  rmSync(path, { force: true });
  symlinkSync("/dev/zero", path);
};
/** Takes no room on the disk. */
const giant = (path: string): void => {
  closeSync(openSync(path, "w"));
  truncateSync(path, 3 * 1024 ** 3);
};
/** A regular file for stat, without end for a reader that waits for one. */
const kernelFile = (path: string): void => {
  rmSync(path, { force: true });
  symlinkSync("/proc/kmsg", path);
};

const odd = {
  "a pipe": pipe,
  "/dev/zero": endless,
  "three gigabytes": giant,
  "a file of the kernel": kernelFile,
};
const places = ["HEAD", "index", "info/exclude", "packed-refs", "config", "commondir"];
const cases = places.flatMap((place) =>
  Object.entries(odd).map(([kind, make]) => [place, kind, make] as const),
);

describe("git's own files", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startVictim([tmpdir()], { limits: { git_ms: 1_500 } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(cases)("[L95] .git/%s that is %s delays no other call", async (place, _kind, make) => {
    const root = repository(files);
    mkdirSync(join(root, ".git/info"), { recursive: true });
    make(join(root, ".git", place));
    await using watch = await watchHealth(server);
    const session = await expectHonestWork(server, root);
    const worktree = await server.call("POST", "/api/sessions", { cwd: root, worktree: true });
    expect([201, 400]).toContain(worktree.status);
    expect((await server.call("DELETE", `/api/sessions/${session}`)).status).toBe(204);
    expect(await watch.longest()).toBeLessThan(healthMs);
  });

  it.each(Object.entries(odd))("[L95] a .git that is %s is no repository", async (_, make) => {
    const root = repository(files);
    renameSync(join(root, ".git"), join(root, "not-git"));
    make(join(root, ".git"));
    await using watch = await watchHealth(server);
    await expectHonestWork(server, root);
    expect(await watch.longest()).toBeLessThan(healthMs);
  });

  it.each([".gitignore", ".gitattributes", "nested/.git/HEAD"])(
    "[L95] git itself waits at %s that is a pipe: not for long, and others are answered meanwhile",
    async (place) => {
      const root = repository(files);
      write(root, { "nested/x.txt": "x\n" });
      git(join(root, "nested"), "init", "-q");
      pipe(join(root, place));
      await using watch = await watchHealth(server);
      const stuck = await lookAt(server, root);
      expect(stuck.paths).toContain("honest.txt");
      expect(await watch.longest()).toBeLessThan(healthMs);
      if (stuck.changes.status !== 200) {
        expect([stuck.changes.status, stuck.changes.text]).toEqual([
          400,
          expect.stringContaining("Changes cannot be shown: git did not finish within 1.5 s."),
        ]);
      }
      rmSync(join(root, place));
      writeFileSync(join(root, "honest.txt"), "honest\n");
      await expectHonestWork(server, root);
    },
  );

  it.runIf(process.platform === "linux")(
    "[L95] a git that waits when the server is killed is ended by the next one",
    async () => {
      const root = repository(files);
      pipe(join(root, ".gitignore"));
      await using victim = await startVictim([root]);
      const session = await createSession(victim, { cwd: root });
      const waiting = (): number[] =>
        processesWith("GIT_DIR", join(victim.home, ".patchbay/starts", session));
      await expect.poll(waiting).toHaveLength(1);
      await victim.kill();
      expect(waiting()).toHaveLength(1);
      await victim.start();
      expect(waiting()).toEqual([]);
      rmSync(join(root, ".gitignore"));
    },
  );

  it("[L95] objects that are borrowed from a pipe are waited for no longer than that", async () => {
    const root = repository(files);
    pipe(join(root, ".git/objects/info/alternates"));
    await using watch = await watchHealth(server);
    expect((await lookAt(server, root)).paths).toContain("honest.txt");
    const refused = await server.call("POST", "/api/sessions", { cwd: root, worktree: true });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("did not finish")]);
    expect(await watch.longest()).toBeLessThan(healthMs);
    rmSync(join(root, ".git/objects/info/alternates"));
    writeFileSync(join(root, "honest.txt"), "honest\n");
    await expectHonestWork(server, root, { worktree: true });
  });

  it("[L95] a prompt, which reads the branch, does not wait for a HEAD that is a pipe", async () => {
    const root = repository(files);
    pipe(join(root, ".git/HEAD"));
    await using watch = await watchHealth(server);
    await using viewer = await openSession(server, { cwd: root });
    await viewer.ask({ type: "prompt", message: "usage 10 1 0.5" });
    await viewer.until(() => viewer.session?.usage.cost_usd === 0.5);
    const { body } = await server.call("GET", `/api/usage?group_by=branch&session=${viewer.session?.id}`);
    expect(body).toMatchObject({ rows: [{ branch: "", cost_usd: 0.5 }] });
    expect(await watch.longest()).toBeLessThan(healthMs);
  });

  it("[L95] objects that are borrowed by a link to another file are not", async () => {
    const root = repository(files);
    symlinkSync("/etc/passwd", join(root, ".git/objects/info/alternates"));
    await expectHonestWork(server, root, { worktree: true });
    const { changes } = await lookAt(server, root);
    expect(changes.text).not.toContain("root:");
  });

  it("[L95] a branch's name is short and steers nothing, whatever HEAD says", async () => {
    const root = repository(files);
    const session = await createSession(server, { cwd: root });
    const branch = async (head: string): Promise<unknown> => {
      writeFileSync(join(root, ".git/HEAD"), head);
      const { body } = await server.call("GET", `/api/sessions/${session}/changes`);
      return (body as { branch: unknown }).branch;
    };
    expect(await branch("ref: refs/heads/main\n")).toBe("main");
    expect(await branch("ref: refs/heads/fix/ünïcode\n")).toBe("fix/ünïcode");
    for (const name of ["\u001b]0;owned\u0007", "a\nb", "x\u202egnp.exe", "x".repeat(5_000), "../../../etc"])
      expect(await branch(`ref: refs/heads/${name}\n`)).toBe("");
    expect(await branch(`${"a".repeat(40)}\n`)).toBe("aaaaaaaaaaaa");
    expect(readFileSync(join(root, "honest.txt"), "utf8")).toBe("honest\n");
  });
});
