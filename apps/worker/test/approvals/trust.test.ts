// Trusting a directory: real files, and a real Ui whose frames the test answers.

import { mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Response, WorkerEvent } from "@patchbay/protocol";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { Trust } from "../../src/approvals/trust.ts";
import { UiChannel } from "../../src/output/ui-channel.ts";

async function setUp({ always = false, forbidden = false } = {}) {
  const base = await mkdtemp(join(tmpdir(), "patchbay-trust-"));
  const home = join(base, "home");
  const project = join(base, "project");
  await mkdir(project);
  await symlink(project, join(base, "link"));
  const frames: (WorkerEvent | Response)[] = [];
  const ui = new UiChannel({ write: (frame) => frames.push(frame), ready: () => undefined });
  const open = (): Trust => {
    const trust = new Trust({ home, always, forbidden, ui });
    trust.enableQuestions();
    return trust;
  };
  const question = async () => {
    for (;;) {
      const frame = frames.find((each) => each.type === "extension_ui_request");
      if (frame?.type === "extension_ui_request") return frame;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    home,
    project,
    link: join(base, "link"),
    file: join(home, "trusted.json"),
    frames,
    ui,
    open,
    question,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}

describe("trust", () => {
  it("[E3] one question for all who ask names the directory and what it would start, and is remembered", async () => {
    await using set = await setUp();
    const trust = set.open();
    const answers = Promise.all([
      trust.allows(set.link, ["extension guard (./guard.sh)"]),
      trust.allows(set.project, ["MCP server files"]),
    ]);
    const { id, method, message, options } = await set.question();
    expect(method).toBe("select");
    expect(message).toContain(set.project);
    expect(message).toContain("extension guard (./guard.sh)");
    expect(message).toContain("MCP server files");
    set.ui.answer({ type: "extension_ui_response", id, value: String(options?.[0]) });
    expect(await answers).toEqual([true, true]);
    expect(set.frames).toHaveLength(1);
    expect(JSON.parse(await readFile(set.file, "utf8"))).toEqual({ directories: [set.project] });
    expect((await stat(set.file)).mode & 0o777).toBe(0o600);
    expect(await set.open().allows(set.link, [])).toBe(true);
    expect(set.frames).toHaveLength(1);
  });

  it("[E3] not now: nothing is kept, nobody is asked twice, and asking anew asks", async () => {
    await using set = await setUp();
    const trust = set.open();
    const answer = trust.allows(set.project, ["extension a"]);
    const { id } = await set.question();
    set.ui.answer({ type: "extension_ui_response", id, cancelled: true });
    expect(await answer).toBe(false);
    expect(await trust.allows(set.project, ["extension a"])).toBe(false);
    expect(set.frames).toHaveLength(1);
    await expect(stat(set.file)).rejects.toThrow();
    set.frames.length = 0;
    const again = trust.allows(set.project, ["extension a"], { again: true });
    const second = await set.question();
    set.ui.answer({ type: "extension_ui_response", id: second.id, value: "Trust this directory" });
    expect(await again).toBe(true);
  });

  it("[E5] under an enforced jail nothing is started, and the person is told", async () => {
    await using set = await setUp({ always: true, forbidden: true });
    const trust = set.open();
    expect(await trust.isTrusted(set.project)).toBe(false);
    expect(await trust.allows(set.project, ["extension a"])).toBe(false);
    expect(set.frames).toMatchObject([
      { method: "notify", message: expect.stringContaining("would run outside the sandbox") },
    ]);
  });

  it("[E3] --trust-project asks nobody and writes nothing", async () => {
    await using set = await setUp({ always: true });
    expect(await set.open().allows(set.project, ["extension a"])).toBe(true);
    expect(set.frames).toEqual([]);
    await expect(stat(set.home)).rejects.toThrow();
  });

  it("[E3] ten at once lose nothing of each other, and keep fields they do not know", async () => {
    await using set = await setUp();
    await mkdir(set.home);
    await writeFile(set.file, JSON.stringify({ directories: ["/before"], note: "mine" }));
    const directories = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        const directory = join(set.project, String(at));
        await mkdir(directory);
        return directory;
      }),
    );
    const answers = directories.map((directory) => set.open().allows(directory, ["x"]));
    await waitUntil(() => set.frames.length >= 10);
    for (const frame of set.frames) {
      if (frame.type !== "extension_ui_request") continue;
      set.ui.answer({ type: "extension_ui_response", id: frame.id, value: "Trust this directory" });
    }
    expect(await Promise.all(answers)).toEqual(directories.map(() => true));
    const kept = JSON.parse(await readFile(set.file, "utf8")) as { directories: string[]; note: string };
    expect(kept.note).toBe("mine");
    expect(new Set(kept.directories)).toEqual(new Set(["/before", ...directories]));
  });

  it("[E3] a file that cannot be read is reported and left as it is", async () => {
    await using set = await setUp();
    await mkdir(set.home);
    await writeFile(set.file, "{ not json");
    await expect(set.open().allows(set.project, ["x"])).rejects.toThrow(/trusted\.json.*fix or remove/);
    expect(await readFile(set.file, "utf8")).toBe("{ not json");
  });

  it("[E3] what cannot be kept holds for the session, and is said", async () => {
    await using set = await setUp();
    await mkdir(set.home);
    await mkdir(`${set.file}.new`);
    await utimes(`${set.file}.new`, 0, 0); // in the way, and no file that could be removed
    const trust = set.open();
    const answer = trust.allows(set.project, ["x"]);
    const { id } = await set.question();
    set.ui.answer({ type: "extension_ui_response", id, value: "Trust this directory" });
    expect(await answer).toBe(true);
    expect(set.frames.at(-1)).toMatchObject({ method: "notify", notifyType: "warning" });
  });
});

describe("questions", () => {
  it("[E4] whoever gives up withdraws the question", async () => {
    await using set = await setUp();
    const gaveUp = new AbortController();
    const answer = set.ui.ask("confirm", { title: "Sure?" }, { signal: gaveUp.signal });
    const { id } = await set.question();
    gaveUp.abort();
    expect(await answer).toEqual({ cancelled: true });
    expect(set.frames.at(-1)).toMatchObject({
      type: "extension_ui_request",
      method: "cancel",
      targetId: id,
    });
  });
});
