// Recordings as peers: what of the suite there is one of, and why the rest cannot be played from one. The texts of the
// prompts are ours, those of the answers are recorded.
import type { RunningServer } from "@patchbay/testing/server-process";
import { type Recorded, turn } from "../machine/dialects/recorded.ts";
import { openSession } from "../support/actor.ts";
import { notStaged } from "./lacks.ts";
import { type Peer, peer } from "./peer.ts";
import type { ScenarioName } from "./scenarios.ts";

const recordings = {
  text: "prompt_text",
  thinking: "prompt_thinking",
  tool: "prompt_tool",
  "parallel tools": "prompt_tool_parallel",
  "abort text": "abort_mid_stream",
  "abort tool": "abort_mid_tool",
  "abort question": "ext_gate_abort",
  queue: "abort_mid_stream",
  "error 401": "error_401",
  retry: "retry_429_then_ok",
  "U+2028": "u2028_emoji",
  "question answered": "ext_gate_allow_deny",
  "question timed out": "ext_ui_timeout",
} satisfies Partial<Record<ScenarioName, string>>;

const notRecorded = { because: "it was not recorded; a program that plays it is in the table too" };
const notOurs = { because: "a long answer was recorded, but not the one that is looked for" };
const ends = { because: "a worker that starts again plays its recording from the start, and knows no more" };
const cannotBePlayed: Peer["lacks"] = {
  "abort before": {
    because:
      "it was recorded with the abort in the line after the prompt, and answers neither before it has both",
  },
  "abort thinking": notRecorded,
  "abort call": notRecorded,
  "abort retry": { because: "abort_retry was recorded, which is another command" },
  "abort compaction": notRecorded,
  compact: notRecorded,
  "large deltas": notOurs,
  "small deltas": notOurs,
  killed: ends,
  restarted: ends,
  branches: ends,
  "unknown frames": notStaged,
};

/** What differs for one of them. */
const own: Record<Recorded, { plays?: Partial<Record<ScenarioName, string>>; lacks?: Peer["lacks"] }> = {
  "pi-0.74.2": { plays: { compact: "compact" } },
  "pi-1.5.0": {
    lacks: {
      compact: { because: "it was recorded with a prompt in the middle of it" },
      "abort compaction": {
        because: "it was recorded with its long lines cut, so that its turns do not end",
      },
    },
  },
  "omp-18.3.4": {
    plays: { "unknown frames": "prompt_text" },
    lacks: { retry: { because: "it waits for half a minute first, and does not report it" } },
  },
};

/** The extension that asks before a tool runs is switched on by a command of its own. */
const gated: ReadonlySet<string> = new Set(["ext_gate_abort", "ext_gate_allow_deny"]);

export function recordedPeer(server: () => RunningServer, name: string, program: Recorded): Peer {
  const { plays = {}, lacks = {} } = own[program];
  const played: Partial<Record<ScenarioName, string>> = { ...recordings, ...plays };
  const missing = Object.entries({ ...cannotBePlayed, ...lacks }).filter(
    ([scenario]) => !(scenario in plays),
  );
  return peer(server, program, {
    name,
    lacks: Object.fromEntries(missing),
    turnsToCompact: 2,
    isLive: false,
    async open(scenario) {
      const recording = played[scenario] ?? "";
      const viewer = await openSession(server(), { worker: `${program}/${recording}` });
      if (gated.has(recording)) await turn(viewer, "/gate");
      return viewer;
    },
    line: (scenario) => ({
      prompt: scenario === "question timed out" ? "/uitimeout" : scenario,
      says: scenario === "question timed out" ? /^$/ : /\w/,
      ...(scenario === "tool" ? { ran: [{ asked: "uname", printed: "Linux" }] } : {}),
    }),
  });
}
