// A person's own commands. Titles quote the lines of seeds/omp-rpc.txt they hold us to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lastMessages } from "@patchbay/testing/fake-model";
import { describe, expect, it } from "vitest";
import { isAlive } from "../is-alive.ts";
import { dig, only, type Rig, startRig } from "../rig.ts";

const lastCall = ({ model }: Rig): string => lastMessages(model);

/** The number a command printed, once it has. */
async function printedPid({ worker }: Rig): Promise<number> {
  let text = "";
  for (;;) {
    text += String((await worker.next("bash_output"))["text"]);
    const found = /pid=(\d+)\n/.exec(text);
    if (found !== null) return Number(found[1]);
  }
}

describe("a person's own command", () => {
  it('[W94] { id?, type: "bash", command: string } streams, answers as omp does, and reaches the model with its next call', async () => {
    await using rig = await startRig();
    const answer = await rig.worker.ask({ type: "bash", command: "echo hi; echo err >&2; exit 3" });
    expect(answer).toMatchObject({
      success: true,
      data: { output: "hi\nerr\n", exitCode: 3, cancelled: false, truncated: false },
    });
    const types = rig.worker.frames.map(({ type }) => type);
    expect(types.at(0)).toBe("bash_start");
    expect(types.slice(-2)).toEqual(["bash_end", "response"]);
    expect(
      only(rig.worker.frames, "bash_output")
        .map((frame) => frame["text"])
        .join(""),
    ).toBe("hi\nerr\n");
    expect(only(rig.worker.frames, "bash_end")).toMatchObject([{ exit_code: 3, output: "hi\nerr\n" }]);
    expect(rig.model.requests).toEqual([]);
    await rig.worker.prompt("what did I do?");
    expect(lastCall(rig)).toContain("I ran this command myself");
    expect(lastCall(rig)).toContain("exit code 3");
    const messages = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(dig(messages, 0, "bash", "exit_code")).toBe(3);
    expect(dig(await rig.worker.ask({ type: "get_branch_messages" }), "data", "messages")).toHaveLength(1);
    expect(await rig.worker.ask({ type: "bash", command: " " })).toMatchObject({ success: false });
  });

  it("[W95] beside a turn it runs at once and joins the context when the turn is over", async () => {
    await using rig = await startRig();
    rig.model.reply(
      { toolCalls: [{ name: "bash", args: { command: "until [ -e go ]; do sleep 0.05; done" } }] },
      { text: "done" },
      { text: "seen" },
    );
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "prompt", message: "wait for me" });
    await rig.worker.next("tool_call");
    const answer = await rig.worker.ask({ type: "bash", command: "touch go; echo beside" });
    expect(answer).toMatchObject({ data: { output: "beside\n", exitCode: 0 } });
    await rig.worker.turn(from);
    expect(lastCall(rig)).not.toContain("beside");
    const roles = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages") as {
      role: string;
    }[];
    expect(roles.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    await rig.worker.prompt("and now?");
    expect(lastCall(rig)).toContain("beside");
  });

  it('[W96] { id?, type: "abort_bash" } ends its whole group; one runs at a time', async () => {
    await using rig = await startRig();
    const id = rig.worker.send({
      type: "bash",
      command: "trap '' TERM; sleep 600 & echo pid=$!; echo kept; wait",
    });
    const child = await printedPid(rig);
    expect(await rig.worker.ask({ type: "bash", command: "echo second" })).toMatchObject({
      success: false,
      error: expect.stringContaining("abort_bash"),
    });
    expect(await rig.worker.ask({ type: "abort_bash" })).toMatchObject({ success: true });
    const end = await rig.worker.next("bash_end");
    expect(end).toMatchObject({ cancelled: true, exit_code: null, output: expect.stringContaining("kept") });
    const response = await rig.worker.next((frame) => frame["id"] === id);
    expect(response).toMatchObject({ success: true, data: { cancelled: true } });
    expect(dig(response, "data", "exitCode")).toBeUndefined();
    expect(isAlive(child)).toBe(false);
    expect(await rig.worker.ask({ type: "abort_bash" })).toMatchObject({ success: true });
  });

  it("[W96] the end of the worker ends it; closing stdin waits for it", async () => {
    await using ended = await startRig();
    ended.worker.send({ type: "bash", command: "sleep 600 & echo pid=$!; wait" });
    const child = await printedPid(ended);
    ended.worker.kill("SIGTERM");
    expect(await ended.worker.exit).toMatchObject({ code: 0 });
    expect(only(ended.worker.frames, "bash_end")).toMatchObject([{ cancelled: true }]);
    expect(isAlive(child)).toBe(false);
    await using finished = await startRig();
    finished.worker.send({
      type: "bash",
      command: "echo begun; until [ -e go ]; do sleep 0.05; done; echo whole",
    });
    await finished.worker.next("bash_output");
    finished.worker.closeInput();
    await import("node:fs/promises").then((fs) => fs.writeFile(join(finished.directory, "go"), ""));
    expect(await finished.worker.exit).toMatchObject({ code: 0 });
    expect(only(finished.worker.frames, "bash_end")).toMatchObject([
      { output: "begun\nwhole\n", exit_code: 0 },
    ]);
  });

  it("[W97] too much output is cut, and all of it is in the file that is named", async () => {
    await using rig = await startRig();
    const { data } = await rig.worker.ask({ type: "bash", command: "seq 1 40000" });
    expect(data).toMatchObject({
      truncated: true,
      exitCode: 0,
      output: expect.stringContaining("left out here"),
    });
    const file = readFileSync(String(dig(data, "fullOutputPath")), "utf8");
    expect(file.trimEnd().split("\n")).toHaveLength(40_000);
    await rig.worker.prompt("look");
    expect(lastCall(rig)).toContain(String(dig(data, "fullOutputPath")));
  });
});
