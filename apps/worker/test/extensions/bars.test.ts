// Extensions that misbehave: each is a clear event, nothing hangs, and nothing stays behind.
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gone, isAlive } from "@patchbay/testing/processes";
import { describe, expect, it } from "vitest";
import { dig, only, runTool, secret, startRig } from "../rig.ts";
import {
  commandNames,
  globalExtensions,
  logged,
  logOf,
  projectExtensions,
  startWith,
  trouble,
  writeExtension,
} from "./kit.ts";

const registers = (name: string): string =>
  `hello(); emit({ type: "register_command", name: "${name}" }); emit({ type: "ready" });`;

describe("extensions that misbehave", () => {
  it("[E30] one that never says hello is ended after its time, and the session goes on", async () => {
    await using rig = await startWith({
      silent: {
        source: `console.error("pid " + process.pid); setInterval(() => {}, 1000);`,
        manifest: { timeouts: { hello_ms: 700 } },
      },
      fine: registers("fine"),
    });
    expect(await commandNames(rig)).toEqual(["fine"]);
    expect((await trouble(rig, "load"))["error"]).toBe("it did not say hello within 0.7 s and was ended");
    await gone(Number(/pid (\d+)/.exec(await logged(rig, "silent", "pid "))?.[1]));
    rig.model.reply({ text: "yes" });
    expect(only(await rig.worker.prompt("there?"), "assistant_message")).toHaveLength(1);
  });

  it("[E30] one that says something else first is ended; rubbish on stdout is quoted", async () => {
    await using rig = await startWith({
      chatty: `console.log("loading..."); emit({ type: "notify", message: "early" }); setInterval(() => {}, 1000);`,
    });
    expect(await commandNames(rig)).toEqual([]);
    expect((await trouble(rig, "frame"))["error"]).toContain("is not JSON (use stderr for logs): loading...");
    expect((await trouble(rig, "load"))["error"]).toBe("its first frame must be hello, not notify");
    expect(only(rig.worker.frames, "ext_notify")).toEqual([]);
  });

  it("[E30] a program that is not there, may not be run or ends at once: each says what to do", async () => {
    await using rig = await startWith({
      absent: { source: "", manifest: { exec: "./nothing" } },
      locked: { source: "", manifest: { exec: "./main.mjs" } },
      brief: `console.error("cannot find my config"); process.exit(2);`,
    });
    await commandNames(rig);
    await trouble(rig, "load", /absent\/nothing does not exist; check "exec" in extension\.json/);
    await trouble(rig, "load", /chmod \+x .*locked\/main\.mjs/);
    await trouble(rig, "load", /exit code 2; last output: cannot find my config/);
  });

  it("[E31] one that floods is slowed down and cut, and the worker stays quick", async () => {
    await using rig = await startWith({
      flood: `hello();
        const note = JSON.stringify({ type: "notify", message: "again ".repeat(20) }) + "\\n";
        const pour = () => { while (process.stdout.write(note)); process.stdout.once("drain", pour); };
        pour();`,
    });
    rig.model.reply({ text: "still here" });
    const frames = await rig.worker.prompt("hello?");
    expect(only(frames, "assistant_message")).toHaveLength(1);
    await trouble(rig, "flood", /writes more than can be shown/);
    await trouble(rig, "flood", /writes too much and is slowed down/);
    expect(only(rig.worker.frames, "ext_notify").length).toBeLessThan(300);
    const began = performance.now();
    await rig.worker.ask({ type: "ping" });
    expect(performance.now() - began).toBeLessThan(1_500);
    rig.worker.kill("SIGTERM");
    expect((await rig.worker.exit).code).toBe(0);
  });

  it("[E31] a line over 4 MiB is reported and skipped, the next one counts", async () => {
    await using rig = await startWith({
      long: `hello(); emit({ type: "notify", message: "x".repeat(5 * 1024 * 1024) }); ${registers("after").slice(9)}`,
    });
    expect(await commandNames(rig)).toEqual(["after"]);
    expect((await trouble(rig, "flood"))["error"]).toBe("a line of more than 4 MiB was left out");
  });

  it("[E31] a log is bounded: what is old goes", async () => {
    await using rig = await startWith({
      wordy: `hello(); emit({ type: "register_command", name: "talk" }); emit({ type: "ready" });
        on("command_invoked", ({ id }) => process.stderr.write(("y".repeat(1023) + "\\n").repeat(3000) + "the end\\n", () =>
          emit({ type: "command_response", id, action: "noop" })));`,
    });
    await rig.worker.ask({ type: "run_command", name: "talk" });
    await logged(rig, "wordy", "the end");
    const sizes = await Promise.all(
      ["", ".1"].map(async (end) => (await stat(logOf(rig, "wordy") + end)).size),
    );
    expect(Math.max(...sizes)).toBeLessThan(1.2 * 1024 * 1024);
    expect((await stat(logOf(rig, "wordy"))).mode & 0o777).toBe(0o600);
  });

  it("[E31] more than 128 commands of one extension are not registered", async () => {
    await using rig = await startWith({
      greedy: `hello(); for (let n = 0; n < 200; n++) emit({ type: "register_command", name: "c" + n }); emit({ type: "ready" });`,
    });
    expect(await commandNames(rig)).toHaveLength(128);
    await trouble(rig, "flood", /c128 was not registered: 128 are/);
  });

  it("[E14] one that ignores shutdown, the end of its input and SIGTERM is killed with its children", async () => {
    await using rig = await startWith({
      stubborn: `
        import { spawn } from "node:child_process";
        process.on("SIGTERM", () => console.error("no"));
        on("shutdown", () => console.error("never")); on("end", () => {});
        const child = spawn("sh", ["-c", "trap '' TERM; sleep 300; sleep 300"], { stdio: "ignore" });
        setInterval(() => {}, 1000);
        hello(); emit({ type: "notify", message: process.pid + " " + child.pid }); emit({ type: "ready" });`,
    });
    await commandNames(rig);
    const pids = String((await rig.worker.next("ext_notify"))["message"])
      .split(" ")
      .map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    const began = performance.now();
    rig.worker.closeInput();
    expect(await rig.worker.exit).toEqual({ code: 0, signal: null });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });

  it("[E14] a child that it leaves behind goes with it", async () => {
    await using rig = await startWith({
      parent: `
        import { spawn } from "node:child_process";
        const child = spawn("sleep", ["300"], { stdio: "inherit" });
        hello(); emit({ type: "notify", message: String(child.pid) });
        emit({ type: "register_command", name: "die" }); emit({ type: "ready" });
        on("command_invoked", () => process.exit(0));`,
    });
    await rig.worker.ask({ type: "run_command", name: "die" });
    const pid = Number((await rig.worker.some((frame) => frame.type === "ext_notify"))["message"]);
    await trouble(rig, "exit", /exit code 0/);
    await gone(pid);
  });

  it("[E32] its environment is the shell's: no key, no token", async () => {
    await using rig = await startWith(
      {
        nosy: `hello(); emit({ type: "notify", message: JSON.stringify(process.env) }); emit({ type: "ready" });`,
      },
      { env: { TZ: "UTC", GITHUB_TOKEN: "gh-secret" } },
    );
    await commandNames(rig);
    const { message } = await rig.worker.next("ext_notify");
    expect(message).toContain('"TZ":"UTC"');
    expect(message).not.toContain(secret);
    expect(message).not.toContain("gh-secret");
  });

  it("[E32] what it does not read is bounded: it misses events, and calls fail in words", async () => {
    await using rig = await startWith({
      deaf: `process.stdin.removeAllListeners("data"); process.stdin.pause(); setInterval(() => {}, 1000);
        hello(); emit({ type: "register_command", name: "keep" }); emit({ type: "ready" });`,
    });
    expect(await commandNames(rig)).toEqual(["keep"]);
    const keep = { type: "run_command", name: "keep", args: "z".repeat(5 * 1024 * 1024) };
    for (const id of ["k1", "k2", "k3"]) rig.worker.send({ ...keep, id });
    expect(await rig.worker.some((frame) => frame["id"] === "k3")).toMatchObject({
      success: false,
      error: "/keep failed: deaf does not read its input",
    });
    await trouble(rig, "flood", /does not read its input: it misses events/);
    rig.worker.kill("SIGTERM"); // it would not notice a worker that is simply gone
    await rig.worker.exit;
  });
});

describe("what is loaded", () => {
  it("[E33] --ext, then the project's, then the person's; the first of a name wins, also when it is disabled", async () => {
    await using rig = await startWith(
      { one: registers("global-one"), two: registers("global-two"), three: registers("global-three") },
      { args: ["--trust-project"] },
    );
    const zot = join(rig.directory, ".zot", "extensions");
    await writeExtension(join(projectExtensions(rig), "one"), "one", { source: registers("project-one") });
    await writeExtension(join(zot, "one"), "one", { source: registers("zot-one") });
    await writeExtension(join(zot, "four"), "four", { source: registers("zot-four") });
    await writeExtension(join(projectExtensions(rig), "two"), "two", {
      source: registers("project-two"),
      manifest: { enabled: false },
    });
    await writeExtension(join(projectExtensions(rig), "renamed"), "three", {
      source: registers("project-three"),
    });
    expect((await commandNames(rig)).toSorted()).toEqual(["project-one", "project-three", "zot-four"]);
  });

  it("[E33] --no-ext leaves only what --ext names; $ZOT_HOME counts where it is set", async () => {
    await using box = await startRig();
    const given = join(box.directory, "given");
    const zotHome = join(box.directory, "zot-home");
    await writeExtension(given, "given", { source: registers("given") });
    await writeExtension(join(zotHome, "extensions", "old"), "old", { source: registers("old") });
    await using rig = await startWith({ own: registers("own") }, { args: ["--no-ext", "--ext", given] });
    expect(await commandNames(rig)).toEqual(["given"]);
    await using other = await startWith({ own: registers("own") }, { env: { ZOT_HOME: zotHome } });
    expect(await commandNames(other)).toEqual(["own", "old"]);
  });

  it("[E33] a manifest that is wrong is reported with file and field; others load", async () => {
    await using rig = await startWith({
      ok: registers("ok"),
      slash: { source: "", manifest: { name: "../up" } },
      noexec: { source: "", manifest: { exec: 7 } },
    });
    await mkdir(join(globalExtensions(rig), "torn"));
    await writeFile(join(globalExtensions(rig), "torn", "extension.json"), "{");
    await mkdir(join(globalExtensions(rig), "empty"));
    expect(await commandNames(rig)).toEqual(["ok"]);
    await trouble(rig, "load", /slash\/extension\.json: name: only letters/);
    await trouble(rig, "load", /noexec\/extension\.json: exec: expected string/);
    await trouble(rig, "load", /torn\/extension\.json: not JSON/);
    expect(only(rig.worker.frames, "extension_error")).toHaveLength(3);
  });

  it("[E34] a project's extensions start as soon as somebody trusts the directory, and not before", async () => {
    await using rig = await startWith({ guard: registers("guard") });
    await writeExtension(join(projectExtensions(rig), "local"), "local", { source: registers("local") });
    // A project that nobody trusts turns nothing off either.
    await writeExtension(join(projectExtensions(rig), "guard"), "guard", {
      source: "",
      manifest: { enabled: false },
    });
    expect(await commandNames(rig)).toEqual(["guard"]);
    const question = await rig.worker.next("extension_ui_request");
    expect(question).toMatchObject({ method: "select", directory: rig.directory });
    expect(question["message"]).toContain("extension local: ");
    rig.model.reply({ text: "without them" });
    expect(only(await rig.worker.prompt("go on"), "assistant_message")).toHaveLength(1);
    rig.worker.send({
      type: "extension_ui_response",
      id: String(question["id"]),
      value: "Trust this directory",
    });
    for (;;) {
      await rig.worker.next("commands_changed");
      const names = await commandNames(rig);
      if (names.includes("local")) {
        expect(names).toEqual(["local"]);
        break;
      }
    }
    await using next = await startRig({
      args: ["--cwd", rig.directory, "--home", join(rig.home, ".patchbay")],
    });
    expect(await commandNames(next)).toEqual(["local"]);
    expect(JSON.parse(await readFile(join(rig.home, ".patchbay/trusted.json"), "utf8"))).toEqual({
      directories: [rig.directory],
    });
  });

  it("[E34] in the person's own directory the global place is not asked about", async () => {
    await using rig = await startWith({ own: registers("own") });
    await symlink(join(rig.home, ".patchbay"), join(rig.directory, ".patchbay"));
    expect(await commandNames(rig)).toEqual(["own"]);
    expect(only(rig.worker.frames, "extension_ui_request")).toEqual([]);
  });

  it("[E35] /reload-ext and reload_extensions start what is there now; a running turn is not disturbed", async () => {
    await using rig = await startWith({ one: registers("one") });
    expect(await commandNames(rig)).toEqual(["one"]);
    await writeExtension(join(globalExtensions(rig), "two"), "two", { source: registers("two") });
    const frames = await rig.worker.prompt("/reload-ext");
    expect(only(frames, "ext_display")[0]?.["text"]).toBe(
      "Extensions were restarted:\none 1.0.0: ready\ntwo 1.0.0: ready",
    );
    expect(await commandNames(rig)).toEqual(["one", "two"]);
    rig.model.reply({ text: "slow", hangBefore: "end" });
    rig.worker.send({ type: "prompt", message: "wait" });
    await rig.worker.next("text_delta");
    expect(await rig.worker.ask({ type: "reload_extensions" })).toMatchObject({ success: false });
    rig.model.release();
    await rig.worker.next("done");
  });

  it("[E35] a worker without extensions can be given one", async () => {
    await using rig = await startRig();
    expect(await commandNames(rig)).toEqual([]);
    await writeExtension(join(globalExtensions(rig), "new"), "new", { source: registers("new") });
    const answer = await rig.worker.ask({ type: "reload_extensions" });
    expect(dig(answer, "data", "extensions", 0, "name")).toBe("new");
    expect((await runTool(rig, "bash", { command: "true" })).isError).toBe(false);
  });
});
