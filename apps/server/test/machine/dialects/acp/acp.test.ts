// ACP agents behind the server: a fixture made with the official SDK acts, viewers see what any other worker would show.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attach, openSession } from "../../../support/actor.ts";
import { acpAgent, frames, textOf, turn } from "./agent.ts";

describe("an ACP agent", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      config: {
        default_worker: "agent",
        workers: {
          agent: acpAgent(),
          newer: { ...acpAgent(), env: ["ACP_VERSION"] },
          resumes: acpAgent("resumes"),
          plain: acpAgent("plain"),
        },
      },
      env: { SOME_API_KEY: "secret-of-the-agent", ACP_VERSION: "2" },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("[I1] reports what it is and what it can do; one that speaks another version is refused in a sentence", async () => {
    await using viewer = await openSession(server);
    expect(viewer.session).toMatchObject({ dialect: "acp", provider: "fixture", state: "idle" });
    expect(viewer.session?.capabilities).toEqual(expect.arrayContaining(["images", "commands", "restore"]));
    expect(viewer.session?.capabilities).not.toContain("steer");
    expect(await viewer.ask({ type: "compact" })).toMatchObject({ success: false });
    await using newer = await openSession(server, { worker: "newer" });
    expect(newer.session?.state).toBe("failed");
    expect(newer.session?.reason).toContain("version 2 of ACP");
  });

  it("[I2] [U54] text and thoughts stream and end as one message; a frame sequence like any other worker's", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "think of\u2028it")).toBe("Let me see.of\u2028it");
    const types = frames(viewer)
      .map((frame) => frame["type"])
      .filter((type) => type !== "commands_changed"); // its time is not defined
    expect(types.slice(types.indexOf("user_message"), types.indexOf("done") + 1)).toEqual([
      ...["user_message", "turn_start", "assistant_start", "thinking_delta", "text_delta"],
      ...["usage", "assistant_message", "turn_end", "done"], // it reports no usage: that there was a call is known
    ]);
    expect(viewer.transcript.usage).toMatchObject({ cost_usd: 0, unpriced: 1 });
    expect(viewer.transcript.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(await turn(viewer, "refuse")).toBe("refuse");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "error" });
  });

  it("[I3] tool calls grow, end, and are followed by a step of their own; parallel ones, failures and diffs too", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "tool")).toBe("Done.");
    expect(viewer.transcript.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    const progress = frames(viewer).filter((frame) => frame["type"] === "tool_progress");
    expect(progress.map((frame) => frame["text"])).toEqual(["one", " two"]);
    expect(frames(viewer).find((frame) => frame["type"] === "tool_call")).toMatchObject({
      name: "bash",
      args: { command: "make" },
    });
    expect(viewer.transcript.messages[2]?.content).toMatchObject([
      { type: "tool_result", call_id: "t1", is_error: false, content: [{ text: "one two three" }] },
    ]);
    await turn(viewer, "parallel");
    const results = viewer.transcript.messages.at(-2)?.content;
    expect(results).toMatchObject([
      {
        call_id: "a",
        is_error: false,
        details: { path: "/a.txt", added: 1, removed: 1, locations: [{ line: 3 }] },
      },
      { call_id: "b", is_error: true, content: [{ text: "no such file" }] },
    ]);
    expect(JSON.stringify(results)).toContain("-one\\n+two");
  });

  it("[I4] a permission is a question with the agent's choices; an allowed call is shown as running; a turn that is stopped withdraws it", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "permit" });
    await viewer.state("waiting");
    const [question] = viewer.session?.pending ?? [];
    const [yes, no] = [
      { label: "Allow", value: "yes" },
      { label: "Reject", value: "no" },
    ];
    expect(question).toMatchObject({ title: "Delete everything", tool: "bash", options: [yes, no] });
    viewer.send({ type: "extension_ui_response", id: question?.id, value: "no" });
    await viewer.state("idle");
    expect(textOf(viewer.transcript.messages.at(-1))).toBe('{"outcome":"selected","optionId":"no"}');
    await viewer.ask({ type: "prompt", message: "permit" });
    await viewer.state("waiting");
    await viewer.ask({ type: "abort" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.pending.length === 0);
    expect(textOf(viewer.transcript.messages.at(-1))).toContain("cancelled");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ stop: "aborted" });
    const isShown = () => viewer.frames.some((frame) => frame.includes('"type":"tool_call"'));
    expect(isShown()).toBe(false);
    await viewer.ask({ type: "prompt", message: "permit" });
    await viewer.state("waiting");
    viewer.send({ type: "extension_ui_response", id: viewer.session?.pending[0]?.id, value: "yes" });
    await viewer.state("idle");
    expect(isShown()).toBe(true);
  });

  it("[I15] a form becomes one question per field; closing a question cancels it", async () => {
    await using viewer = await openSession(server);
    const answer = async (method: string, given: object) => {
      await viewer.until(() => viewer.session?.pending[0]?.method === method);
      viewer.send({ type: "extension_ui_response", id: viewer.session?.pending[0]?.id, ...given });
      const { id } = viewer.session?.pending[0] ?? {};
      await viewer.until(() => viewer.session?.pending[0]?.id !== id);
    };
    await viewer.ask({ type: "prompt", message: "form" });
    await answer("select", { value: "d" });
    await answer("input", { value: "several" });
    await answer("input", { value: "3" });
    await answer("confirm", { confirmed: true });
    await viewer.state("idle");
    expect(JSON.parse(textOf(viewer.transcript.messages.at(-1)))).toEqual({
      action: "accept",
      content: { branch: "d", count: 3, sure: true },
    });
    await viewer.ask({ type: "prompt", message: "form" });
    await answer("select", { cancelled: true });
    await viewer.state("idle");
    expect(textOf(viewer.transcript.messages.at(-1))).toBe('{"action":"cancel"}');
  });

  it("[I23] a question that the agent cancels is withdrawn, and the turn continues", async () => {
    await using viewer = await openSession(server);
    const questions = () => viewer.transcript.marks.filter(({ kind }) => kind === "question");
    expect(await turn(viewer, "permit briefly")).toBe('{"outcome":"cancelled"}');
    expect(await turn(viewer, "form briefly")).toBe('{"action":"cancel"}');
    expect(questions()).toMatchObject([{ by: "withdrawn" }, { by: "withdrawn" }]);
    expect(viewer.session?.pending).toEqual([]);
  });

  it("[I5] abort ends the turn as aborted and keeps its text; the next prompt runs", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes("waiting")));
    await viewer.ask({ type: "abort" });
    await viewer.state("idle");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "aborted" });
    expect(textOf(viewer.transcript.messages.at(-1))).toBe("waiting");
    expect(await turn(viewer, "say again")).toBe("again");
  });

  it("[I6] images and mentioned files go with the prompt; what is outside of the directory does not", async () => {
    await using viewer = await openSession(server);
    writeFileSync(join(server.cwd, "note.txt"), "a note");
    writeFileSync(join(server.home, "private.txt"), "private");
    const image = { mime_type: "image/png", data: "aGk=" };
    const blocks = await turn(viewer, "blocks @note.txt @../private.txt @nothing", { images: [image] });
    expect(JSON.parse(blocks)).toEqual([
      { type: "image", mimeType: "image/png", data: "aGk=" },
      { type: "resource", resource: { uri: `file://${server.cwd}/note.txt`, text: "a note" } },
    ]);
  });

  it("[I6] a large file, and any file for an agent that takes none, is sent as a link", async () => {
    writeFileSync(join(server.cwd, "large.txt"), "x".repeat(300 * 1024));
    writeFileSync(join(server.cwd, "small.txt"), "x");
    const link = (name: string) => ({ type: "resource_link", uri: `file://${server.cwd}/${name}`, name });
    await using viewer = await openSession(server);
    expect(JSON.parse(await turn(viewer, "blocks @large.txt"))).toEqual([link("large.txt")]);
    await using plain = await openSession(server, { worker: "plain" });
    expect(JSON.parse(await turn(plain, "blocks @small.txt"))).toEqual([link("small.txt")]);
  });

  it("[I7] files are read and written inside of the session's directory, and links do not lead out of it", async () => {
    await using viewer = await openSession(server);
    writeFileSync(join(server.cwd, "in.txt"), "inside");
    writeFileSync(join(server.home, "out.txt"), "outside");
    mkdirSync(join(server.home, "elsewhere"), { recursive: true });
    symlinkSync(join(server.home, "out.txt"), join(server.cwd, "link.txt"));
    symlinkSync(join(server.home, "elsewhere"), join(server.cwd, "dir"));
    expect(await turn(viewer, `read ${server.cwd}/in.txt`)).toBe("inside");
    await turn(viewer, `write ${server.cwd}/new.txt some words`);
    expect(readFileSync(join(server.cwd, "new.txt"), "utf8")).toBe("some words");
    for (const attempt of [
      "read link.txt",
      `read ${server.home}/out.txt`,
      "write link.txt x",
      "write dir/x.txt x",
    ]) {
      await turn(viewer, attempt.replace(/ (link|dir)/, ` ${server.cwd}/$1`));
      expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "error" });
    }
    expect(readFileSync(join(server.home, "out.txt"), "utf8")).toBe("outside");
    expect(existsSync(join(server.home, "elsewhere", "x.txt"))).toBe(false);
  });

  it("[I22] anything but a file is refused in a sentence, and does not block other sessions", async () => {
    await using viewer = await openSession(server);
    const pipes = ["p1", "p2", "p3", "p4", "p5"].map((name) => join(server.cwd, name));
    execFileSync("mkfifo", pipes);
    for (const attempt of [
      ...pipes.map((pipe) => `read ${pipe}`),
      `write ${pipes[0]} x`,
      `read ${server.cwd}`,
    ]) {
      await turn(viewer, attempt);
      expect(JSON.stringify(viewer.transcript.marks.at(-1))).toContain("is not a file");
    }
    expect(await turn(viewer, "blocks @p1")).toBe("[]");
  });

  it("[I9] plans, modes, commands and models: shown, chosen, run", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "plan");
    expect(viewer.frames.some((frame) => frame.startsWith('{"type":"plan"'))).toBe(true);
    expect(viewer.transcript.surface.widgets).toMatchObject([{ key: "plan", lines: ["✓ Look", "▸ Mend"] }]);
    expect(viewer.transcript.surface.settings?.agent_mode).toBe("ask");
    expect((await viewer.ask({ type: "get_commands" })).data).toMatchObject({
      commands: [{ name: "review", hint: "what" }, { name: "mode" }],
    });
    expect(await viewer.ask({ type: "run_command", name: "mode", args: "nonsense" })).toMatchObject({
      success: false,
    });
    await viewer.ask({ type: "run_command", name: "mode", args: "Code" });
    await viewer.until(() => viewer.transcript.surface.settings?.agent_mode === "code");
    expect(await turn(viewer, "recall")).toContain("code;");
    expect(await viewer.ask({ type: "run_command", name: "review", args: "it" })).toMatchObject({
      data: { action: "prompt", text: "/review it" },
    });
    await viewer.until(() => viewer.session?.state === "idle");
    expect((await viewer.ask({ type: "get_models" })).data).toMatchObject({
      models: [{ id: "small" }, { id: "large" }],
    });
    expect(await viewer.ask({ type: "set_model", model: "huge" })).toMatchObject({ success: false });
    await viewer.ask({ type: "set_model", model: "large" });
    await viewer.until(() => viewer.session?.model === "large");
  });

  it("[I10] costs, reported as a sum, are counted once and at once, also by the next process", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "cost 0.25");
    await turn(viewer, "cost 0.5");
    await turn(viewer, "say nothing more");
    expect(viewer.session?.usage.cost_usd).toBe(0.75);
    const usage = frames(viewer).filter((frame) => frame["type"] === "usage");
    expect(usage.map((frame) => frame["cost_usd"])).toEqual([0.25, 0.5]);
    await server.call("POST", `/api/sessions/${viewer.session?.id}/stop`);
    await viewer.state("stopped");
    await turn(viewer, "cost 0.125"); // the next process counts from 0 again
    expect(viewer.session?.usage.cost_usd).toBe(0.875);
  });

  it("[I26] the reason of an error is shown wherever the agent puts it, not its general message alone", async () => {
    await using viewer = await openSession(server);
    for (const kind of ["text", "message"]) {
      await turn(viewer, `reason ${kind} the quota is used up`);
      const mark = viewer.transcript.marks.findLast((each) => each.kind === "turn");
      expect(mark).toMatchObject({ stop: "error", error: "Internal error: the quota is used up" });
    }
  });

  it("[I27] a file that is not there is refused as not found, so that the agent can create it", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "missing nothing-here.txt")).toBe("-32002");
  });

  it("[I11] errors are reported in a sentence: a wrong key, a login that is missing, a crash", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "fail");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ stop: "error" });
    expect(JSON.stringify(viewer.transcript.marks.at(-1))).toContain("401 wrong key");
    await turn(viewer, "login");
    expect(JSON.stringify(viewer.transcript.marks.at(-1))).toContain("needs a login");
    await viewer.ask({ type: "prompt", message: "crash" });
    await viewer.state("failed");
    expect(await turn(viewer, "say back")).toBe("back");
  });

  it.each(["agent", "resumes"])(
    "[I12] a session is resumed by the next process (%s), without its history appearing twice",
    async (worker) => {
      await using viewer = await openSession(server, { worker });
      await turn(viewer, "say first");
      const id = String(viewer.session?.id);
      await server.call("POST", `/api/sessions/${id}/stop`);
      await viewer.state("stopped");
      expect(await turn(viewer, "recall")).toBe("ask; say first");
      expect(JSON.stringify(viewer.transcript)).not.toContain("replayed");
      expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
      await using late = await attach(server, id);
      expect(late.transcript.messages).toEqual(viewer.transcript.messages);
    },
  );

  it("[I13] unknown updates of a newer agent and noise on its output break nothing; a flood arrives whole", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "newer")).toBe("still here");
    expect(await turn(viewer, "noise")).toBe("clean");
    expect(JSON.stringify(viewer.frames)).not.toContain("forged");
    const expected = Array.from({ length: 20_000 }, (_none, index) => `${index} `).join("");
    expect((await turn(viewer, "flood 20000")) === expected).toBe(true);
  });
});
