// The jail as a whole: tools and shell in a real worker, under a real bubblewrap where there is one.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import { afterAll, describe, expect, it } from "vitest";
import { isAlive } from "../is-alive.ts";
import { type Rig, runTool, secret, startRig } from "../rig.ts";

/** Not in /tmp, which is another one inside. */
const base = realpathSync(mkdtempSync("/var/tmp/patchbay-jail-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const inJail = (...args: string[]): Promise<Rig> => startRig({ args: ["--jail", "on", ...args] });
const bash = (rig: Rig, command: string) => runTool(rig, "bash", { command });

describe("the jail", () => {
  it("[W142] every file tool stays inside, /tmp is the agent's own, and the model is told", async () => {
    await using rig = await inJail();
    for (const [tool, args] of [
      ["read", { path: "/etc/passwd" }],
      ["write", { path: join(base, "x"), content: "x" }],
      ["edit", { path: "/etc/passwd", edits: [{ oldText: "root", newText: "x" }] }],
      ["grep", { pattern: "root", path: "/etc" }],
      ["find", { pattern: "*", path: "/var" }],
      ["ls", { path: "/" }],
    ] as const) {
      expect(await runTool(rig, tool, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining("is outside the working directory"),
      });
    }
    expect((await runTool(rig, "write", { path: "in.txt", content: "needle" })).isError).toBe(false);
    expect((await runTool(rig, "grep", { pattern: "needle" })).text).toBe("in.txt:1: needle");
    expect((await runTool(rig, "write", { path: "/tmp/own.txt", content: "mine" })).isError).toBe(false);
    expect((await runTool(rig, "read", { path: "/tmp/own.txt" })).text).toBe("mine");
    expect(existsSync("/tmp/own.txt")).toBe(false);
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain("You work in a sandbox");
  });

  it("[W149] exports are written and sessions loaded inside only", async () => {
    await using rig = await inJail();
    await rig.worker.prompt("hello");
    const outside = join(base, "export.html");
    expect(await rig.worker.ask({ type: "export_html", outputPath: outside })).toMatchObject({
      success: false,
      error: expect.stringContaining("is outside the working directory"),
    });
    expect(existsSync(outside)).toBe(false);
    const inside = await rig.worker.ask({ type: "export_html", outputPath: "kept/export.html" });
    expect(inside).toMatchObject({ success: true, data: { path: join(rig.directory, "kept/export.html") } });
    expect(readFileSync(join(rig.directory, "kept/export.html"), "utf8")).toContain("hello");
    writeFileSync(join(base, "session.jsonl"), "{}\n");
    expect(
      await rig.worker.ask({ type: "switch_session", sessionPath: join(base, "session.jsonl") }),
    ).toMatchObject({ success: false, error: expect.stringContaining("is outside the working directory") });
  });

  it("[W143] a person turns it on and off; enforced, nobody does", async () => {
    await using rig = await startRig();
    writeFileSync(join(base, "seen"), "seen");
    const read = () => runTool(rig, "read", { path: join(base, "seen") });
    expect((await read()).isError).toBe(false);
    expect(await rig.worker.ask({ type: "set_jail", mode: "on" })).toMatchObject({ data: { mode: "on" } });
    expect((await read()).isError).toBe(true);
    expect(rig.worker.frames.findLast((frame) => frame.type === "settings")).toMatchObject({ jail: "on" });
    await rig.worker.ask({ type: "set_jail", mode: "off" });
    expect((await read()).isError).toBe(false);
    await using enforced = await startRig({ args: ["--jail", "enforced"] });
    expect(await enforced.worker.ask({ type: "set_jail", mode: "off" })).toMatchObject({
      success: false,
      error: expect.stringContaining("enforced by the server's configuration"),
    });
    await enforced.worker.ask({ type: "restore_settings", settings: { jail: "off" } });
    expect((await runTool(enforced, "read", { path: join(base, "seen") })).isError).toBe(true);
  });
});

describe("the shell in the jail", unless(await sandboxProblem()), () => {
  it("[W145] changes only the working directory and /tmp, which it shares with the file tools", async () => {
    await using rig = await inJail();
    const outside = join(base, "escaped");
    const run = await bash(
      rig,
      `touch inside; echo mine > /tmp/own.txt; touch ${outside} || echo refused; pwd -P`,
    );
    expect(run.text).toMatch(/No such file or directory[\s\S]*refused/); // nothing of the machine is there
    expect(existsSync(join(rig.directory, "inside"))).toBe(true);
    expect(existsSync(outside)).toBe(false);
    expect((await runTool(rig, "read", { path: "/tmp/own.txt" })).text).toBe("mine\n");
    expect((await bash(rig, "cat /tmp/own.txt; git --version; node --version")).isError).toBe(false);
  });

  it("[W145] sees no other process, no key, and nothing of the server's or of logins", async () => {
    await using rig = await inJail();
    const home = join(rig.home, ".patchbay");
    mkdirSync(join(rig.home, ".ssh"), { recursive: true });
    writeFileSync(join(rig.home, ".ssh/id"), "PRIVATE");
    writeFileSync(join(rig.home, ".netrc"), "PRIVATE");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "token"), "PRIVATE");
    const run = await bash(
      rig,
      `cat /proc/[0-9]*/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'; cat ~/.ssh/id ~/.netrc ${home}/token; ls ${home}`,
    );
    expect(run.text).toContain("PATH=");
    expect(run.text).not.toContain(secret);
    expect(run.text).not.toContain("PRIVATE");
    expect(run.text).not.toContain(`ANTHROPIC`);
    expect(Number(/^(\d+)$/m.exec(run.text)?.[1])).toBeLessThan(10);
  });

  it("[W145] has no privileges to get out with, not even as root", async () => {
    await using rig = await inJail();
    const command =
      "grep CapEff /proc/self/status; mount -o remount,rw / && echo MOUNTED; cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo WRITTEN; true";
    const { text } = await bash(rig, command);
    const output = text.slice(text.indexOf("\n"));
    expect(output).toMatch(/CapEff:\s+0+\n/);
    expect(output).not.toMatch(/MOUNTED|WRITTEN/);
  });

  it("[W145] a long output can be read from its file, though the rest of the home is hidden", async () => {
    await using rig = await inJail();
    const run = await bash(rig, "seq 1 50000");
    const path = /\(full output: (.+?)\)/.exec(run.text)?.[1] ?? "";
    expect((await runTool(rig, "read", { path, offset: 25_000, limit: 1 })).text).toContain("25000\n");
    expect((await bash(rig, `sed -n 25000p ${path}`)).text).toContain("\n25000\n");
    expect((await bash(rig, `echo x > ${path}`)).isError).toBe(true);
  });

  it("[W146] nothing outlives it: neither one that ignores SIGTERM nor one that fled its group", async () => {
    await using rig = await inJail();
    const marker = `patchbay-jailed-${process.pid}`;
    const alive = () =>
      readdirSync("/proc").filter((pid) => {
        try {
          return (
            /^\d+$/.test(pid) &&
            readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker) &&
            isAlive(Number(pid))
          );
        } catch {
          return false;
        }
      });
    const stubborn = `trap '' TERM; setsid sh -c 'trap "" TERM; sleep 300; : ${marker}' & sh -c 'sleep 300; : ${marker}' & echo ready; wait`;
    rig.model.reply({ toolCalls: [{ name: "bash", args: { command: stubborn } }] });
    rig.worker.send({ type: "prompt", message: "go" });
    await rig.worker.next(
      (frame) => frame.type === "tool_progress" && String(frame["text"]).includes("ready"),
    );
    expect(alive().length).toBeGreaterThan(0);
    await rig.worker.ask({ type: "abort" });
    await rig.worker.next("done");
    expect(alive()).toEqual([]);
    const fled = await bash(rig, `setsid sh -c 'sleep 300; : ${marker}' & echo over`);
    expect(fled.text).toContain("over");
    expect(alive()).toEqual([]);
  });

  it("[W147] the network can be taken away", async () => {
    const listener = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => listener.once("listening", resolve));
    const address = listener.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    await using open = await inJail();
    expect((await bash(open, connect)).text).toContain("hello");
    await using closed = await inJail("--jail-network", "off");
    expect(await bash(closed, connect)).toMatchObject({ isError: true });
    listener.close();
  });

  it("[W146] its own /tmp goes with the worker, and what a killed one left goes with the next", async () => {
    await using rig = await inJail();
    await bash(rig, "echo x > /tmp/x");
    const scratch = join(rig.home, ".patchbay/scratch");
    mkdirSync(join(scratch, "999999999-left"), { recursive: true });
    expect(readdirSync(scratch)).toHaveLength(2);
    await using next = await startRig({ args: ["--jail", "on", "--home", join(rig.home, ".patchbay")] });
    await bash(next, "true");
    expect(readdirSync(scratch)).not.toContain("999999999-left");
    rig.worker.closeInput();
    await rig.worker.exit;
    expect(readdirSync(scratch)).toHaveLength(1);
  });
});
