// What a viewer sees of a worker that acts, and the shapes that several scenarios share.
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Message, messageText, readFrame } from "@patchbay/protocol";
import { processesBelow, processesMentioning } from "@patchbay/testing/processes";
import type { Step } from "@patchbay/testing/scene";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { afterAll, expect } from "vitest";
import { Updates } from "../../src/sockets/local/updates.ts";
import { turn, turns } from "../machine/dialects/recorded.ts";
import type { Peer, Spent } from "./peer.ts";

export interface Play {
  peer: Peer;
  viewer: TestViewer;
  prompt: string;
  says: string | RegExp;
  /** Of each command: what is requested, and what it prints. */
  ran?: readonly { asked: string; printed: string }[];
}

const ourCommands = ["one", "two"].map((word) => ({ asked: word, printed: word }));

export interface Scenario {
  does: string;
  steps: readonly Step[];
  run(play: Play): Promise<void>;
}

const frames = (viewer: TestViewer): Record<string, unknown>[] =>
  viewer.frames.map((text) => JSON.parse(text) as Record<string, unknown>);
export const has = (viewer: TestViewer, ...types: string[]): boolean =>
  frames(viewer).some(({ type }) => types.includes(String(type)));
export const streamed = (viewer: TestViewer, type: string): string =>
  frames(viewer)
    .map((frame) => (frame["type"] === type ? String(frame["delta"]) : ""))
    .join("");
export const answers = (viewer: TestViewer): string =>
  viewer.transcript.messages
    .flatMap((message) => (message.role === "assistant" ? [messageText(message)] : []))
    .join("");
export const thoughts = ({ content }: Message): string =>
  content.map((block) => (block.type === "thinking" ? block.text : "")).join("");
export const idle = (viewer: TestViewer, count: number): Promise<void> =>
  viewer.until(() => turns(viewer).length >= count && viewer.session?.state === "idle");

export const saysThen = (says: string | RegExp) =>
  says instanceof RegExp ? expect.stringMatching(says) : expect.stringContaining(says);

/** After any failure the session still works. */
export async function goesOn({ viewer, peer }: Play): Promise<void> {
  const before = turns(viewer).length;
  const { prompt, says } = peer.line("text", [{ say: ["Still ", "here."] }]);
  await turn(viewer, prompt);
  await idle(viewer, before + 1);
  expect(turns(viewer).at(-1)).toMatchObject({ stop: "end", error: null });
  expect(answers(viewer)).toEqual(saysThen(says));
}

export async function run({ viewer, prompt, says }: Play): Promise<void> {
  await turn(viewer, prompt);
  await idle(viewer, 1);
  expect(turns(viewer)).toMatchObject([{ stop: "end", error: null }]);
  expect(answers(viewer)).toEqual(saysThen(says));
}

/**
 * Answers yes, in the form that the question has. Where there is a choice, only this once: in a directory that it does not
 * trust, gemini refuses to allow something for longer.
 */
export function allow(viewer: TestViewer): void {
  const [question] = viewer.session?.pending ?? [];
  const options: readonly unknown[] = question?.options ?? [];
  const once = options.find((option) => Object(option)["kind"] === "allow_once") ?? options[0];
  const value = typeof once === "string" ? once : Object(once)["value"];
  const answer = question?.method === "confirm" ? { confirmed: true } : { value };
  viewer.send({ type: "extension_ui_response", id: question?.id, ...answer });
}

export const tools = async (play: Play, count: number): Promise<void> => {
  await run(play);
  const { viewer } = play;
  const framesOf = (type: string) => frames(viewer).filter((frame) => frame["type"] === type);
  const ids = framesOf("tool_call").map(({ id }) => id);
  expect(new Set(ids).size).toBe(count);
  expect(framesOf("tool_result").map(({ id }) => id)).toHaveLength(count);
  expect(viewer.transcript.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  const results = viewer.transcript.messages[2]?.content ?? [];
  expect(results.map((block) => block.type === "tool_result" && block.call_id)).toEqual(ids);
  const output = JSON.stringify(results);
  const asked = JSON.stringify(framesOf("tool_call"));
  const kept = JSON.stringify(viewer.transcript.messages[1]?.content);
  for (const command of (play.ran ?? ourCommands).slice(0, count)) {
    expect(output).toContain(command.printed);
    for (const where of [asked, kept]) expect(where).toContain(command.asked);
  }
};

/** How programs on the local socket hear that turns ended. */
function localEndings(viewer: TestViewer): unknown[] {
  const updates = new Updates();
  return viewer.frames.flatMap((line) => {
    const reading = readFrame(line);
    const update = reading.kind === "frame" ? updates.of(reading.frame) : null;
    return update?.type === "turn_complete" ? [update["outcome"]] : [];
  });
}

/** A command that does not end by itself, and that no other test runs. */
export const endless = `sleep ${600_000 + process.pid}`;

/** Whether frames of these types came since the prompt of the scene. */
type Came = (...types: string[]) => boolean;

interface Moment {
  phase: string;
  steps: readonly Step[];
  /** It is time for the abort. */
  isThere(came: Came, viewer: TestViewer, peer: Peer): boolean;
  /** The model had not answered yet: what the call cost may be nothing. */
  isUnanswered?: boolean;
}

export const abort = ({ phase, steps, isThere, isUnanswered = false }: Moment): Scenario => ({
  does: `[Y3] an abort ${phase} ends the turn as aborted, everywhere, and the next prompt runs`,
  steps,
  async run(play) {
    const { viewer, prompt, peer } = play;
    const session = String(viewer.session?.id);
    const since = viewer.session?.seq ?? 0;
    const before = turns(viewer).length;
    // What an agent starts for its session is there then, and is no process of the turn.
    if (peer.isLive) await goesOn(play);
    const first = turns(viewer).length;
    const running = processesBelow(Number(viewer.session?.pid));
    const spent = await peer.spent(session);
    const from = viewer.frames.length;
    const came: Came = (...types) =>
      frames(viewer)
        .slice(from)
        .some(({ type }) => types.includes(String(type)));
    const isTime = () => isThere(came, viewer, peer);
    // A pause that no frame shows sends no event.
    const until = (holds: () => boolean) =>
      peer.isPausing === undefined ? viewer.until(holds) : waitUntil(holds);

    await viewer.ask({ type: "prompt", message: prompt });
    await until(() => isTime() || viewer.session?.state === "waiting");
    if (!isTime()) allow(viewer); // one that asks before it runs a tool
    await until(isTime);
    expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
    await idle(viewer, first + 1);

    expect(turns(viewer).slice(first)).toMatchObject([{ stop: "aborted", error: null }]);
    expect(viewer.session).toMatchObject({ pending: [], last_turn: "stopped" });
    expect(await peer.listed(session)).toMatchObject({ state: "idle", last_turn: "stopped", pending: [] });
    expect(localEndings(viewer).at(-1)).toBe("cancelled");
    await waitUntil(() => processesMentioning(endless).length === 0);
    await waitUntil(() =>
      processesBelow(Number(viewer.session?.pid)).every((process) => running.includes(process)),
    );
    if (!isUnanswered) expectSpent(await peer.spent(session), spent);
    const results = viewer.transcript.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" && block.is_error ? [block] : [])),
    );
    for (const { details } of results) expect(details).toMatchObject({ stopped: true });

    await goesOn(play);
    expect(viewer.session?.last_turn).toBe("done");
    const told = turns(viewer)
      .slice(before)
      .map(({ stop }) => (stop === "aborted" ? "turn.stopped" : "turn.done"));
    const events = await peer.webhookEvents?.(session, since, told.length);
    if (events !== undefined) expect(events).toEqual(told);
  },
});

/** A call that was stopped is never free by silence: it has a price, an estimate, or counts as one of unknown price. */
function expectSpent(now: Spent, before: Spent): void {
  expect(now.calls).toBeGreaterThan(before.calls);
  const isCounted =
    now.cost_usd > before.cost_usd || now.estimated > before.estimated || now.unpriced > before.unpriced;
  expect(isCounted, JSON.stringify({ before, now })).toBe(true);
}

/** 1 MiB that repeats nothing: some agents stop a model that does. */
const megabyte = Array.from({ length: (1024 * 1024) / 8 }, (_, at) =>
  ((at * 2_654_435_761) % 4_294_967_296).toString(36).padStart(7, "0"),
).join(" ");
const written = (): string => {
  const path = join(tmpdir(), `patchbay-megabyte-${process.pid}.txt`);
  writeFileSync(path, megabyte);
  afterAll(() => rmSync(path, { force: true }));
  return path;
};

export const long = (piece: number): Scenario => ({
  does: `[Y6] 1 MiB in deltas of ${piece / 1024} KiB arrives whole, and little more than it leaves`,
  steps: [{ read: written(), piece }],
  async run({ viewer, prompt, peer }) {
    const before = viewer.frames.length;
    await turn(viewer, prompt);
    await idle(viewer, 1);
    expect(answers(viewer) === megabyte).toBe(true);
    const bytes = viewer.frames.slice(before).reduce((sum, frame) => sum + Buffer.byteLength(frame) + 1, 0);
    expect(bytes).toBeLessThan(peer.bytesPerByte * megabyte.length);
  },
});
