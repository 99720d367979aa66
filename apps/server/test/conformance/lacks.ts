// What several peers cannot do, with the capability that their sessions must then not claim.
import type { Peer } from "./peer.ts";

type Lacks = Peer["lacks"];

const withoutQuestions = { because: "zot rpc has no questions", capability: "approvals" };
export const noQuestions = {
  "abort question": withoutQuestions,
  "question answered": withoutQuestions,
  "question timed out": withoutQuestions,
} satisfies Lacks;

const withoutThinking = { because: "zot does not report what a model thinks", capability: "thinking" };
export const noThinking = { thinking: withoutThinking, "abort thinking": withoutThinking } satisfies Lacks;

const ownRetries = {
  because: "it does not report its retries",
  capability: "auto_retry",
};
/** zot tries connections and 502 to 504 again, silently, and a 429 not at all. */
const noRetries = {
  because: "zot does not try a call again that was turned away (429)",
  capability: "auto_retry",
};
export const noRetryOf429 = { retry: noRetries, "abort retry": noRetries } satisfies Lacks;

export const silentRetries = { retry: ownRetries, "abort retry": ownRetries } satisfies Lacks;

export const noCompaction = (because: string) =>
  ({
    compact: { because, capability: "compact" },
    "abort compaction": { because, capability: "compact" },
  }) satisfies Lacks;

/** So there is no moment to stop in the middle of a call. */
export const wholeCalls = {
  "abort call": { because: "a tool call is reported when it is complete" },
} satisfies Lacks;

export const noBranches = {
  branches: { because: "it cannot go back to before a prompt", capability: "branch" },
} satisfies Lacks;

export const notStaged = { because: "it writes no frame that we do not know" };
