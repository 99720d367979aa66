// An answer is kept until its question has ended, and never given to another question.
import {
  emptyTranscript,
  type Mark,
  type Question,
  type SessionInfo,
  type Transcript,
} from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { PendingAnswers } from "../../../src/connection/outgoing/pending-answers.ts";

const asked = (asked_at: string): Question => ({
  type: "extension_ui_request",
  id: "q1",
  method: "confirm",
  title: "Sure?",
  asked_at,
});

const session = (...pending: Question[]): SessionInfo => ({
  id: "a",
  name: "a",
  worker: "actor",
  dialect: "zot",
  cwd: "/",
  provider: "p",
  model: "m",
  state: "waiting",
  job: "prompt",
  message_count: 0,
  seq: 1,
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
  pending,
  viewers: 1,
  created_at: "",
  updated_at: "",
  capabilities: [],
});

const ended = (...answers: (string | null)[]): Transcript => ({
  ...emptyTranscript,
  marks: answers.map(
    (answer): Mark => ({
      kind: "question",
      at: 0,
      id: "q1",
      method: "confirm",
      title: "Sure?",
      answer,
      by: "viewer",
    }),
  ),
});

describe("answers that were given here", () => {
  it("[Q4] are unconfirmed while their question is open, and count when it ended with them", () => {
    const answers = new PendingAnswers();
    answers.add("q1", { confirmed: true }, session(asked("1")), emptyTranscript);
    expect(answers.unconfirmed(session(asked("1")))).toEqual([{ id: "q1", answer: { confirmed: true } }]);
    expect(answers.takeSettled(emptyTranscript)).toEqual([]);
    expect(answers.takeSettled(ended("Yes"))).toEqual([{ id: "q1", supersededBy: null }]);
    expect(answers.hasCounted("q1")).toBe(true);
    expect(answers.unconfirmed(session(asked("1")))).toEqual([]);
  });

  it("[Q4] are not given to another question of the same name, nor settled by an older one", () => {
    const answers = new PendingAnswers();
    answers.add("q1", { confirmed: true }, session(asked("2")), ended("No"));
    expect(answers.takeSettled(ended("No"))).toEqual([]);
    expect(answers.unconfirmed(session(asked("3")))).toEqual([]);
    expect(answers.unconfirmed(session())).toEqual([]);
  });

  it("[Q5] tell how the question ended when it was otherwise", () => {
    const answers = new PendingAnswers();
    answers.add("q1", { confirmed: true }, session(asked("1")), emptyTranscript);
    expect(answers.takeSettled(ended("No"))).toMatchObject([{ id: "q1", supersededBy: { answer: "No" } }]);
    expect(answers.hasCounted("q1")).toBe(false);
  });
});
