// Sessions that other programs left, continued here: through the real server, with the real built-in worker.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FoundSession, messageText } from "@patchbay/protocol";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { fixtureWorker, type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { importCommand } from "../../../src/cli/import-command.ts";
import { openSession } from "../../support/actor.ts";
import { turn, turns } from "../dialects/recorded.ts";
import { Outside } from "./outside.ts";

const ids = {
  pi: "01a1e471-ee1d-79e1-9cd4-0d70e20305c2",
  omp: "01a1e472-0200-72fe-a8d6-f277839b1a4e",
  zot: "5f0c7c52-0b8e-4f0e-9b0a-6b1f0c3f7a11",
};

async function found(server: RunningServer, cwd: string): Promise<FoundSession[]> {
  const { body } = await server.call("GET", `/api/imports?cwd=${encodeURIComponent(cwd)}`);
  return (body as { sessions: FoundSession[] }).sessions;
}

const usage = async (server: RunningServer) =>
  ((await server.call("GET", "/api/usage")).body as { total: { calls: number; cost_usd: number } }).total;

/** `patchbay import …`, as the command line runs it. */
async function command(
  home: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [join(repository, "dist/server/main.js"), "import", ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (err += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

describe("sessions of other programs", () => {
  it("[Y50] [Y51] [Y54] are listed for their directory, continued by the built-in agent with all their messages, and their costs counted once", async () => {
    await using model = await startFakeModel();
    const env = {
      ANTHROPIC_API_KEY: "sk-ant-test-key-1234567890",
      ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
    };
    await using server = await startServer({ env });
    using outside = new Outside(server.home);
    for (const program of ["pi", "omp", "zot"] as const) outside.record(program, "first");
    mkdirSync(join(server.home, "other"));

    const sessions = await found(server, server.cwd);
    expect(sessions.map(({ program, title }) => `${program} ${title}`).sort()).toEqual([
      "omp greetings",
      "pi greetings",
      "zot greetings",
    ]);
    const pi = sessions.find(({ program }) => program === "pi");
    expect(pi).toMatchObject({
      session: ids.pi,
      first_prompt: "Say hello",
      message_count: 8,
      cost_usd: 0.0204,
      started_at: "2026-11-16T13:00:34.205Z",
      updated_at: "2026-11-16T13:00:35.088Z",
      provider: "fake",
      model: "fake-chat",
      workers: ["builtin"],
    });
    expect(await found(server, join(server.home, "other"))).toEqual([]);
    expect((await server.call("GET", "/api/imports?cwd=/etc")).body).toMatchObject({
      error: { code: "bad_directory" },
    });

    await using viewer = await openSession(server, { import: { program: "pi", session: ids.pi } });
    expect(viewer.session).toMatchObject({ name: "greetings", worker: "builtin", cwd: server.cwd });
    expect(viewer.session?.usage.cost_usd).toBe(0); // nothing has been spent here yet
    const texts = viewer.transcript.messages.map(messageText);
    expect(texts.filter((text) => text !== "" && !text.startsWith("I ran"))).toEqual([
      "Say hello",
      "Hello there.",
      "Run a command",
      "It ran.",
      "Go on",
      "And on.",
    ]);
    expect(
      viewer.transcript.messages.filter(({ bash }) => bash?.command === "echo from the shell"),
    ).toHaveLength(1);
    expect(turns(viewer).map(({ usage, calls, stop }) => [usage.cost_usd, calls, stop])).toEqual([
      [0.0045, 1, "end"],
      [0.01335, 3, "end"],
      [0.00255, 1, "end"],
    ]);
    expect(viewer.transcript.marks.at(-1)).toMatchObject({
      kind: "notice",
      text: "The conversation above took place in pi.",
    });
    expect(await usage(server)).toMatchObject({ calls: 5, cost_usd: 0.0204, unpriced: 1 });

    model.reply({ text: "Here too.", usage: { input: 10, output: 10 } });
    await turn(viewer, "And now?");
    const sent = JSON.stringify(model.requests.at(-1)?.body);
    for (const words of ["To greet.", "Go on", "And on.", "And now?"]) expect(sent).toContain(words);
    await viewer.state("idle");

    // By the page's button, by the command line through this server, and after a restart: once is all.
    const spent = await usage(server);
    expect(spent.calls).toBe(6);
    await server.call("POST", "/api/imports/costs", {});
    const line = await command(server.home, "costs", "--json");
    expect([line.code, line.err]).toEqual([0, ""]);
    expect(JSON.parse(line.out)).toMatchObject({ state: "done", dry_run: false });
    const after = await usage(server);
    expect(after.calls).toBe(spent.calls + 4 + 3); // omp's and zot's
    expect((await server.call("GET", "/api/imports/costs")).body).toMatchObject({
      import: { state: "done" },
    });
    const id = String(viewer.session?.id);
    const before = viewer.transcript.messages;
    await server.kill();
    await server.start();
    await using again = await openSession(server, { import: { program: "zot", session: ids.zot } });
    expect(again.transcript.messages.map(messageText)).toContain("Hello there.");
    expect(again.transcript.marks.find(({ kind }) => kind === "compaction")).toMatchObject({
      summary: "To greet.",
      kept: 1,
    });
    expect(await usage(server)).toEqual(after);
    const messages = (await server.call("GET", `/api/sessions/${id}/messages`)).body as {
      messages: unknown[];
    };
    expect(messages.messages).toEqual(before);
    const session = (await server.call("GET", `/api/sessions/${id}`)).body as {
      session: { usage: { input: number } };
    };
    expect(session.session.usage.input).toBe(10);
    expect((await command(server.home, "costs", "--from", "/etc")).err).toContain("outside the directories");
  });

  it("[Y52] the program itself continues its own file, once; one that cannot is refused with a reason", async () => {
    const recording = join(repository, "testing/transcripts/pi-1.5.0/prompt_text.jsonl");
    await using server = await startServer({
      config: {
        workers: {
          pi: { command: fixtureWorker("replay", recording) },
          zot: { command: fixtureWorker("actor") },
        },
      },
    });
    using outside = new Outside(server.home);
    outside.record("pi", "first");
    outside.record("zot", "first");
    const sessions = await found(server, server.cwd);
    expect(sessions.map(({ program, workers }) => [program, ...workers].join(" ")).sort()).toEqual([
      "pi pi builtin",
      "zot builtin",
    ]);
    await using viewer = await openSession(server, { import: { program: "pi", session: ids.pi } });
    expect(viewer.session).toMatchObject({ worker: "pi", state: "idle" });
    const argv = readFileSync(`/proc/${String(viewer.session?.pid)}/cmdline`, "utf8").split("\0");
    expect(argv[argv.indexOf("--session") + 1]).toBe(outside.path("pi", "first"));
    expect(viewer.transcript.messages).toHaveLength(9);
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");

    const refused = async (wish: object): Promise<string> => {
      const { body } = await server.call("POST", "/api/sessions", wish);
      return (body as { error: { message: string } }).error.message;
    };
    expect(await refused({ worker: "zot", import: { program: "zot", session: ids.zot } })).toContain(
      "zot cannot continue a session of zot. These agents can: builtin.",
    );
    expect(await refused({ import: { program: "pi", session: "none" } })).toContain("has no session none");
    expect(await refused({ worker: "omp", import: { program: "omp", session: "x" } })).toContain(
      "has no session x",
    );
    expect(await refused({ import: { program: "claude", session: "x" } })).toContain("Invalid request");
  });

  it("[Y53] a file full of garbage is imported as far as it can be read, and the rest is counted", async () => {
    await using server = await startServer();
    using outside = new Outside(server.home);
    const entry = (id: string, parentId: string | null, message: unknown): string =>
      JSON.stringify({ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00Z", message });
    const rows = [
      JSON.stringify({
        type: "session",
        version: 3,
        id: "odd",
        cwd: server.cwd,
        timestamp: "2026-01-01T00:00:00Z",
      }),
      entry("a", "c", { role: "user", content: "in a circle \u2028" }),
      "not json",
      entry("b", "a", {
        role: "assistant",
        content: [{ type: "hologram" }, { type: "text", text: "Yes." }],
        usage: { input: -1, output: "x" },
      }),
      entry("x", "a", { role: "assistant", content: [{ type: "text", text: "a way that was left" }] }),
      entry("y", "b", { role: 7 }),
      entry("c", "b", {
        role: "toolResult",
        toolCallId: "nobody's",
        content: [{ type: "image", mimeType: "image/png", data: "AAAA" }],
      }),
      '{"type":"message","id":"d"',
    ];
    outside.write("pi", "odd", rows.join("\n"));
    await using viewer = await openSession(server, { import: { program: "pi", session: "odd" } });
    expect(viewer.transcript.messages.map(messageText).slice(0, 2)).toEqual(["in a circle \u2028", "Yes."]);
    expect(viewer.transcript.marks.at(-1)).toMatchObject({
      kind: "notice",
      level: "warn",
      text: "The conversation above took place in pi. 3 lines of its file could not be read.",
    });
  });

  it("[Y55] without a server the command line writes the ledger itself", async () => {
    using outside = new Outside();
    outside.record("pi", "first", "fork");
    const dry = await command(outside.home, "costs", "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      out: "pi: 2 files, 6 calls would be new, $0.02 (4 already known, 1 unpriced)\n",
    });
    expect((await command(outside.home, "costs")).out).toBe(
      "pi: 2 files, 6 calls new, $0.02 (4 already known, 1 unpriced)\n",
    );
    await expect(importCommand(["sessions"])).rejects.toThrow(
      'Name what to import: "patchbay import costs". Run "patchbay import --help" to see the options.',
    );
  });
});
