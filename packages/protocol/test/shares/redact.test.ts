// What a visitor of a share link is sent. Each secret is planted wherever such a thing can stand in a transcript, and must not be in the JSON.
import {
  emptyTranscript,
  emptyUiState,
  type Hideable,
  hideable,
  type Message,
  noUsage,
  redact,
  redactText,
  type Transcript,
} from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const time = "2026-11-18T12:00:00+09:00";
const usage = { ...noUsage, input: 81_234_567, cost_usd: 76.543_21 };

/** A transcript that has `planted` in every place of each kind. */
function plant(planted: Record<Hideable | "always", string>): Transcript {
  const { tool_output, paths, thinking, names, always } = planted;
  const by = { person: always, login: always, label: names };
  const diff = `--- a\n+++ b\n+${tool_output}`;
  const result = [{ type: "text" as const, text: `${tool_output} in ${paths}, says ${names}` }];
  const call = {
    type: "tool_call" as const,
    id: always,
    name: "edit",
    args: { path: paths, [names]: [names] },
  };
  const messages: Message[] = [
    {
      ...{ role: "user", time, by, entry_id: always, more: always },
      content: [
        { type: "text", text: `${names}: see ${paths}, it has (${paths}).`, extra: always },
        { type: "text", text: tool_output, mention: paths },
        { type: "image", mime_type: always, bytes: 1, data: always },
      ],
    },
    {
      ...{ role: "assistant", time },
      content: [
        { type: "thinking", text: thinking, signature: always },
        call,
        { type: "text", text: `I read \`${paths}\` for ${names}.` },
      ],
    },
    {
      ...{ role: "tool", time },
      content: [
        {
          ...{ type: "tool_result", call_id: always, is_error: false, content: result, more: always },
          details: { diff, path: paths, other: always },
        },
      ],
    },
    {
      ...{ role: "user", time, by },
      content: [
        { type: "text", text: `ran cat ${paths}` },
        { type: "text", text: tool_output },
      ],
      bash: {
        id: always,
        command: `cat ${paths} # ${names}`,
        exit_code: 0,
        cancelled: false,
        truncated: true,
        full_output_path: always,
        more: always,
      },
    },
  ];
  return {
    ...emptyTranscript,
    messages,
    usage,
    context_tokens: 81_234_567,
    authors: [{ command: "prompt", key: always, by }],
    surface: {
      ...emptyUiState,
      title: always,
      steering: [always],
      statuses: [{ key: always, text: always }],
    },
    branches: [
      ...emptyTranscript.branches,
      {
        id: always,
        shares: { with: "main", messages: 0, marks: 0 },
        messages,
        marks: [],
        context_tokens: 1,
        left: 1,
        agent_session: always,
      },
    ],
    bash: [{ id: always, command: always, time, output: always, ended: null }],
    marks: [
      {
        kind: "turn",
        at: 4,
        stop: "error",
        error: always,
        calls: 1,
        usage,
        model: always,
        context_tokens: 81_234_567,
      },
      { kind: "unkept", at: 4, content: [{ type: "text", text: always }] },
      { kind: "error", at: 4, message: always },
      { kind: "compaction", at: 4, summary: `${tool_output} ${thinking} ${paths} ${names}`, kept: 0, by },
      { kind: "notice", at: 4, source: always, level: "info", text: always },
      {
        kind: "question",
        at: 4,
        id: always,
        method: "select",
        title: always,
        answer: always,
        by: "viewer",
        answered_by: by,
      },
      { kind: "retry", at: 4, attempt: 1, max_attempts: 2, delay_ms: 1, error: always, outcome: "failed" },
      { kind: "worker_exit", at: 4, reason: always, code: 1, signal: null, stderr: always, time },
    ],
    partial: {
      ...{ step: 1, calls: 1, usage, stop: null, error: always, time },
      content: [{ type: "thinking", text: thinking }, call],
      tools: [
        {
          id: always,
          name: "edit",
          state: "done",
          args_text: `${paths} ${always}`,
          args: { path: paths },
          output: tool_output,
          result,
          details: { diff },
        },
      ],
    },
  };
}

const planted = {
  tool_output: "qqOUTPUTqq",
  paths: "qqdir/qqFILEqq.ts",
  thinking: "qqTHOUGHTqq",
  names: "Qqalice Qqsmith",
  always: "qqALWAYSqq",
  costs: "76.54",
};
const given = { names: [], cwd: "/home/qqhome/qqproject" };
const sent = (hidden: readonly Hideable[], transcript = plant(planted)): string =>
  JSON.stringify(redact(transcript, { ...given, hidden }));

describe("a shared transcript", () => {
  it("[X406] never has ids, other branches, controls, questions, errors, notices and stderr", () => {
    fc.assert(
      fc.property(fc.subarray([...hideable]), (hidden) => {
        expect(sent(hidden)).not.toContain("qqALWAYSqq");
      }),
    );
  });

  it.each([
    ["tool_output", ["qqOUTPUTqq"]],
    ["paths", ["qqFILEqq", "qqdir", "qqOUTPUTqq"]],
    ["costs", ["76.54", "81234567"]],
    ["thinking", ["qqTHOUGHTqq"]],
    ["names", ["Qqalice", "Qqsmith"]],
  ] as const)("[X405] with %s hidden lacks it wherever it stands, and has it otherwise", (name, secrets) => {
    const visible = sent([]);
    for (const secret of secrets) expect(visible).toContain(secret);
    fc.assert(
      fc.property(fc.subarray([...hideable]), (others) => {
        const json = sent([...new Set([...others, name])]).toLowerCase();
        for (const secret of secrets) expect(json).not.toContain(secret.toLowerCase());
      }),
    );
  });

  it("[X407] with paths hidden lacks any path and file name in a text, whatever is around it", () => {
    const part = fc.stringMatching(/^[a-z][a-z0-9_-]{2,12}$/u).map((text) => `qz${text}`);
    const path = fc.oneof(
      fc.tuple(part, part).map(([folder, file]) => `${folder}/${file}`),
      fc.tuple(part, part).map(([folder, file]) => `C:\\${folder}\\${file}`),
      fc.tuple(part, fc.constantFrom("ts", "md", "json", "py")).map(([file, ending]) => `${file}.${ending}`),
      part.map((file) => `.${file}`),
      part.map((file) => `~/${file}`),
    );
    const around = fc.constantFrom(
      ["", ""],
      ["(", ")."],
      ["`", "`"],
      ["**", "**"],
      ['"', '",'],
      ["[", "]"],
      ["", ":12:3"],
      ["_", "_"],
      ["", "!"],
    );
    fc.assert(
      fc.property(path, around, (found, [before = "", after = ""]) => {
        const text = redactText(`it is ${before}${found}${after} there`, {
          hidden: ["paths"],
          names: [],
          cwd: "",
        });
        expect(text).not.toContain("qz");
        expect(text).toMatch(/^it is .*\[path\].* there$/u);
      }),
    );
  });

  it("[X407] knows a file without an ending from what tools were given, and the directories of the session", () => {
    const messages: Message[] = [
      {
        role: "assistant",
        time,
        content: [{ type: "tool_call", id: "1", name: "read", args: { path: "deep/Qqmakefile" } }],
      },
      {
        role: "assistant",
        time,
        content: [{ type: "text", text: "**Qqmakefile** of qqproject, e.g. 1/2." }],
      },
    ];
    const json = sent(["paths"], { ...emptyTranscript, messages });
    expect(json).toContain("**[path]** of [path], e.g. 1/2.");
  });

  it("[X408] with names hidden lacks the names of the server's people in any case, their parts and addresses of mail", () => {
    const terms = { hidden: ["names"] as const, names: ["Ada Lovelace", "ada"], cwd: "" };
    expect(redactText("ADA and lovelace (ada@example.org) like adapters", terms)).toBe(
      "[name] and [name] ([name]) like adapters",
    );
  });

  it("[X407] [X408] reads a text once, whatever it is made of", () => {
    const terms = { hidden: ["paths", "names"] as const, names: ["Ada"], cwd: "/home/ada" };
    for (const piece of ["a", ".", "_", "-", "a.", "/", "@", "a@", "!", "Ad"]) {
      const begun = performance.now();
      redactText(`${piece.repeat(200_000)}x y`, terms);
      expect(performance.now() - begun, piece).toBeLessThan(2_000); // where a text is read again from each place, minutes
    }
  });

  it("[X409] keeps the number of messages, pairs calls with results, and gives times in UTC", () => {
    fc.assert(
      fc.property(fc.subarray([...hideable]), (hidden) => {
        const { messages, marks, working } = redact(plant(planted), { ...given, hidden });
        expect(messages).toHaveLength(6);
        expect(marks.map(({ kind }) => kind)).toEqual(["turn", "compaction"]);
        expect(working).toBe(true);
        const ids = messages.flatMap(({ content }) =>
          content.flatMap((block) =>
            block.type === "tool_call" ? [block.id] : block.type === "tool_result" ? [block.call_id] : [],
          ),
        );
        expect(new Set(ids)).toEqual(new Set(["c1"]));
        expect(messages[0]?.time).toBe("2026-11-18T03:00:00.000Z");
      }),
    );
  });
});
