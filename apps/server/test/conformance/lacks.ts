// What several peers cannot do, with the capability that their sessions must then not claim.
import type { Peer } from "./peer.ts";

type Lacks = Peer["lacks"];

const asksNobody = { because: "zot rpc asks nobody", capability: "approvals" };
export const noQuestions = {
  "abort question": asksNobody,
  "question answered": asksNobody,
  "question timed out": asksNobody,
} satisfies Lacks;

const doesNotTell = { because: "zot does not tell what a model thinks", capability: "thinking" };
export const noThinking = { thinking: doesNotTell, "abort thinking": doesNotTell } satisfies Lacks;

const ownRetries = {
  because: "its retries are its own affair, and nothing tells of them",
  capability: "auto_retry",
};
export const unseenPause = { "abort retry": ownRetries } satisfies Lacks;
export const silentRetries = { retry: ownRetries, ...unseenPause } satisfies Lacks;

export const noCompaction = (because: string) =>
  ({
    compact: { because, capability: "compact" },
    "abort compaction": { because, capability: "compact" },
  }) satisfies Lacks;

/** Then there is nothing to stop in the middle of it. */
export const wholeCalls = {
  "abort call": { because: "a tool call is told when it is whole" },
} satisfies Lacks;

export const noBranches = {
  branches: { because: "it cannot go back to before a prompt", capability: "branch" },
} satisfies Lacks;

export const notStaged = { because: "it writes no frame that we do not know" };
