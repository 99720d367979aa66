// Images, thinking and half-written arguments through each provider's real wire format.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dig, only, startRig } from "../rig.ts";

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const cases = [
  { provider: "anthropic", model: "claude-haiku-4-5" },
  { provider: "openai", model: "gpt-4.1" },
  { provider: "google", model: "gemini-2.5-flash" },
  { provider: "openai-compatible", model: "fake-model" },
];

describe.each(cases)("$provider", ({ provider, model }) => {
  it("[W83] an image in a prompt, in a steering message and in a tool's result reaches the model", async () => {
    await using rig = await startRig({ provider, args: ["--model", `${provider}/${model}`] });
    await writeFile(join(rig.directory, "dot.png"), Buffer.from(png, "base64"));
    rig.model.reply(
      { toolCalls: [{ name: "read", args: { path: "dot.png" } }] },
      { text: "red", hangBefore: "end" },
      { text: "red again" },
    );
    const sent = (at: number) => JSON.stringify(rig.model.requests[at]?.body).split(png).length - 1;
    rig.worker.send({
      type: "prompt",
      message: "what is this?",
      images: [{ mime_type: "image/png", data: png }],
    });
    await rig.worker.next("text_delta");
    // omp's name for the type is understood too.
    await rig.worker.ask({
      type: "steer",
      message: "and this?",
      images: [{ type: "image", mimeType: "image/png", data: png }],
    });
    rig.model.release();
    const frames = await rig.worker.turn(0);
    expect(sent(0)).toBe(1);
    expect(sent(1)).toBe(2);
    expect(sent(2)).toBe(3);
    expect(only(frames, "tool_result")).toMatchObject([
      { is_error: false, content: [{ type: "image", mime_type: "image/png", data: png }] },
    ]);
    expect(only(frames, "user_message")).toMatchObject([
      { content: [{ type: "text" }, { type: "image", data: png }] },
      { steering: true, content: [{ type: "text" }, { type: "image", data: png }] },
    ]);
  });
});

describe.each([...cases, { provider: "deepseek", model: "deepseek-flash" }])(
  "$provider",
  ({ provider, model }) => {
    it("[W84] thinking comes as deltas of its own, and arguments while the model writes them", async () => {
      await using rig = await startRig({ provider, args: ["--model", `${provider}/${model}`] });
      await rig.worker.ask({ type: "set_thinking_level", level: "low" });
      const args = { command: "echo partial arguments" };
      rig.model.reply(
        { thinking: ["let ", "me ", "see"], text: "so", toolCalls: [{ name: "bash", args, chunks: 5 }] },
        { text: "done" },
      );
      const frames = await rig.worker.prompt("go");
      const joined = (type: string): string =>
        only(frames, type)
          .map((frame) => String(frame["delta"]))
          .join("");
      // OpenAI's summaries end with an empty line.
      expect(joined("thinking_delta").trim()).toBe("let me see");
      expect(JSON.parse(joined("tool_use_args"))).toEqual(args);
      // Gemini sends a call in one piece.
      if (provider !== "google") expect(only(frames, "tool_use_args").length).toBeGreaterThan(2);
      expect(only(frames, "tool_call")).toMatchObject([{ args }]);
      expect(dig(only(frames, "assistant_message")[0], "content", 0)).toMatchObject({
        type: "thinking",
        text: expect.stringMatching(/^let me see\s*$/),
      });
    });
  },
);
