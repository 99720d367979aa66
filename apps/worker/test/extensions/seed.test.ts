// zot's extension protocol, line by line: each test quotes the lines of zot's documentation that it checks.
import { execFileSync } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "@patchbay/testing/processes";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { dig, only, startRig } from "../rig.ts";
import { commandNames, fixture, globalExtensions, logged, logOf, startWith } from "./kit.ts";

const hasPython = (() => {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.log("skipped: python3 is not installed, so zot's Python quick start is not run");
    return false;
  }
})();

const responds = (response: string, more = ""): string => `
hello();
emit({ type: "register_command", name: "weather", description: "current weather for a city" });
${more}
on("command_invoked", ({ id, name, args }) => emit({ type: "command_response", id, ${response} }));
`;

describe("zot's quick start", () => {
  it(
    "[E10] the Python extension runs unchanged: 'type /hellopy, the agent greets you. Done.'",
    unless(hasPython ? null : "python3 is not installed"),
    async () => {
      await using rig = await startRig();
      await cp(fixture("hello-py"), join(globalExtensions(rig), "hello-py"), { recursive: true });
      rig.model.reply({ text: "Hi 👋" });
      const frames = await rig.worker.prompt("/hellopy");
      expect(dig(only(frames, "user_message")[0], "content", 0, "text")).toBe(
        "Greet me very briefly. Add one emoji.",
      );
      expect(dig(only(frames, "assistant_message")[0], "content", 0, "text")).toBe("Hi 👋");
      const { data } = await rig.worker.ask({ type: "get_commands" });
      expect(dig(data, "commands")).toContainEqual({
        name: "hellopy",
        description: "say hi (python)",
        source: "hello-py",
      });
    },
  );
});

describe("extension → host", () => {
  it('[E11] {"type":"hello","name":"weather","version":"1.0.0","capabilities":["commands"]} is answered with hello_ack', async () => {
    await using rig = await startWith({
      weather: `on("hello_ack", (ack) => { console.error(JSON.stringify(ack)); emit({ type: "ready" }); }); hello();`,
    });
    await commandNames(rig);
    const log = await logged(rig, "weather", '"data_dir"');
    const line = log.split("\n").find((one) => one.startsWith("{"));
    expect(JSON.parse(String(line))).toEqual({
      type: "hello_ack",
      protocol_version: 1,
      zot_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      patchbay_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      provider: "anthropic",
      model: expect.any(String),
      cwd: rig.directory,
      extension_dir: join(globalExtensions(rig), "weather"),
      data_dir: join(globalExtensions(rig), "weather"),
    });
  });

  it('[E11] {"type":"register_command","name":"weather","description":"current weather for a city"} is listed, and announced', async () => {
    await using rig = await startWith({ weather: responds(`action: "noop"`) });
    expect(await commandNames(rig)).toEqual(["weather"]);
    await rig.worker.next("commands_changed");
  });

  it('[E12] "prompt" — submits prompt as a fresh user message; the agent runs a turn against it.', async () => {
    await using rig = await startWith({
      weather: responds(`action: "prompt", prompt: "Show today's weather for " + args + " in one line."`),
    });
    rig.model.reply({ text: "sunny" }, { text: "rain" });
    const frames = await rig.worker.prompt("/weather   berlin  ");
    expect(dig(only(frames, "user_message")[0], "content", 0, "text")).toBe(
      "Show today's weather for berlin in one line.",
    );
    const from = rig.worker.frames.length;
    const answer = await rig.worker.ask({ type: "run_command", name: "weather", args: "rome" });
    expect(answer).toMatchObject({ success: true, data: { action: "prompt" } });
    const turn = await rig.worker.turn(from);
    expect(dig(only(turn, "assistant_message")[0], "content", 0, "text")).toBe("rain");
    expect(await rig.worker.ask({ type: "run_command", name: "weather", start: false })).toMatchObject({
      data: { action: "prompt", text: "Show today's weather for undefined in one line." },
    });
    expect(rig.model.requests).toHaveLength(2);
  });

  it('[E12] "insert" — inserts insert into the editor at the cursor without submitting.', async () => {
    await using rig = await startWith({ weather: responds(`action: "insert", insert: "in Berlin"`) });
    const answer = await rig.worker.ask({ type: "run_command", name: "weather" });
    expect(answer).toMatchObject({ success: true, data: { action: "insert", text: "in Berlin" } });
    expect(await rig.worker.next("ext_insert")).toMatchObject({ extension: "weather", text: "in Berlin" });
  });

  it('[E12] "display" — appends display to the chat as a one-shot styled note. No model call, nothing written to the transcript.', async () => {
    await using rig = await startWith({ weather: responds(`action: "display", display: "12 °C"`) });
    const frames = await rig.worker.prompt("/weather");
    expect(only(frames, "ext_display")).toMatchObject([{ extension: "weather", text: "12 °C" }]);
    expect(only(frames, "user_message")).toEqual([]);
    expect(rig.model.requests).toEqual([]);
    expect(dig(await rig.worker.ask({ type: "get_state" }), "data", "message_count")).toBe(0);
  });

  it('[E12] "noop" — the extension handled it itself (e.g. it pushed notify frames or kicked off background work).', async () => {
    await using rig = await startWith({
      weather: responds(`action: (emit({ type: "notify", level: "success", message: "done" }), "noop")`),
    });
    const frames = await rig.worker.prompt("/weather");
    expect(frames.map(({ type }) => type)).toEqual(["response", "commands_changed", "ext_notify", "done"]);
  });

  it("[E12] If error is non-empty, zot renders it as a red status line regardless of action.", async () => {
    await using rig = await startWith({
      weather: responds(`action: "prompt", prompt: "x", error: "no such city"`),
    });
    expect(await rig.worker.ask({ type: "run_command", name: "weather" })).toMatchObject({
      success: false,
      error: "/weather: no such city",
    });
    const frames = await rig.worker.prompt("/weather");
    expect(only(frames, "error")).toMatchObject([{ message: "/weather: no such city" }]);
    expect(only(frames, "user_message")).toEqual([]);
  });

  it('[E13] {"type":"notify","level":"info","message":"refreshed cache (12 entries)"}: level is one of info, success, warn, error', async () => {
    await using rig = await startWith({
      weather: `
        hello();
        for (const level of ["info", "success", "warn", "error", "purple"])
          emit({ type: "notify", level, message: "refreshed cache (12 entries)" });
        emit({ type: "ready" });`,
    });
    await commandNames(rig);
    const notes = only(rig.worker.frames, "ext_notify");
    expect(notes.map((frame) => frame["level"])).toEqual(["info", "success", "warn", "error", "info"]);
    expect(notes[0]).toMatchObject({ extension: "weather", message: "refreshed cache (12 entries)" });
  });
});

describe("host → extension", () => {
  it('[E11] {"type":"command_invoked","id":"...","name":"weather","args":"berlin"}: args is everything the user typed after the command name, trimmed.', async () => {
    await using rig = await startWith({
      weather: `
        hello();
        emit({ type: "register_command", name: "weather" });
        on("command_invoked", (frame) => emit({ type: "command_response", id: frame.id, action: "display", display: JSON.stringify(frame) }));`,
    });
    const seen = async (message: string): Promise<unknown> =>
      JSON.parse(String(only(await rig.worker.prompt(message), "ext_display")[0]?.["text"]));
    expect(await seen("/weather  in  berlin \n")).toEqual({
      type: "command_invoked",
      id: expect.any(String),
      name: "weather",
      args: "in  berlin",
    });
    expect(await seen("/weather")).not.toHaveProperty("args");
  });

  it("[E14] shutdown: 'Reply with shutdown_ack and then exit.'", async () => {
    await using rig = await startWith({
      weather: `
        hello(); emit({ type: "notify", message: String(process.pid) });
        on("shutdown", () => { console.error("told to go"); emit({ type: "shutdown_ack" }); process.exit(0); });`,
    });
    await commandNames(rig);
    const pid = Number((await rig.worker.next("ext_notify"))["message"]);
    rig.worker.closeInput();
    expect(await rig.worker.exit).toEqual({ code: 0, signal: null });
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(logOf(rig, "weather"), "utf8")).toContain("told to go");
    expect(only(rig.worker.frames, "extension_error")).toEqual([]);
  });
});

describe("the lifecycle", () => {
  it("[E15] 'First-come-first-served: a name already taken … is silently shadowed (logged in the extension's own log file)'", async () => {
    const says = (word: string): string => responds(`action: "display", display: "${word}"`);
    await using rig = await startWith({ a: says("first"), b: says("second") });
    expect(await commandNames(rig)).toEqual(["weather"]);
    const frames = await rig.worker.prompt("/weather");
    expect(only(frames, "ext_display")).toMatchObject([{ extension: "a", text: "first" }]);
    await Promise.any(["a", "b"].map((name) => logged(rig, name, "/weather is also a command of")));
    expect(only(rig.worker.frames, "extension_error")).toEqual([]);
  });

  it("[E15] 'A crashing extension does not bring down zot. The slash command it owned simply stops working'", async () => {
    await using rig = await startWith({
      weather: responds(`action: (console.error("out of umbrellas"), process.exit(3))`),
    });
    expect(await rig.worker.ask({ type: "run_command", name: "weather" })).toMatchObject({
      success: false,
      error: "/weather failed: weather ended before it answered",
    });
    const error = await rig.worker.next("extension_error");
    expect(error).toMatchObject({ event: "exit", extensionPath: join(globalExtensions(rig), "weather") });
    expect(error["error"]).toMatch(
      /exit code 3; last output: out of umbrellas\. \/reload-ext starts it again/,
    );
    expect(await commandNames(rig)).toEqual([]);
    expect(await rig.worker.ask({ type: "reload_extensions" })).toMatchObject({
      success: true,
      data: { extensions: [{ name: "weather", state: "ready", commands: ["weather"], tools: [] }] },
    });
    expect(await commandNames(rig)).toEqual(["weather"]);
  });
});
