// The bash tool: output in order and in full, limits, and no process that outlives its call.
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive } from "../is-alive.ts";
import { only, type Rig, runTool, startRig } from "../rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
});

const bash = (command: string, timeout?: number) =>
  runTool(rig, "bash", { command, ...(timeout === undefined ? {} : { timeout }) });

describe("bash", () => {
  it("[W50] result: the command, the output in the order it was written, the exit code, the time", async () => {
    const run = await bash("echo one; echo two >&2; echo three; exit 3");
    expect(run.text).toMatch(
      /^\$ echo one; echo two >&2; echo three; exit 3\n\none\ntwo\nthree\n\n\[exit 3\] {2}Took \d+\.\ds$/,
    );
    expect(run.isError).toBe(true);
    expect(await bash("true")).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^\$ true\n\n\[exit 0\] /),
    });
  });

  it("[W50] quotes, newlines, bashisms and an end of input arrive as they are", async () => {
    const run = await bash(`x="a 'b' \\$c"; [[ $x == a* ]] && echo "$x"\ncat\necho "$0" end`);
    expect(run.text).toContain("a 'b' $c\n");
    expect(run.text).toContain("end");
    expect(run.isError).toBe(false);
  });

  it("[W51] progress comes while the command runs, and never splits a character", async () => {
    const run = await bash(`printf 'a\\360\\237'; sleep 0.1; printf '\\246\\251b'`);
    const pieces = only(run.frames, "tool_progress").map((frame) => String(frame["text"]));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe("a🦩b");
    expect(pieces.join("")).not.toContain("\uFFFD");
  });

  it("[W52] too much output: beginning and end are shown, all of it is in the named file", async () => {
    const run = await bash("seq 1 100000; echo the very end >&2");
    expect(run.text).toMatch(/\n\n1\n2\n3\n/);
    expect(run.text).toMatch(/\n\.\.\. \[\d+ bytes left out here; the end follows\] \.\.\.\n/);
    expect(run.text).toMatch(/\n99999\n100000\nthe very end\n\n\[exit 0\] \(full output: /);
    expect(run.text.length).toBeLessThan(53_000);
    const path = /\(full output: (.+?)\)/.exec(run.text)?.[1] ?? "";
    expect(path).toContain(join(rig.home, ".patchbay/outputs/"));
    const whole = await readFile(path, "utf8");
    expect(whole).toBe(
      `${Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("")}the very end\n`,
    );
  });

  it("[W52] one endless line of many-byte characters is cut between characters", async () => {
    const run = await bash(`head -c 300000 /dev/zero | sed 's/\\x00/é/g'`);
    expect(run.text).not.toContain("\uFFFD");
    const path = /\(full output: (.+?)\)/.exec(run.text)?.[1] ?? "";
    expect(await readFile(path, "utf8")).toBe("é".repeat(300_000));
  });

  it("[W53] 100 MB are bounded: live output stops at 1 MiB, memory does not grow, the end is kept", async () => {
    const run = await bash("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last");
    const live = only(run.frames, "tool_progress")
      .map((frame) => String(frame["text"]))
      .join("");
    expect(live.length).toBeLessThan(1_300_000);
    expect(live).toMatch(/\[more output is not shown live\]\n$/);
    expect(run.text).toContain("last\n\n[exit 0]");
    const status = await readFile(`/proc/${rig.worker.pid}/status`, "utf8");
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(250);
    const path = /\(full output: (.+?)\)/.exec(run.text)?.[1] ?? "";
    expect((await stat(path)).size).toBe(100_000_006);
  });

  it("[W121] kept outputs are bounded: old ones go when a new one comes", async () => {
    const outputs = join(rig.home, ".patchbay/outputs");
    const weeksAgo = new Date(Date.now() - 21 * 24 * 3_600_000);
    await mkdir(outputs, { recursive: true });
    await writeFile(join(outputs, "old.log"), "x");
    await utimes(join(outputs, "old.log"), weeksAgo, weeksAgo);
    await writeFile(join(outputs, "huge.log"), "");
    await truncate(join(outputs, "huge.log"), 2 ** 31); // sparse: a length, and no blocks
    await utimes(join(outputs, "huge.log"), new Date(), new Date(Date.now() - 60_000));
    await bash("seq 1 100000");
    const left = await readdir(outputs);
    expect(left).not.toContain("old.log");
    expect(left).not.toContain("huge.log");
    expect(left.length).toBeGreaterThan(0);
  });

  it("[W54] a timeout ends the whole group, also one that ignores SIGTERM", async () => {
    const run = await bash("trap '' TERM; sleep 300 & echo pids $$ $!; wait; sleep 300", 0.3);
    expect(run.isError).toBe(true);
    expect(run.text).toMatch(/\[exit -1\] ended after its timeout of 0\.3 s/);
    const pids = /pids (\d+) (\d+)/.exec(run.text)?.slice(1).map(Number) ?? [];
    expect(pids).toHaveLength(2);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it("[W54] background processes end with the command, which does not wait for them", async () => {
    const run = await bash("sleep 300 & echo pid $!");
    expect(run.text).toContain("[exit 0] (background processes were ended)");
    expect(run.isError).toBe(false);
    expect(isAlive(Number(/pid (\d+)/.exec(run.text)?.[1]))).toBe(false);
  });

  it("[W54] a process that left the group does not hold the call, though it holds the pipe", async () => {
    const run = await bash("setsid sh -c 'echo pid $$; exec sleep 300' & sleep 0.2; echo over");
    const pid = Number(/pid (\d+)/.exec(run.text)?.[1]);
    expect(run.text).toContain("over");
    process.kill(pid, "SIGKILL");
  });

  it("[W50] colours and other terminal codes are left out of the result, not of the live output", async () => {
    const run = await bash(`printf '\\033[31mred\\033[0m\\n'`);
    expect(run.text).toContain("\n\nred\n\n");
    expect(only(run.frames, "tool_progress")[0]).toMatchObject({ text: "\u001b[31mred\u001b[0m\n" });
  });

  it("[W50] a working directory that is gone is said in words", async () => {
    await using lost = await startRig();
    await lost.worker.ask({ type: "hello" });
    await rm(lost.directory, { recursive: true });
    expect(await runTool(lost, "bash", { command: "true" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("cannot be started"),
    });
  });
});
