// What every worker must do, whatever its protocol: the scenarios, and what a viewer sees of them. Nothing here knows a dialect.
import type { TestViewer } from "@patchbay/testing/socket-client";
import { expect } from "vitest";
import { turn, turns } from "../machine/dialects/recorded.ts";
import type { Peer } from "./peer.ts";
import {
  abort,
  allow,
  answers,
  endless,
  goesOn,
  has,
  idle,
  long,
  run,
  type Scenario,
  saysThen,
  streamed,
  thoughts,
  tools,
} from "./watching.ts";

export const scenarios = {
  text: {
    does: "[Y1] text streams, and is kept as it was streamed",
    steps: [{ say: ["Hello ", "there, ", "person."] }],
    async run(play) {
      await run(play);
      expect(streamed(play.viewer, "text_delta")).toBe(answers(play.viewer));
    },
  },
  thinking: {
    does: "[Y1] thinking streams as thinking",
    steps: [{ think: "Let me see." }, { say: ["I see."] }],
    async run(play) {
      await run(play);
      const last = play.viewer.transcript.messages.at(-1);
      expect(last && thoughts(last)).not.toBe("");
      expect(streamed(play.viewer, "thinking_delta")).toBe(last && thoughts(last));
    },
  },
  tool: {
    does: "[Y2] a tool call, its result, and the answer after it",
    steps: [{ run: ["echo one"] }, { say: ["It ran."] }],
    run: (play) => tools(play, 1),
  },
  "parallel tools": {
    does: "[Y2] two tools of one step: each call and each result once, in the order of the calls",
    steps: [{ run: ["echo one", "echo two"] }, { say: ["Both ran."] }],
    run: (play) => tools(play, 2),
  },
  "abort before": abort({
    phase: "before the first frame of an answer",
    steps: [{ wait: true }],
    isThere: (came) => came("user_message"),
    isUnanswered: true,
  }),
  "abort thinking": abort({
    phase: "while it thinks",
    steps: [{ think: "Let me see." }, { wait: true }],
    isThere: (came) => came("thinking_delta"),
  }),
  "abort text": abort({
    phase: "in the middle of a text",
    steps: [{ say: ["One ", "two "] }, { wait: true }],
    isThere: (came) => came("text_delta"),
  }),
  "abort tool": abort({
    phase: "while a tool runs",
    steps: [{ run: [endless] }],
    isThere: (came, viewer) => came("tool_call") && viewer.session?.state !== "waiting",
  }),
  "abort question": abort({
    phase: "with a question open",
    steps: [{ ask: true }, { wait: true }],
    isThere: (_came, viewer) => viewer.session?.pending.length === 1,
  }),
  "abort call": abort({
    phase: "while it writes a tool call",
    steps: [{ say: ["I run it. "] }, { calls: "echo never" }],
    isThere: (came) => came("tool_use_args"),
  }),
  "abort retry": abort({
    phase: "in the pause before a retry",
    steps: [{ pause: true }],
    isThere: (came, _viewer, peer) => came("auto_retry_start") || peer.isPausing?.() === true,
    isUnanswered: true,
  }),
  "abort compaction": {
    does: "[Y3] an abort while it compacts ends the compaction, which cost something, and the next prompt runs",
    steps: [{ say: ["Something ", "to sum up."] }, { slow: true }],
    async run(play) {
      const { viewer, prompt, peer } = play;
      for (let count = 0; count < peer.turnsToCompact; count++) await turn(viewer, prompt);
      await idle(viewer, peer.turnsToCompact);
      const before = viewer.transcript.messages;
      expect(await viewer.ask({ type: "compact" })).toMatchObject({ success: true });
      await viewer.state("busy");
      expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
      await viewer.state(peer.ignoresAbortCompacting ? "stopped" : "idle");
      expect(viewer.transcript.messages).toEqual(before);
      const { marks } = viewer.transcript;
      expect(marks.filter(({ kind }) => kind === "compaction")).toEqual([]);
      // It was stopped: no error, and the last turn is what it was.
      expect(marks.filter(({ kind }) => kind === "error")).toEqual([]);
      expect(viewer.session?.last_turn).toBe("done");
      if (peer.ignoresAbortCompacting) expect(JSON.stringify(marks)).toContain("did not stop within");
      await goesOn(play);
    },
  },
  queue: {
    does: "[Y4] a prompt while one runs waits in the queue, and runs then",
    steps: [{ say: ["One ", "two "] }, { wait: true }],
    async run(play) {
      const { viewer, prompt, peer } = play;
      await viewer.ask({ type: "prompt", message: prompt });
      await viewer.until(() => has(viewer, "text_delta"));
      const next = peer.line("text", [{ say: ["Now ", "me."] }]);
      const waits = await viewer.ask({ type: "prompt", message: next.prompt });
      expect(waits).toMatchObject({ success: true, data: { queued: true } });
      await viewer.line(
        (line) =>
          line.type === "queue" && JSON.stringify(line).includes(JSON.stringify(next.prompt).slice(1, -1)),
      );
      await viewer.ask({ type: "abort" });
      await idle(viewer, 2);
      expect(turns(viewer).map(({ stop }) => stop)).toEqual(["aborted", "end"]);
      expect(answers(viewer)).toEqual(saysThen(next.says));
    },
  },
  compact: {
    does: "[Y5] a compaction ends with its summary, is counted, and the next prompt runs",
    steps: [{ say: ["Something ", "to sum up."] }],
    async run(play) {
      const { viewer, prompt, peer } = play;
      for (let count = 0; count < peer.turnsToCompact; count++) await turn(viewer, prompt);
      await idle(viewer, peer.turnsToCompact);
      expect(viewer.session?.capabilities).toContain("compact");
      expect(await viewer.ask({ type: "compact" })).toMatchObject({ success: true });
      await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "compaction"));
      const mark = viewer.transcript.marks.find(({ kind }) => kind === "compaction");
      expect(Object(mark)["summary"]).not.toBe("");
      const spent = viewer.frames
        .map((frame) => JSON.parse(frame))
        .filter(({ type, purpose }) => type === "usage" && purpose === "compaction");
      expect(spent).toHaveLength(1);
      expect(spent[0].cost_usd > 0 || spent[0].unpriced === 1).toBe(true);
      await viewer.until(() => viewer.session?.state === "idle");
      await goesOn(play);
    },
  },
  "error 401": {
    does: "[Y7] a refused key is an error of the turn, in a sentence, and the session continues",
    steps: [{ fail: true }],
    async run(play) {
      await turn(play.viewer, play.prompt);
      await idle(play.viewer, 1);
      expect(turns(play.viewer)).toMatchObject([{ stop: "error" }]);
      expect(turns(play.viewer)[0]?.error).toMatch(/401|key/i);
      await goesOn(play);
    },
  },
  retry: {
    does: "[Y7] a rejected call is retried within the turn",
    steps: [{ retry: true }, { say: ["At last."] }],
    async run(play) {
      await run(play);
      const retries = play.viewer.transcript.marks.filter(({ kind }) => kind === "retry");
      expect(retries).toMatchObject(play.peer.reportsRetries ? [{ outcome: "succeeded" }] : []);
    },
  },
  "large deltas": long(256 * 1024),
  "small deltas": long(1024),
  "U+2028": {
    does: "[Y8] line separators, emoji and quotes arrive as they were",
    steps: [{ say: ["line one\u2028after LS\u2029after PS ", "😀", ' "q" \\ <&>'] }],
    async run(play) {
      await run(play);
      expect(streamed(play.viewer, "text_delta")).toBe(answers(play.viewer));
    },
  },
  "question answered": {
    does: "[Y9] a question reaches the person, and the turn continues with the answer",
    steps: [{ ask: true }, { say: ["Thank you."] }],
    async run(play) {
      const { viewer, prompt, says } = play;
      viewer.send({ type: "prompt", message: prompt });
      await viewer.state("waiting");
      allow(viewer);
      await idle(viewer, 1);
      expect(viewer.session?.pending).toEqual([]);
      expect(answers(viewer)).toEqual(saysThen(says));
      expect(viewer.transcript.marks.find(({ kind }) => kind === "question")).toMatchObject({ by: "viewer" });
    },
  },
  "question timed out": {
    does: "[Y9] a question without an answer is withdrawn when its time is up, and the turn continues",
    steps: [{ ask: 200 }, { say: ["Never mind."] }],
    async run(play) {
      const { viewer, prompt, says } = play;
      viewer.send({ type: "prompt", message: prompt });
      await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "question"));
      await idle(viewer, 1);
      // By the server's clock or the worker's own: whichever is first.
      const asked = viewer.transcript.marks.find(({ kind }) => kind === "question");
      expect(["timeout", "withdrawn"]).toContain(Object(asked)["by"]);
      expect(answers(viewer)).toEqual(saysThen(says));
    },
  },
  killed: {
    does: "[Y10] a worker that is killed ends its turn visibly, and the next prompt runs",
    steps: [{ say: ["One ", "two "] }, { wait: true }],
    async run(play) {
      const { viewer, prompt, peer } = play;
      await viewer.ask({ type: "prompt", message: prompt });
      await viewer.until(() => has(viewer, "text_delta"));
      await peer.kill(viewer);
      await viewer.until(() => turns(viewer).length === 1);
      expect(["interrupted", "error"]).toContain(turns(viewer)[0]?.stop);
      await goesOn(play);
    },
  },
  restarted: {
    does: "[Y13] a worker that starts again has its memory and can go back to prompts, or viewers get a notice that it has not",
    steps: [{ say: ["First."] }],
    async run(play) {
      const { viewer, prompt, peer } = play;
      await turn(viewer, prompt);
      await idle(viewer, 1);
      await peer.stop(viewer);
      await goesOn(play);
      const hasNotice = JSON.stringify(viewer.transcript.marks).includes("does not remember");
      expect(hasNotice).toBe(!peer.remembers);
      const entryId = viewer.transcript.messages[0]?.entry_id;
      if (!peer.remembers || viewer.session?.capabilities.includes("branch") !== true) return;
      expect(await viewer.ask({ type: "branch", entryId })).toMatchObject({ success: true });
      expect(viewer.transcript.messages).toEqual([]);
    },
  },
  branches: {
    does: "[Y14] a worker that starts again can switch to the branches that were left before",
    steps: [{ say: ["First."] }],
    async run(play) {
      const { viewer, prompt, peer } = play;
      await turn(viewer, prompt);
      await idle(viewer, 1);
      const { messages: first, branch } = viewer.transcript;
      const back = { type: "branch", entryId: first[0]?.entry_id };
      expect(await viewer.ask(back)).toMatchObject({ success: true });
      await goesOn(play);
      await peer.stop(viewer);
      await goesOn(play);
      expect(await viewer.ask({ type: "switch_branch", branch })).toMatchObject({ success: true });
      expect(viewer.transcript.messages).toEqual(first);
      await goesOn(play);
      expect(viewer.transcript.messages).toHaveLength(first.length + 2);
    },
  },
  "unknown frames": {
    does: "[Y11] a frame of an unknown type breaks nothing",
    steps: [{ say: ["Before. "] }, { newer: true }, { say: ["After."] }],
    run,
  },
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

/** Plays a scenario with a peer; at the end, a late viewer sees the same. */
export async function playScenario(
  peer: Peer,
  name: ScenarioName,
  late: (id: string) => Promise<TestViewer>,
) {
  const scenario: Scenario = scenarios[name];
  await using viewer = await peer.open(name, scenario.steps);
  await scenario.run({ peer, viewer, ...peer.line(name, scenario.steps) });
  await using other = await late(String(viewer.session?.id));
  expect(other.transcript.messages).toEqual(viewer.transcript.messages);
  expect(other.transcript.marks).toEqual(viewer.transcript.marks);
}
