// What a worker writes reaches every viewer complete, in order, byte for byte.
import { describe, expect, it } from "vitest";
import { openSession, startActor, useSharedActor } from "../../support/actor.ts";

const answer = (frames: string[]): string =>
  frames
    .flatMap((frame) => {
      const value = JSON.parse(frame) as { type: string; delta?: string };
      return value.type === "text_delta" ? [value.delta ?? ""] : [];
    })
    .join("");

describe("relay", () => {
  it("[R1] 1,000,000 deltas of 60 bytes arrive complete and in order", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.countOnly();
    const before = viewer.seq;
    const response = await viewer.ask({ type: "prompt", message: "flood 1000000 60" });
    expect(response.success).toBe(true);
    await viewer.state("busy");
    await viewer.state("idle"); // TestViewer throws at the first gap in the numbers
    // user_message, turn_start, assistant_start, turn_end and done frame the deltas
    expect(viewer.seq - before).toBe(1_000_005);
  });

  it("[R2] the content of a flood is what the worker wrote, byte for byte", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "flood 20000 60" });
    await viewer.until(() => viewer.frames.at(-1) === '{"type":"done"}');
    const deltas = viewer.frames.filter((frame) => frame.startsWith('{"type":"text_delta"'));
    expect(deltas).toHaveLength(20_000);
    deltas.forEach((frame, index) => {
      expect(frame).toHaveLength(59);
      expect(frame).toContain(`"delta":"${index} x`);
    });
  });

  it("[R3] U+2028 and U+2029 do not split a line", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const line = `{"type":"text_delta","delta":"a\u2028b\u2029c"}`;
    await viewer.ask({ type: "prompt", message: `raw ${JSON.stringify(`${line}\n`)}` });
    await viewer.state("idle");
    expect(viewer.frames).toContain(line);
  });

  it("[R4] an emoji split across writes arrives whole", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const bytes = Buffer.from('{"type":"text_delta","delta":"go 🚀!"}\n');
    const middle = bytes.indexOf(Buffer.from("🚀")) + 2;
    const parts = [bytes.subarray(0, middle), bytes.subarray(middle)].map((part) => part.toString("hex"));
    await viewer.ask({ type: "prompt", message: `bytes ${parts.join(",")}` });
    await viewer.state("idle");
    expect(answer(viewer.frames)).toBe("go 🚀!");
  });

  it("[R5] CRLF is relayed as written and read as one line", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({
      type: "prompt",
      message: `raw ${JSON.stringify('{"type":"text_delta","delta":"x"}\r\n\r\n')}`,
    });
    await viewer.state("idle");
    expect(viewer.frames).toContain('{"type":"text_delta","delta":"x"}\r');
  });

  it("[R6] a line of 10 MB arrives whole", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "line 10000000" });
    await viewer.state("idle");
    expect(answer(viewer.frames)).toHaveLength(10_000_000);
  });

  it("[R7] bytes that are not UTF-8 become U+FFFD and the socket lives on", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const bytes = Buffer.concat([
      Buffer.from('{"type":"text_delta","delta":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n'),
    ]);
    await viewer.ask({ type: "prompt", message: `bytes ${bytes.toString("hex")}` });
    await viewer.state("idle");
    expect(answer(viewer.frames)).toBe("\ufffd");
  });

  it("[R8] a line over the limit ends the worker with a reason", async () => {
    await using server = await startActor({ limits: { worker_line_bytes: 1_000_000 } });
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "line 2000000" });
    const session = await viewer.state("failed");
    expect(session.reason).toContain("a line that is too long");
    expect((await viewer.ask({ type: "prompt", message: "say again" })).success).toBe(true);
    await viewer.state("idle");
  });

  it("[R9] noise between frames is left out, unknown frames are relayed", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server, { worker: "noisy" });
    await viewer.ask({ type: "prompt", message: "say hi" });
    await viewer.state("idle");
    expect(viewer.frames).toContain('{"type":"from_the_future","shiny":true}');
    expect(viewer.frames.some((frame) => frame.includes("debug"))).toBe(false);
    expect(viewer.frames).toContain('{"type":"usage","input":"many"}'); // unreadable, but not ours to drop
    expect(viewer.session?.usage.input).toBe(0);
    await server.logged("debug: thinking hard");
  });
});
