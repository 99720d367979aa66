// The same suite with the real programs and the fake model, where they are installed. Starting one takes seconds, so a
// program's scenarios share one session, which is cleared in between.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replyByScene } from "@patchbay/testing/by-scene";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { type Receiver, startReceiver } from "@patchbay/testing/receiver";
import { promptFor } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import { unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { turn, turns } from "../machine/dialects/recorded.ts";
import { attach, openSession } from "../support/actor.ts";
import { findAgent, type RealAgent, shellOf, startRealAgent, versionOf } from "../support/real-agents.ts";
import {
  noBranches,
  noCompaction,
  noQuestions,
  noRetryOf429,
  noThinking,
  notStaged,
  wholeCalls,
} from "./lacks.ts";
import { type Peer, peer, receivedBy, turnEvents } from "./peer.ts";
import { playScenario, scenarioNames, scenarios } from "./scenarios.ts";
import { allow } from "./watching.ts";

/**
 * omp takes most of a minute for 1 MiB in small deltas: its updates repeat the whole message, half a gigabyte. claude tries a
 * refused key again for about three minutes.
 */
const patience = 300_000;

const overAcp = (compaction: string): Partial<Peer> => ({
  reportsRetries: false,
  lacks: {
    "unknown frames": notStaged,
    ...noCompaction(compaction),
    ...wholeCalls,
    ...noBranches,
    "question timed out": { because: "an agent's permission has no time limit" },
  },
});

/** Those that have a command to compact. */
function withoutCompaction({
  compact: _can,
  "abort compaction": _too,
  ...lacks
}: Peer["lacks"] = {}): Peer["lacks"] {
  return lacks;
}

const tables: Record<RealAgent, (version: string) => Partial<Peer>> = {
  pi: (version) =>
    version.startsWith("0.7")
      ? {
          ignoresAbortCompacting: true, // its abort ends an answer but not a compaction
          reportsRetries: false, // the provider's library tries again first
          lacks: {
            "small deltas": {
              because:
                "it repeats the whole message in every update, and dies of its own pipe: write ENOBUFS",
            },
          },
        }
      : {},
  omp: () => ({
    ignoresAbortCompacting: true, // it reads no command before that is over
    reportsRetries: false,
  }),
  zot: () => ({
    bytesPerByte: 2.3,
    remembers: false,
    reportsRetries: false,
    turnsToCompact: 4,
    lacks: {
      "unknown frames": notStaged,
      ...noThinking,
      ...noQuestions,
      ...noRetryOf429,
      ...noBranches,
    },
  }),
  gemini: () => overAcp("ACP has no call for it"),
  opencode: () => overAcp("its ACP has no command for it"),
  claude: () => ({ ...overAcp(""), lacks: withoutCompaction(overAcp("").lacks) }),
  codex: () => ({ ...overAcp(""), lacks: withoutCompaction(overAcp("").lacks) }),
  goose: () => ({ ...overAcp(""), lacks: withoutCompaction(overAcp("").lacks) }),
};

/** gemini 0.61 writes over its record of a session that is loaded in the minute in which it began. */
const nextMinute = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 60_000 - (Date.now() % 60_000)));

/** Where `npm run conformance` reads what came of each scene. */
const resultsPath = process.env["PATCHBAY_CONFORMANCE"];

/** The tool that writes a file, and its arguments, per agent. */
const writers: Record<RealAgent, (path: string, content: string) => { name: string; args: object }> = {
  pi: (path, content) => ({ name: "write", args: { path, content } }),
  omp: (path, content) => ({ name: "write", args: { path, content } }),
  zot: (path, content) => ({ name: "write", args: { path, content } }),
  gemini: (file_path, content) => ({ name: "write_file", args: { file_path, content } }),
  opencode: (filePath, content) => ({ name: "write", args: { filePath, content } }),
  claude: (file_path, content) => ({ name: "Write", args: { file_path, content } }),
  codex: (path, content) => ({ name: "exec_command", args: { cmd: `printf '%s' '${content}' > ${path}` } }),
  goose: (path, file_text) => ({
    name: "developer__text_editor",
    args: { command: "write", path, file_text },
  }),
};

/** Commands that run longer than the time limits of most clients. */
const longCommandSeconds = 61;

/** How many frames of a scene that failed are printed. */
const lastFrames = 12;

/** What an agent lacks of the scenes beside the suite. */
const lacksBeside: Partial<Record<RealAgent, Record<string, string>>> = {
  omp: {
    "command over 60 s":
      "after 60 seconds its model is told that the command runs in the background (`bash.autoBackground`)",
  },
  codex: {
    "command over 60 s": "after ten seconds its model is told that the command still runs, and goes on",
  },
  gemini: {
    "text of tool output":
      "its ACP leaves out what its interactive shell printed; `tools.shell.enableInteractiveShell: false` in its settings shows it",
  },
};

/** A second try would hide what an agent does not do. */
const onceOnly = { retry: 0 };

describe.each(Object.keys(tables) as RealAgent[])("%s itself", onceOnly, (name) => {
  const program = findAgent(name);
  let model: FakeModel;
  let receiver: Receiver;
  let server: RunningServer;
  let session: string | undefined;
  beforeAll(async () => {
    if (program === undefined) return;
    model = await startFakeModel();
    model.defaultReply = replyByScene(shellOf[name]);
    receiver = await startReceiver();
    const webhook = { url: receiver.url, secret_env: "HOOK_SECRET", events: turnEvents };
    server = await startRealAgent(name, program, model, { webhooks: [webhook] });
  }, 120_000);
  afterAll(async () => {
    await noteCapabilities();
    await server?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  const real = peer(() => server, name, {
    name,
    webhookEvents: receivedBy(() => receiver),
    isPausing: () => model.requests.some(({ userText }) => userText.includes('"pause":true')),
    ...tables[name](program === undefined ? "" : versionOf(program)),
    async stop(viewer) {
      if (name === "gemini") await nextMinute();
      await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
      await viewer.state("stopped");
    },
    async open() {
      if (session === undefined) {
        const first = await openSession(
          server,
          name === "pi" || name === "omp" ? { model: "fake/fake-chat" } : {},
        );
        session = first.session?.id;
        await first.close();
      } else {
        await using before = await attach(server, session);
        if (before.session?.state !== "idle") await before.ask({ type: "abort" });
        await before.state("idle", "stopped", "failed");
        await before.ask({ type: "clear" });
      }
      const viewer = await attach(server, String(session));
      // Otherwise nobody knows what a real program did.
      onTestFailed(() => {
        const state = `${name}: ${viewer.session?.state} ${JSON.stringify(viewer.session?.pending)}`;
        const end = viewer.frames.slice(-lastFrames).map((frame) => frame.slice(0, 400));
        process.stderr.write(`${[state, ...end].join("\n")}\n`);
      });
      return viewer;
    },
  });

  it("[O404] is tried once", ({ task }) => expect(task.retry).toBe(0));

  const here = unless(program === undefined ? "the real agents are not installed (npm run agents)" : null);
  const story = it.for(scenarioNames.map((scenario) => [scenarios[scenario].does, scenario] as const));
  const version = program === undefined ? "" : versionOf(program);
  const keep = (row: object) => {
    if (resultsPath === undefined) return;
    appendFileSync(resultsPath, `${JSON.stringify({ agent: name, version, ...row })}\n`);
  };
  /** What the list of agents shows of an agent that has not run there. */
  async function noteCapabilities(): Promise<void> {
    if (session === undefined) return;
    await using viewer = await attach(server, session);
    keep({ capabilities: viewer.session?.capabilities ?? [] });
  }

  /** For the table of docs/agents.md. */
  async function noted(scene: string, because: string | undefined, play: () => Promise<void>): Promise<void> {
    const note = (outcome: string) => keep({ scene, outcome, ...(because === undefined ? {} : { because }) });
    try {
      await play();
      note(because === undefined ? "passes" : "lacks");
    } catch (error) {
      note("fails");
      throw error;
    }
  }

  story("%s", { ...here, timeout: patience }, async ([_does, scenario], { skip }) => {
    const lack = real.lacks[scenario];
    await noted(scenario, lack?.because, async () => {
      if (lack === undefined) return playScenario(real, scenario, (id) => attach(server, id));
      if (lack.capability === undefined) return;
      await using viewer = await real.open(scenario, []);
      await viewer.state("idle", "stopped", "failed");
      expect(viewer.session?.capabilities).not.toContain(lack.capability);
    });
    if (lack !== undefined && lack.capability === undefined) skip(lack.because);
  });

  /** One prompt, for which the model calls a tool and then ends; questions are answered with yes. */
  async function playTool(viewer: TestViewer, call: { name: string; args: object }): Promise<void> {
    const usual = model.defaultReply;
    // omp prompts its model itself when a command in the background is over: only our prompt calls the tool.
    model.defaultReply = ({ userText, toolResults }) => ({
      ...(toolResults.length === 0 && userText.includes("Use the tool")
        ? { toolCalls: [call] }
        : { text: ["Done."] }),
      usage: { input: 1_000, output: 100 },
    });
    try {
      const before = turns(viewer).length;
      await viewer.ask({ type: "prompt", message: `Use the tool (${Date.now()}).` });
      const isOver = () => turns(viewer).length > before && viewer.session?.state === "idle";
      while (!isOver()) {
        await viewer.until(() => isOver() || viewer.session?.state === "waiting");
        if (viewer.session?.state !== "waiting") continue;
        allow(viewer);
        await viewer.until(() => viewer.session?.state !== "waiting");
      }
      expect(turns(viewer).at(-1)).toMatchObject({ stop: "end", error: null });
    } finally {
      model.defaultReply = usual;
    }
  }
  const shell = (command: string) => {
    const { tool = "bash", args } = shellOf[name] ?? {};
    return { name: tool, args: args?.(command) ?? { command } };
  };
  const results = (viewer: TestViewer) =>
    viewer.transcript.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block)] : [])),
    );

  /** A scene beside the suite, which an agent may lack. */
  function beside(scene: string, title: string, play: () => Promise<void>): void {
    it(`[Y15] ${title}`, { ...here, timeout: patience }, async ({ skip }) => {
      const lack = lacksBeside[name]?.[scene];
      await noted(scene, lack, lack === undefined ? play : async () => {});
      if (lack !== undefined) skip(lack);
    });
  }

  beside("file creation", "writes a file that is new, in the session's directory", async () => {
    await using viewer = await real.open("tool", []);
    const path = join(String(viewer.session?.cwd), `made-by-${name}.txt`);
    await playTool(viewer, writers[name](path, "made here"));
    expect(readFileSync(path, "utf8").trim()).toBe("made here");
    expect(results(viewer)).toHaveLength(1);
  });

  beside("text of tool output", "shows the text that a command prints", async () => {
    await using viewer = await real.open("tool", []);
    await playTool(viewer, shell("echo first; echo 'second line'"));
    expect(results(viewer).join()).toMatch(/first\\n+second line/);
  });

  beside("tokens in the ledger", "counts the tokens of its calls", async () => {
    await using viewer = await real.open("tool", []);
    const usage = async () => {
      const { body } = await server.call("GET", `/api/usage?group_by=model&session=${viewer.session?.id}`);
      const { rows } = body as { rows: { input: number; output: number }[] };
      return rows.reduce((sum, row) => sum + row.input + row.output, 0);
    };
    const before = await usage();
    await playTool(viewer, shell("echo counted"));
    expect((await usage()) - before).toBeGreaterThanOrEqual(1_000);
  });

  beside("command over 60 s", `waits for a command of ${longCommandSeconds} seconds`, async () => {
    await using viewer = await real.open("tool", []);
    const begun = performance.now();
    // Claude Code refuses a command that begins with a long sleep.
    await playTool(viewer, shell(`timeout ${longCommandSeconds} tail -f /dev/null; echo late`));
    expect(performance.now() - begun).toBeGreaterThan(longCommandSeconds * 1_000);
    expect(results(viewer).join()).not.toContain('"is_error":true');
  });

  it("[Y13] killed between two turns, it sends the earlier messages to its model", {
    ...unless(real.remembers ? null : "this agent has no memory"),
    ...here,
    timeout: patience,
  }, async () => {
    await using viewer = await real.open("restarted", []);
    await turn(viewer, promptFor([{ say: ["I will keep the word."] }]));
    if (name === "gemini") await nextMinute();
    await real.kill(viewer);
    await turn(viewer, promptFor([{ say: ["Kept."] }]));
    const sent = JSON.stringify(model.requests.at(-1)?.body);
    for (const text of ["I will keep the word.", "Kept."]) expect(sent).toContain(text);
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
  });
});
