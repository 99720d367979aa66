// What a person is asked about in any case: files outside, files that are run later, and commands that nothing confines.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "@patchbay/sandbox";
import { unless } from "@patchbay/testing/skips";
import type { AnyFrame } from "@patchbay/testing/worker-client";
import { afterAll, describe, expect, it } from "vitest";
import { defaultFence } from "../../src/approvals/concerns.ts";
import { replaceFile } from "../../src/tools/files/files.ts";
import { dig, only, type Rig, startRig } from "../rig.ts";

const sandbox = await findSandbox(process.env["PATH"] ?? "");
const here = unless(sandbox.works ? null : `no sandbox: ${sandbox.problem}`);
const base = realpathSync(mkdtempSync("/var/tmp/patchbay-concerns-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const isQuestion = (frame: AnyFrame): boolean =>
  frame.type === "extension_ui_request" && frame["method"] === "select";

/** Lets the model make calls, and gives back the first question. */
async function ask(
  { model, worker }: Rig,
  ...toolCalls: { name: string; args: unknown }[]
): Promise<AnyFrame> {
  model.reply({ toolCalls }, { text: "ok" });
  worker.send({ type: "prompt", message: "go" });
  return worker.next(isQuestion);
}

async function answer({ worker }: Rig, question: AnyFrame, value: string): Promise<AnyFrame> {
  worker.writeRaw(`${JSON.stringify({ type: "extension_ui_response", id: question["id"], value })}\n`);
  const [result] = only(await worker.turn(), "tool_result");
  return result ?? { type: "none" };
}

const write = (path: string) => ({ name: "write", args: { path, content: "written" } });
const bash = (command: string) => ({ name: "bash", args: { command } });
const text = (result: AnyFrame): string => String(dig(result, "content", 0, "text"));

describe("what is asked about in any case", () => {
  it("[W150] auto-edit asks before it writes outside the directory, and says why", async () => {
    await using rig = await startRig({ args: ["--approvals", "auto-edit"] });
    const outside = join(base, "outside.txt");
    const question = await ask(rig, write(outside));
    expect(question).toMatchObject({
      title: `Create ${outside}?`,
      why: "You are asked because this is outside the session's directory.",
      options: [{ value: "Allow once" }, { value: "Deny" }],
    });
    expect(existsSync(outside)).toBe(false);
    await answer(rig, question, "Allow once");
    expect(readFileSync(outside, "utf8")).toBe("written");
    // A link out of the directory is outside, and what comes through it is asked about again.
    symlinkSync(base, join(rig.directory, "link"));
    const again = await ask(rig, write("link/other.txt"));
    expect(again).toMatchObject({ why: expect.stringContaining("outside the session's directory") });
    expect((await answer(rig, again, "Deny"))["is_error"]).toBe(true);
    expect(existsSync(join(base, "other.txt"))).toBe(false);
  });

  const later = [
    [".git/hooks/pre-commit", "git runs or reads it"],
    ["deep/.GIT/config", "git runs or reads it"],
    [".mcp.json", "agents start programs that it names"],
    [".patchbay/extensions/x/extension.json", "agents start programs"],
    [".vscode/tasks.json", "editors run what it says"],
    [".envrc", "the shell runs it when the directory is entered"],
  ] as const;
  it.each(later)("[W150] auto-edit asks before it writes %s: %s", async (path, why) => {
    await using rig = await startRig({ args: ["--approvals", "auto-edit"] });
    const question = await ask(rig, write(path));
    expect(question).toMatchObject({
      why: expect.stringContaining(why),
      options: [{ value: "Allow once" }, { value: "Deny" }],
    });
    expect((await answer(rig, question, "Deny"))["is_error"]).toBe(true);
    expect(existsSync(join(rig.directory, path))).toBe(false);
  });

  it("[W150] also where the home is the directory: files that a shell runs", async () => {
    await using rig = await startRig();
    await using inHome = await startRig({
      args: ["--cwd", rig.home, "--approvals", "auto-edit"],
      env: { HOME: rig.home },
    });
    const question = await ask(inHome, write(join(rig.home, ".bashrc")));
    expect(question).toMatchObject({ why: "You are asked because a shell runs it when it starts." });
    await answer(inHome, question, "Deny");
  });

  it("[W150] in the jail in any mode; enforced it is refused; full access without a jail asks nobody", async () => {
    await using jailed = await startRig({ args: ["--jail", "on"] });
    const question = await ask(jailed, write(".git/hooks/pre-commit"));
    expect(question).toMatchObject({ why: expect.stringContaining("git") });
    await answer(jailed, question, "Allow once");
    expect(readFileSync(join(jailed.directory, ".git/hooks/pre-commit"), "utf8")).toBe("written");
    await using enforced = await startRig({ args: ["--jail", "enforced"] });
    enforced.model.reply({ toolCalls: [write(".git/hooks/pre-commit")] }, { text: "ok" });
    const [refused] = only(await enforced.worker.prompt("go"), "tool_result");
    expect(text(refused ?? { type: "" })).toMatch(/cannot be changed in the jail: git runs/);
    await using full = await startRig();
    full.model.reply({ toolCalls: [write(".git/hooks/pre-commit")] }, { text: "ok" });
    await full.worker.prompt("go");
    expect(existsSync(join(full.directory, ".git/hooks/pre-commit"))).toBe(true);
  });

  it("[W151] what was allowed is what is written, whatever a link leads to by then", async () => {
    await using rig = await startRig({ args: ["--approvals", "auto-edit"] });
    const victim = join(base, "victim.txt");
    writeFileSync(victim, "untouched");
    const question = await ask(rig, write(".envrc"));
    symlinkSync(victim, join(rig.directory, ".envrc"));
    const result = await answer(rig, question, "Allow once");
    expect(text(result)).toContain("is not what was allowed");
    expect(readFileSync(victim, "utf8")).toBe("untouched");
  });

  it("[W151] a directory that is swapped for a link all the time leads no write that nobody was asked about", async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-swap-")));
    mkdirSync(join(cwd, ".git/hooks"), { recursive: true });
    mkdirSync(join(cwd, "real"));
    const script = `while :; do ln -sfn .git/hooks way; ln -sfn ${base} way; ln -sfn real way; done`;
    const swapper = spawn("/bin/sh", ["-c", script], { cwd, stdio: "ignore" });
    try {
      const jail = { mode: "off", home: "/nonexistent", unconfinedReason: async () => null } as const;
      const context = { cwd, jail: null, shellEnv: {}, outputs: "", signal: new AbortController().signal };
      const edits = defaultFence({ ...context, progress: () => undefined }, { mode: "auto-edit", jail });
      let written = 0;
      const until = performance.now() + 1_500;
      while (performance.now() < until) {
        await replaceFile(join(cwd, "way/planted"), "way/planted", "x", { cwd, jail: null, edits }).then(
          () => written++,
          () => {},
        );
      }
      expect(written).toBeGreaterThan(0);
      expect(existsSync(join(cwd, ".git/hooks/planted"))).toBe(false);
      expect(existsSync(join(base, "planted"))).toBe(false);
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
      rmSync(cwd, { recursive: true, force: true });
    }
  });
});

describe("commands that should be confined and cannot be", () => {
  const env = { PATH: join(base, "empty") };

  it("[W144] enforced they are refused with what to install; on, each is asked about, also with full approvals", async () => {
    await using enforced = await startRig({ args: ["--jail", "enforced"], env });
    enforced.model.reply({ toolCalls: [bash("echo hi")] }, { text: "ok" });
    const [refused] = only(await enforced.worker.prompt("go"), "tool_result");
    expect(text(refused ?? { type: "" })).toMatch(
      /the shell is off: the sandbox is enforced, and bubblewrap is not installed.*apt install bubblewrap/,
    );
    await using on = await startRig({ args: ["--jail", "on"], env });
    for (const command of ["echo one", "echo two"]) {
      const question = await ask(on, bash(command));
      expect(question).toMatchObject({
        message: command,
        why: expect.stringMatching(/the sandbox does not work: bubblewrap is not installed.*apt install/),
        options: [{ value: "Allow once" }, { value: "Deny" }],
      });
      expect(text(await answer(on, question, "Allow once"))).toContain(command.slice(5));
    }
    const denied = await ask(on, bash("touch made"));
    await answer(on, denied, "Deny");
    expect(existsSync(join(on.directory, "made"))).toBe(false);
  });

  it("[W144] it cannot be turned on, and the answer says why", async () => {
    await using rig = await startRig({ env });
    expect(await rig.worker.ask({ type: "set_jail", mode: "on" })).toMatchObject({
      success: false,
      error: expect.stringMatching(/cannot be turned on: bubblewrap is not installed/),
    });
  });

  it("[W144] nor in a directory that holds whole homes", async () => {
    await using rig = await startRig({ args: ["--cwd", "/var"], env: { HOME: "/var/tmp" } });
    expect(await rig.worker.ask({ type: "set_jail", mode: "on" })).toMatchObject({
      success: false,
      error: expect.stringContaining("/var contains the system or whole home directories"),
    });
  });

  it("[W144] a bubblewrap that goes away lets no command run unconfined", here, async () => {
    if (!sandbox.works) return;
    const program = join(base, "bwrap");
    copyFileSync(sandbox.bubblewrap.program, program);
    const flag = JSON.stringify({ bubblewrap: { ...sandbox.bubblewrap, program } });
    await using rig = await startRig({ args: ["--jail", "on", "--sandbox", flag] });
    await rig.worker.ask({ type: "restore_settings", settings: {} });
    rig.model.reply({ toolCalls: [bash("ls /; echo confined")] }, { text: "ok" });
    const [first] = only(await rig.worker.prompt("go"), "tool_result");
    expect(text(first ?? { type: "" })).toContain("confined");
    rmSync(program);
    const question = await ask(rig, bash("echo unconfined > made"));
    expect(question).toMatchObject({ why: expect.stringContaining("bubblewrap is gone") });
    await answer(rig, question, "Deny");
    expect(existsSync(join(rig.directory, "made"))).toBe(false);
    // Whoever looks at the session sees that it is not confined any more.
    expect(rig.worker.frames.findLast((frame) => frame.type === "settings")).toMatchObject({
      jail: "on",
      jail_problem: expect.stringContaining("bubblewrap is gone"),
    });
  });
});
