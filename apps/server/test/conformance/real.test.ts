// The same suite with the real programs and the fake model, where they are installed. Starting one takes seconds, so a
// program's scenarios share one session, which is cleared in between.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replyByScene } from "@patchbay/testing/by-scene";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { promptFor } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import { unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turn, turns } from "../machine/dialects/recorded.ts";
import { attach, openSession } from "../support/actor.ts";
import { findAgent, type RealAgent, startRealAgent, versionOf } from "../support/real-agents.ts";
import {
  noBranches,
  noCompaction,
  noQuestions,
  noRetryOf429,
  noThinking,
  notStaged,
  unseenPause,
  wholeCalls,
} from "./lacks.ts";
import { type Peer, peer } from "./peer.ts";
import { playScenario, scenarioNames, scenarios } from "./scenarios.ts";
import { allow } from "./watching.ts";

/** omp takes most of a minute for 1 MiB in small deltas: its updates repeat the whole message, half a gigabyte. */
const patience = 180_000;

/** A provider's library that has to wait for long does not report it, or its program gives up at once. */
const ownPause = {
  "abort retry": { because: "how long it pauses is its own affair" },
} satisfies Peer["lacks"];

const overAcp = (compaction: string): Partial<Peer> => ({
  reportsRetries: false,
  lacks: {
    "unknown frames": notStaged,
    ...noCompaction(compaction),
    ...unseenPause,
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
            ...ownPause,
          },
        }
      : { lacks: ownPause },
  omp: () => ({
    ignoresAbortCompacting: true, // it reads no command before that is over
    reportsRetries: false,
    lacks: ownPause,
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

const shells: Partial<Record<RealAgent, Parameters<typeof replyByScene>[0]>> = {
  gemini: { tool: "run_shell_command", asks: () => "touch asked" },
  opencode: { tool: "bash", asks: () => "touch asked" },
  claude: { tool: "Bash", asks: () => "touch asked" },
  codex: { tool: "exec_command", asks: () => "touch asked" },
};

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

/** A second try would hide what an agent does not do. */
const onceOnly = { retry: 0 };

describe.each(Object.keys(tables) as RealAgent[])("%s itself", onceOnly, (name) => {
  const program = findAgent(name);
  let model: FakeModel;
  let server: RunningServer;
  let session: string | undefined;
  beforeAll(async () => {
    if (program === undefined) return;
    model = await startFakeModel();
    model.defaultReply = replyByScene(shells[name]);
    server = await startRealAgent(name, program, model);
  }, 120_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  const real = peer(() => server, name, {
    name,
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
      return attach(server, String(session));
    },
  });

  it("[O404] is tried once", ({ task }) => expect(task.retry).toBe(0));

  const here = unless(program === undefined ? "the real agents are not installed (npm run agents)" : null);
  const story = it.for(scenarioNames.map((scenario) => [scenarios[scenario].does, scenario] as const));
  const version = program === undefined ? "" : versionOf(program);
  /** For the table of docs/agents.md. */
  async function noted(scene: string, because: string | undefined, play: () => Promise<void>): Promise<void> {
    const note = (outcome: string) => {
      if (resultsPath === undefined) return;
      const row = { agent: name, version, scene, outcome, ...(because === undefined ? {} : { because }) };
      appendFileSync(resultsPath, `${JSON.stringify(row)}\n`);
    };
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
    model.defaultReply = ({ toolResults }) => ({
      ...(toolResults.length === 0 ? { toolCalls: [call] } : { text: ["Done."] }),
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
    const tool = shells[name]?.tool ?? "bash";
    return { name: tool, args: tool === "exec_command" ? { cmd: command } : { command } };
  };
  const results = (viewer: TestViewer) =>
    viewer.transcript.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block)] : [])),
    );

  it("[Y15] writes a file that is new, in the session's directory", { ...here, timeout: patience }, () =>
    noted("file creation", undefined, async () => {
      await using viewer = await real.open("tool", []);
      const path = join(String(viewer.session?.cwd), `made-by-${name}.txt`);
      await playTool(viewer, writers[name](path, "made here"));
      expect(readFileSync(path, "utf8").trim()).toBe("made here");
      expect(results(viewer)).toHaveLength(1);
    }),
  );

  it("[Y15] shows the text that a command prints", { ...here, timeout: patience }, () =>
    noted("text of tool output", undefined, async () => {
      await using viewer = await real.open("tool", []);
      await playTool(viewer, shell("echo first; echo 'second line'"));
      expect(results(viewer).join()).toMatch(/first\\n+second line/);
    }),
  );

  it("[Y15] counts the tokens of its calls", { ...here, timeout: patience }, () =>
    noted("tokens in the ledger", undefined, async () => {
      await using viewer = await real.open("tool", []);
      const usage = async () => {
        const { body } = await server.call("GET", `/api/usage?group_by=model&session=${viewer.session?.id}`);
        const { rows } = body as { rows: { input: number; output: number }[] };
        return rows.reduce((sum, row) => sum + row.input + row.output, 0);
      };
      const before = await usage();
      await playTool(viewer, shell("echo counted"));
      expect((await usage()) - before).toBeGreaterThanOrEqual(1_000);
    }),
  );

  it(`[Y15] waits for a command of ${longCommandSeconds} seconds`, { ...here, timeout: patience }, () =>
    noted("command over 60 s", undefined, async () => {
      await using viewer = await real.open("tool", []);
      await playTool(viewer, shell(`sleep ${longCommandSeconds}; echo late`));
      expect(results(viewer).join()).toContain("late");
    }),
  );

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
