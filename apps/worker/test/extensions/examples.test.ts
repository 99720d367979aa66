// The example extensions, installed as a person would and used in a session.
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, runTool, startRig } from "../rig.ts";
import { commandNames, globalExtensions } from "./kit.ts";

const examples = fileURLToPath(new URL("../../../../examples/extensions", import.meta.url));

async function startWithExample(name: string): Promise<Rig> {
  const rig = await startRig();
  await cp(join(examples, name), join(globalExtensions(rig), name), { recursive: true });
  return rig;
}

const has = (command: string, args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    console.log(`skipped: ${command} is not installed, so its example is not run`);
    return false;
  }
};

const said = (rig: Rig, method: string) =>
  only(rig.worker.frames, "extension_ui_request").filter((frame) => frame["method"] === method);

describe("the TypeScript example", () => {
  it("[E60] keeps a list: tools for the model, a panel and a status for the person, also in the next session", async () => {
    await using rig = await startWithExample("typescript");
    const added = await runTool(rig, "todo_add", { tasks: ["write it", "test it"] });
    expect([added.isError, added.text]).toEqual([false, "1. · write it\n2. · test it"]);
    const wrong = await runTool(rig, "todo_done", { number: 9 });
    expect([wrong.isError, wrong.text]).toEqual([true, "there is no task 9; there are 2"]);
    await runTool(rig, "todo_done", { number: 1 });
    expect(said(rig, "setStatus").at(-1)).toMatchObject({ statusText: "1 of 2 tasks open" });
    await rig.worker.ask({ type: "run_command", name: "todo" });
    const panel = await rig.worker.some((frame) => frame.type === "ext_panel");
    expect(panel).toMatchObject({ extension: "todo", panel_id: "todo", title: "Tasks" });
    await rig.worker.ask({ type: "panel_key", panel: "todo", key: "down" });
    await rig.worker.ask({ type: "panel_key", panel: "todo", key: "enter" });
    await rig.worker.some((frame) => String(dig(frame, "lines", 1)).startsWith("› 2. \u001b[32m✔"));
    await using next = await startRig({
      args: ["--cwd", rig.directory, "--home", join(rig.home, ".patchbay")],
    });
    expect(await commandNames(next)).toEqual(["todo", "todo-clear"]);
    await next.worker.some((frame) => frame["statusText"] === "0 of 2 tasks open");
    const cleared = next.worker.ask({ type: "run_command", name: "todo-clear" });
    const question = await next.worker.some((frame) => frame["method"] === "confirm");
    next.worker.send({ type: "extension_ui_response", id: String(question["id"]), confirmed: true });
    expect(await cleared).toMatchObject({ success: true, data: { text: "The list is empty." } });
  });
});

describe("the Python example", () => {
  it(
    "[E60] asks before a destructive command, and refuses it without a yes",
    unless(has("python3", ["--version"]) ? null : "python3 is not installed"),
    async () => {
      await using rig = await startWithExample("python");
      await writeFile(join(rig.directory, "keep.txt"), "x");
      expect((await runTool(rig, "bash", { command: "ls" })).text).toContain("keep.txt");
      expect(said(rig, "confirm")).toEqual([]);
      const answer = async (confirmed: boolean) => {
        const asked = said(rig, "confirm").length;
        const ran = runTool(rig, "bash", { command: "rm -rf keep.txt" });
        await rig.worker.some(() => said(rig, "confirm").length > asked);
        const question = said(rig, "confirm").at(-1);
        expect(question).toMatchObject({ extension: "careful", message: "rm -rf keep.txt", timeout: 50_000 });
        rig.worker.send({ type: "extension_ui_response", id: String(question?.["id"]), confirmed });
        return ran;
      };
      expect((await answer(false)).text).toBe("the person refused this command");
      expect((await runTool(rig, "bash", { command: "ls" })).text).toContain("keep.txt");
      expect((await answer(true)).isError).toBe(false);
      expect((await runTool(rig, "bash", { command: "ls" })).text).not.toContain("keep.txt");
      expect(said(rig, "setStatus").at(-1)).toMatchObject({ statusText: "1 refused" });
    },
  );
});

describe("the shell example", () => {
  it.each([
    ["with jq", true],
    ["without jq", false],
  ])("[E60] shows what has changed in git, %s", async (_how, withJq) => {
    if (withJq && !has("jq", ["--version"])) return;
    const names = ["sh", "git", "sed", "awk", "head", "wc", "tr", "cat", ...(withJq ? ["jq"] : [])];
    await using path = await pathWith(names);
    await using rig = await startRig({ env: { PATH: path.directory } });
    await cp(join(examples, "shell"), join(globalExtensions(rig), "shell"), { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: rig.directory });
    await writeFile(join(rig.directory, 'a "quoted" name.txt'), "x");
    const frames = await rig.worker.prompt("/changes");
    expect(only(frames, "ext_display")[0]?.["text"]).toContain('?? "a \\"quoted\\" name.txt"');
    rig.model.reply({ text: "ok" });
    await rig.worker.prompt("hi");
    await rig.worker.some((frame) => frame["statusText"] === "1 changed");
  });
});

/** A directory with links to just these programs. */
async function pathWith(names: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), "patchbay-path-"));
  for (const name of names) {
    const path = execFileSync("sh", ["-c", `command -v ${name}`])
      .toString()
      .trim();
    await symlink(path, join(directory, name));
  }
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}
