// Branches in the fold: going back to a prompt, walking the tree, and a simple model that the fold must equal.
import {
  branchPoints,
  contextMessages,
  describeBranches,
  emptyTranscript,
  type Frame,
  firstBranch,
  foldTranscript,
  messagesOf,
  messageText,
  type Transcript,
} from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer, done, foldAll, frame, text, time, turnEnd, turnStart, usage, user } from "../make-frames.ts";

const prompt = (words: string, entry_id = words): Frame =>
  frame({ type: "user_message", content: [text(words)], time, entry_id });
const turn = (words: string): Frame[] => [
  prompt(words),
  turnStart(),
  usage(),
  answer(text(`re ${words}`)),
  turnEnd("end"),
  done,
];
const branched = (branch: string, from: string, entry_id: string | null): Frame =>
  frame({ type: "branched", branch, from, entry_id, time });
const switched = (branch: string, from = "?"): Frame =>
  frame({ type: "branch_switched", branch, from, time });
const words = ({ messages }: Pick<Transcript, "messages">): string[] => messages.map(messageText);

/** Walking about changes nothing but which branch was left last. */
const withoutAge = (transcript: Transcript): object => ({
  ...transcript,
  branches: transcript.branches.map((branch) => ({ ...branch, left: 0 })),
});

describe("branches in the fold", () => {
  const trunk = foldAll([...turn("one"), ...turn("two")]);
  const back = foldAll([branched("b", firstBranch, "two")], trunk);
  const other = foldAll(turn("deux"), back);

  it("[F1] `branched` goes back to before the prompt and keeps what came after it as another branch", () => {
    expect(words(back)).toEqual(["one", "re one"]);
    expect(back.branch).toBe("b");
    expect(back.marks).toEqual(trunk.marks.slice(0, 1));
    expect(words(other)).toEqual(["one", "re one", "deux", "re deux"]);
    expect(messagesOf(other, firstBranch)).toEqual(trunk.messages);
    // Nothing is kept twice.
    expect(other.branches.find(({ id }) => id === firstBranch)?.messages.map(messageText)).toEqual([
      "two",
      "re two",
    ]);
  });

  it("[F2] `branch_switched` shows a branch exactly as it was left, as often as one likes", () => {
    const home = foldTranscript(other, switched(firstBranch));
    expect({ ...home, branches: [], usage: null }).toEqual({ ...trunk, branches: [], usage: null });
    const again = foldAll([switched("b"), switched(firstBranch), switched("b")], home);
    expect(withoutAge(again)).toEqual(withoutAge(other));
    expect(words(foldAll(turn("three"), home))).toEqual([
      "one",
      "re one",
      "two",
      "re two",
      "three",
      "re three",
    ]);
  });

  it("[F3] [P43] any interleaving equals a simple tree of whole lists, also through a snapshot", () => {
    const step = fc.record({
      act: fc.constantFrom("turn", "turn", "turn", "back", "walk", "fresh", "bash", "exit", "notice", "load"),
      pick: fc.nat(1000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let made = 0;
        let current = firstBranch;
        let transcript = emptyTranscript;
        const model = new Map<string, string[]>([[firstBranch, []]]);
        const here = (): string[] => model.get(current) ?? [];
        for (const { act, pick } of steps) {
          const frames: Frame[] = [];
          if (act === "turn") {
            const name = `p${++made}`;
            frames.push(...turn(name));
            model.set(current, [...here(), name, `re ${name}`]);
          } else if (act === "bash") {
            const id = `c${++made}`;
            frames.push(frame({ type: "bash_start", id, command: id, time }));
            frames.push(
              frame({
                type: "bash_end",
                id,
                command: id,
                output: "o",
                exit_code: 0,
                cancelled: false,
                truncated: false,
                time,
              }),
            );
            model.set(current, [...here(), `$ ${id}`]);
          } else if (act === "load") {
            const name = `l${++made}`;
            frames.push(
              frame({
                type: "messages_loaded",
                messages: [{ role: "user", content: [text(name)], time, entry_id: name }],
              }),
            );
            model.set(current, [...here(), name]);
          } else if (act === "exit") frames.push(frame({ type: "worker", event: "exited", time }));
          else if (act === "notice") {
            frames.push(frame({ type: "ext_notify", extension: "x", level: "info", message: "m" }));
          } else if (act === "walk") {
            const ids = transcript.branches.map(({ id }) => id);
            const next = ids[pick % ids.length] ?? current;
            frames.push(switched(next, current));
            current = next;
          } else {
            const prompts = here().filter((line) => /^[pl]\d/.test(line));
            const entry = act === "fresh" ? null : (prompts[pick % prompts.length] ?? null);
            const next = `b${++made}`;
            frames.push(branched(next, current, entry));
            model.set(next, entry === null ? [] : here().slice(0, here().indexOf(entry)));
            current = next;
          }
          transcript = foldAll(frames, JSON.parse(JSON.stringify(transcript)));
          expect(transcript.branch).toBe(current);
          expect(said(transcript.messages)).toEqual(here());
        }
        for (const { id } of transcript.branches)
          expect(said(messagesOf(transcript, id))).toEqual(model.get(id));
        // A branch that is gone said nothing that another one does not say.
        const known = new Set(transcript.branches.map(({ id }) => id));
        for (const [id, list] of model) {
          if (known.has(id)) continue;
          const lives = [...known].some((other) =>
            (model.get(other) ?? []).join("\n").startsWith(list.join("\n")),
          );
          expect(lives).toBe(true);
        }
        const kept = transcript.branches.reduce((sum, { messages }) => sum + messages.length, 0);
        expect(transcript.messages.length + kept).toBe(
          sizeOfTree([...known].map((id) => model.get(id) ?? [])),
        );
        const points = branchPoints(transcript);
        expect(points.map(({ at, branches }) => [at, branches.length])).toEqual(
          forks(
            [...known].map((id) => model.get(id) ?? []),
            here(),
          ),
        );
        for (const { branches, chosen } of points) expect(branches[chosen]).toBe(current);
      }),
      { numRuns: 300 },
    );
  });

  it("[F4] a branch point has each way once, the oldest first; of several branches on one way the last shown", () => {
    const third = foldAll([branched("c", "b", "deux"), ...turn("drei")], other);
    expect(branchPoints(third)).toEqual([{ at: 2, branches: [firstBranch, "b", "c"], chosen: 2 }]);
    const nested = foldAll([...turn("vier"), branched("d", "c", "vier"), ...turn("fünf")], third);
    expect(branchPoints(nested)).toEqual([
      { at: 2, branches: [firstBranch, "b", "d"], chosen: 2 },
      { at: 4, branches: ["c", "d"], chosen: 1 },
    ]);
    const home = foldTranscript(nested, switched(firstBranch));
    expect(branchPoints(home)).toEqual([{ at: 2, branches: [firstBranch, "b", "d"], chosen: 0 }]);
    expect(describeBranches(home)).toMatchObject({
      branch: firstBranch,
      branches: [
        { branch: firstBranch, parts_at: 4, message_count: 4, text: "one" },
        { branch: "b", parts_at: 2, message_count: 4, text: "deux" },
        { branch: "c", parts_at: 2, message_count: 6, text: "drei" },
        { branch: "d", parts_at: 2, message_count: 6, text: "drei" },
      ],
    });
  });

  it("[F5] going back gives no money back", () => {
    expect(back.usage).toEqual(trunk.usage);
    expect(foldTranscript(other, switched(firstBranch)).usage.cost_usd).toBeCloseTo(0.0126);
    expect(foldAll([branched("n", "b", null)], other).usage).toEqual(other.usage);
  });

  it("[F6] a branch on which nothing was said is forgotten when it is left, and its neighbours stay", () => {
    const left = foldAll([switched(firstBranch)], back);
    expect(left.branches).toEqual(trunk.branches);
    const both = foldAll([branched("x", "b", "one"), branched("y", "x", null), switched("b")], other);
    expect(both.branches.map(({ id }) => id)).toEqual([firstBranch, "b"]);
    expect(messagesOf(both, firstBranch)).toEqual(trunk.messages);
  });

  it("[F7] an unknown prompt, an unknown branch and a branch made twice change nothing", () => {
    expect(foldTranscript(other, branched("z", "b", "never said"))).toBe(other);
    expect(foldTranscript(other, switched("nowhere"))).toBe(other);
    expect(foldTranscript(other, branched(firstBranch, "b", "one"))).toBe(other);
    expect(foldTranscript(other, switched("b"))).toBe(other);
    const loop = other.branches.map((branch) => ({
      ...branch,
      shares: { with: branch.id === "b" ? firstBranch : "b", messages: 0, marks: 0 },
    }));
    const hostile = { ...other, branches: loop };
    expect(foldTranscript(hostile, switched(firstBranch))).toBe(hostile);
  });

  it("[F8] the context goes back too: how full it is, and what a compaction had summed up", () => {
    const compacted = foldAll([frame({ type: "compact_done", summary: "s", kept: 2 })], trunk);
    expect(compacted.context_tokens).toBeNull();
    const before = foldTranscript(compacted, branched("b", firstBranch, "two"));
    expect(before.context_tokens).toBe(
      trunk.marks[0]?.kind === "turn" ? trunk.marks[0].context_tokens : null,
    );
    expect(before.context_tokens).toBe(904);
    expect(contextMessages(before).map(messageText)).toEqual(["one", "re one"]);
    const home = foldTranscript(before, switched(firstBranch));
    expect(contextMessages(home).map(messageText)[0]).toContain("s");
  });

  it("[F9] messages that were loaded from a file stand where they came, and a turn that was open is over", () => {
    const open = foldAll([user("still running"), turnStart()], trunk);
    const loaded = foldAll(
      [
        branched("n", firstBranch, null),
        frame({
          type: "messages_loaded",
          messages: [{ role: "user", content: [text("from a file")], time }],
        }),
        frame({ type: "messages_loaded", messages: [] }),
      ],
      open,
    );
    expect(words(loaded)).toEqual(["from a file"]);
    expect(loaded.partial).toBeNull();
    expect(words(foldTranscript(loaded, switched(firstBranch)))).toContain("still running");
  });
});

/** The model's words for messages: a command is told by its first block. */
const said = (messages: Transcript["messages"]): string[] =>
  messages.map((message) =>
    message.bash === undefined ? messageText(message) : `$ ${message.bash.command}`,
  );

/** How many different prefixes there are: the number of messages in the tree. */
function sizeOfTree(lists: string[][]): number {
  return new Set(lists.flatMap((list) => list.map((_, at) => list.slice(0, at + 1).join("\n")))).size;
}

/** For each place on the shown list, how many different next words there are (none counts for the shown one). */
function forks(lists: string[][], shown: string[]): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at <= shown.length; at++) {
    const nexts = new Set<string | undefined>([shown[at]]);
    for (const list of lists) {
      if (list.length > at && list.slice(0, at).join("\n") === shown.slice(0, at).join("\n"))
        nexts.add(list[at]);
    }
    if (nexts.size > 1) found.push([at, nexts.size]);
  }
  return found;
}
