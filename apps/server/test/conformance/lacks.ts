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

export const silentRetries = {
  retry: { because: "its retries are its own affair, and nothing tells of them", capability: "auto_retry" },
} satisfies Lacks;

export const notStaged = { because: "it writes no frame that we do not know" };
