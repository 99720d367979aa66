// What a worker streamed and never said again as a message is found all the same: on a real server, with a worker that
// is killed, one that is stopped, and one that only ever streams.
import { describe, expect, it } from "vitest";
import { openSession, startActor, useSharedActor } from "../support/actor.ts";
import { eventually, forgetSearch, type Hit, search } from "../support/searching.ts";

type Viewer = Awaited<ReturnType<typeof openSession>>;

const time = "2026-01-01T00:00:00Z";
const text = (delta: string) => ({ type: "text_delta", delta });
/** Split within words, so that the prompt that asks for it has none of them. */
const streamed = [
  { type: "thinking_delta", delta: "some pome" },
  { type: "thinking_delta", delta: "granate" },
  text("an unus"),
  text("ual kum"),
  text("quat"),
  { type: "tool_use_start", id: "c1", name: "bash" },
  { type: "tool_use_args", id: "c1", delta: '{"command":"peel lit' },
  { type: "tool_use_args", id: "c1", delta: 'chi"}' },
];
const frames = (word: "frames" | "hangframes", given: object[]): string => `${word} ${JSON.stringify(given)}`;

const streaming = (viewer: Viewer): Promise<void> =>
  viewer.until(() => viewer.transcript.partial?.tools[0]?.args_text.endsWith("}") === true);

const kinds = (hits: readonly Hit[]): string[] => hits.map(({ kind }) => kind);

describe("answers that no message settles", () => {
  it("[L70] are found when their worker was killed, was stopped, or says nothing twice; after kill -9 of the server, too", async () => {
    await using server = await startActor();
    const found = (q: string) => search(server, { q, kind: "answer,tool" });
    const count = (q: string, hits: number) =>
      eventually(
        () => found(q),
        (now) => now.length >= hits,
      );
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: frames("hangframes", streamed) });
    await streaming(viewer);
    process.kill(Number(viewer.session?.pid), "SIGKILL");
    await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "unkept"));
    const [killed] = await count("kumquat", 1);
    const asked = viewer.transcript.messages[0]?.time;
    expect(killed).toMatchObject({ session: viewer.session?.id, kind: "answer", time: asked });
    expect(kinds(await found("litchi"))).toEqual(["tool"]);
    expect(await found("pomegranate")).toEqual([]);

    await viewer.ask({ type: "prompt", message: frames("hangframes", streamed) });
    await streaming(viewer);
    await viewer.ask({ type: "abort" });
    await count("kumquat", 2);

    await viewer.ask({ type: "prompt", message: frames("frames", streamed) });
    await count("kumquat", 3);

    await viewer.ask({ type: "prompt", message: frames("hangframes", streamed) });
    await streaming(viewer);
    await server.kill();
    await server.start();
    expect(kinds(await count("kumquat", 4))).toEqual(["answer", "answer", "answer", "answer"]);
    expect(kinds(await count("litchi", 4))).toEqual(["tool", "tool", "tool", "tool"]);
  });

  it("[L70] are found once when a message comes after all, and not when the model was called again instead", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const call = { id: "c1", name: "bash", args: { command: "peel litchi" } };
    const content = [
      { type: "text", text: "an unusual kumquat" },
      { type: "tool_call", ...call },
    ];
    await viewer.ask({
      type: "prompt",
      message: frames("frames", [
        ...streamed,
        { type: "assistant_message", content, time },
        { type: "tool_call", ...call },
        { type: "turn_end", stop: "tool_use" },
        { type: "tool_progress", id: "c1", text: "peeling" },
        { type: "tool_result", id: "c1", is_error: false, content: [{ type: "text", text: "peeled" }] },
        { type: "turn_start", step: 2 },
        text("a quin"),
        text("ce"),
        { type: "auto_retry_start", attempt: 1, maxAttempts: 2, delayMs: 1, errorMessage: "busy" },
        text("a med"),
        text("lar"),
      ]),
    });
    const found = (q: string) => search(server, { q, kind: "answer,tool" });
    await eventually(
      () => found("medlar"),
      (hits) => hits.length > 0,
    );
    expect(kinds(await found("kumquat"))).toEqual(["answer"]);
    expect(kinds(await found("litchi"))).toEqual(["tool"]);
    expect(await found("quince")).toEqual([]);
    await server.call("POST", `/api/sessions/${viewer.session?.id}/stop`);
    expect(kinds(await found("medlar"))).toEqual(["answer"]);
  });

  it("[L70] are found again from what is left of finished turns, and forgotten with their session", async () => {
    await using server = await startActor({ limits: { replay_bytes: 1_000 } });
    await using viewer = await openSession(server);
    const id = viewer.session?.id ?? "";
    const say = async (given: object[]): Promise<void> => {
      const before = viewer.transcript.marks.filter(({ kind }) => kind === "turn").length;
      await viewer.ask({ type: "prompt", message: frames("frames", given) });
      await viewer.until(() => viewer.transcript.marks.filter(({ kind }) => kind === "turn").length > before);
    };
    await say(streamed);
    for (let turn = 0; turn < 6; turn++) await say([text("x".repeat(1_500))]);
    await server.call("POST", `/api/sessions/${id}/stop`);
    await server.kill();
    forgetSearch(server.home);
    await server.start();
    const found = () => search(server, { q: "kumquat", kind: "answer" });
    expect(await eventually(found, (hits) => hits.length > 0)).toHaveLength(1);
    await using again = await openSession(server);
    await again.ask({ type: "prompt", message: frames("hangframes", streamed) });
    await streaming(again);
    await again.ask({ type: "abort" });
    await eventually(found, (hits) => hits.length === 2);
    await server.call("DELETE", `/api/sessions/${again.session?.id}`);
    expect(await found()).toHaveLength(1);
  });

  it("[L70] what a person's command had written is found when its worker ends before it does", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const begun = [
      { type: "bash_start", id: "b1", command: "make jam", time },
      { type: "bash_output", id: "b1", text: "stirring dam" },
      { type: "bash_output", id: "b1", text: "sons" },
    ];
    await viewer.ask({ type: "prompt", message: frames("hangframes", begun) });
    await viewer.until(() => viewer.transcript.bash[0]?.output.endsWith("sons") === true);
    process.kill(Number(viewer.session?.pid), "SIGKILL");
    const [hit] = await eventually(
      () => search(server, { q: "damsons", kind: "command" }),
      (hits) => hits.length > 0,
    );
    expect(hit?.snippet.map((piece) => piece.text).join("")).toContain("make jam stirring damsons");
  });
});
