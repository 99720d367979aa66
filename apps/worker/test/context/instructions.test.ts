// AGENTS.md and CLAUDE.md in the system prompt, as the model really receives it.
import { mkdir, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { startWorker } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { dig, environments, only, type Rig, startRig } from "../rig.ts";
import { putFile } from "./put-file.ts";

/** A worker in a directory below the rig's own. */
const workerIn = (rig: Rig, cwd: string) =>
  startWorker({
    args: ["--cwd", cwd],
    env: { HOME: rig.home, ...environments(rig.model.baseUrl)["anthropic"] },
  });

const systemOf = (rig: Rig): string =>
  String(
    dig(rig.model.requests.at(-1)?.body, "system", 0, "text") ??
      dig(rig.model.requests.at(-1)?.body, "system"),
  );

describe("instructions", () => {
  it("[N1] from the repository's root to the working directory, nearest last, after the person's own", async () => {
    await using rig = await startRig();
    await mkdir(join(rig.directory, "repo/.git"), { recursive: true });
    await putFile(rig.directory, "AGENTS.md", "above the repository");
    await putFile(rig.directory, "repo/CLAUDE.md", "claude at the root");
    await putFile(rig.directory, "repo/app/AGENTS.md", "agents of the app");
    await putFile(rig.directory, "repo/app/CLAUDE.md", "claude of the app");
    const cwd = join(rig.directory, "repo/app/src");
    await putFile(cwd, "AGENTS.md", "nearest");
    await putFile(rig.home, ".patchbay/AGENTS.md", "of the person");
    await using worker = workerIn(rig, cwd);
    await worker.prompt("hello");
    const system = systemOf(rig);
    const order = ["of the person", "claude at the root", "agents of the app", "nearest"];
    const places = order.map((words) => system.indexOf(words));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(system).not.toContain("above the repository");
    expect(system).not.toContain("claude of the app");
    expect(system).toContain(`<instructions path="${join(rig.directory, "repo/CLAUDE.md")}">`);
  });

  it("[N1] outside of any repository it goes up to the person's home, and elsewhere nowhere", async () => {
    await using rig = await startRig();
    await putFile(rig.home, "AGENTS.md", "in the home");
    await putFile(rig.home, "notes/2026/AGENTS.md", "in the notes");
    await using inside = workerIn(rig, join(rig.home, "notes/2026"));
    await inside.prompt("hello");
    expect(systemOf(rig)).toMatch(/in the home[\s\S]*in the notes/);
    await putFile(rig.directory, "AGENTS.md", "a stranger's");
    await mkdir(join(rig.directory, "deep/er"), { recursive: true });
    await using outside = workerIn(rig, join(rig.directory, "deep/er"));
    await outside.prompt("hello");
    expect(systemOf(rig)).not.toContain("stranger");
  });

  it("[N2] a change is seen by the next turn, also a new file and one that went", async () => {
    await using rig = await startRig();
    await rig.worker.prompt("one");
    expect(systemOf(rig)).not.toContain("<instructions");
    const path = await putFile(rig.directory, "AGENTS.md", "speak in prose");
    await rig.worker.prompt("two");
    expect(systemOf(rig)).toContain("speak in prose");
    await putFile(rig.directory, "AGENTS.md", "speak in verse");
    await rig.worker.prompt("three");
    expect(systemOf(rig)).toContain("speak in verse");
    expect(systemOf(rig)).not.toContain("prose");
    await rm(path);
    await rig.worker.prompt("four");
    expect(systemOf(rig)).not.toContain("<instructions");
  });

  it("[N3] long files are cut with a note between characters, and the nearest keeps its room", async () => {
    await using rig = await startRig();
    await mkdir(join(rig.directory, ".git"));
    for (const place of ["", "a/", "a/b/", "a/b/c/"]) {
      await putFile(rig.directory, `${place}AGENTS.md`, `begin ${place || "top"}\n${"é".repeat(40_000)}`);
    }
    await using worker = workerIn(rig, join(rig.directory, "a/b/c"));
    await worker.prompt("hello");
    const system = systemOf(rig);
    expect(system).toContain("begin a/b/c/");
    expect(system).toContain(
      `[cut here: the file is longer; read ${join(rig.directory, "a/b/c/AGENTS.md")} for the rest]`,
    );
    expect(system).not.toContain("\uFFFD");
    expect(system.length).toBeLessThan(80_000);
  });

  it("[N3] a link that leads out of the project is not followed, and that is said once", async () => {
    await using rig = await startRig();
    await mkdir(join(rig.directory, ".git"));
    await putFile(rig.home, "private", "my diary");
    await symlink(join(rig.home, "private"), join(rig.directory, "AGENTS.md"));
    const first = await rig.worker.prompt("hello");
    const second = await rig.worker.prompt("again");
    expect(systemOf(rig)).not.toContain("my diary");
    expect(only(first, "ext_notify")).toEqual([
      expect.objectContaining({ extension: "context", message: expect.stringContaining("leads out of") }),
    ]);
    expect(only(second, "ext_notify")).toEqual([]);
    await rm(join(rig.directory, "AGENTS.md"));
    await putFile(rig.directory, "docs/rules.md", "from the docs");
    await symlink("docs/rules.md", join(rig.directory, "AGENTS.md"));
    await rig.worker.prompt("inside");
    expect(systemOf(rig)).toContain("from the docs");
    expect(await realpath(join(rig.directory, "AGENTS.md"))).toContain("docs/rules.md");
  });
});
