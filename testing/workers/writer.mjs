// Writes much, as models do: long answers at a pace, long conversations, turns with tools. For the page's bench
// and the stories about long transcripts.
import { serve } from "./zot-worker.mjs";

const time = "2026-01-01T12:00:00Z";

/** Markdown of everything that answers are made of, without an end. */
function* passages() {
  for (let at = 1; ; at++) {
    yield `## Part ${at}\n\n`;
    yield `The retry in \`src/client-${at}.ts\` waits for a **timer**, while the server says when it is ready; see [the rule](https://example.com/rules/${at}). `;
    yield `Waiting for the event itself takes as long as it takes, on a busy machine too, and no longer than that on an idle one.\n\n`;
    yield `- it reads the answer of call ${at}\n- it keeps what was *read*\n- it ends with the socket\n\n`;
    yield `\`\`\`ts\nexport async function retry${at}(call: () => Promise<Answer>): Promise<Answer> {\n  for (let attempt = 0; attempt < ${at}; attempt++) {\n    const answer = await call();\n    if (answer.status !== 503) return answer;\n    await once(server, "ready");\n  }\n  throw new Error("gave up");\n}\n\`\`\`\n\n`;
    yield `| what | before | after |\n|---|--:|--:|\n| runs | ${at * 10} | ${at * 10} |\n| failures | ${at} | 0 |\n\n`;
  }
}

function text(length) {
  let written = "";
  for (const passage of passages()) {
    written += passage;
    if (written.length >= length) return written.slice(0, length);
  }
}

const usage = { input: 1200, output: 300, cache_read: 9000, cache_write: 100, cost_usd: 0.0123 };
const delta = (words) => `${JSON.stringify({ type: "text_delta", delta: words })}\n`;

serve({
  /** load MESSAGES: a conversation of that many messages, a prompt, a tool call, its result and an answer at a time. */
  load(rest, { write }) {
    const words = text(60_000);
    const messages = Array.from({ length: Number(rest) }, (_, at) => {
      const call_id = `call-${at - (at % 4)}`;
      if (at % 4 === 0)
        return { role: "user", content: [{ type: "text", text: `Question ${at}: why does it fail?` }], time };
      if (at % 4 === 1)
        return {
          role: "assistant",
          time,
          content: [
            { type: "thinking", text: "I should look first.", duration_ms: 1400 },
            { type: "tool_call", id: call_id, name: "bash", args: { command: `npm test -- part-${at}` } },
          ],
        };
      if (at % 4 === 2)
        return {
          role: "tool",
          time,
          content: [
            {
              type: "tool_result",
              call_id,
              is_error: false,
              duration_ms: 1200,
              content: [{ type: "text", text: `\u001b[32m✓\u001b[0m part ${at}\n`.repeat(20) }],
            },
          ],
        };
      const from = words.indexOf("## Part", (at * 137) % 50_000);
      return {
        role: "assistant",
        time,
        content: [
          { type: "text", text: `Answer ${at}.\n\n${words.slice(from, from + 300 + ((at * 53) % 1200))}` },
        ],
      };
    });
    for (let at = 0; at < messages.length; at += 500)
      write({ type: "messages_loaded", messages: messages.slice(at, at + 500) });
  },
  /** stream CHARACTERS DELTAS PER_SECOND: an answer of that length in that many pieces, at that pace (0: as fast as can be). */
  async stream(rest, { writeRaw, write, untilAborted }) {
    const [characters, deltas, perSecond] = rest.split(" ").map(Number);
    const words = text(characters);
    const piece = (at) =>
      words.slice(Math.floor((at * characters) / deltas), Math.floor(((at + 1) * characters) / deltas));
    let stopped = false;
    void untilAborted.then(() => {
      stopped = true;
    });
    const began = performance.now();
    for (let sent = 0; sent < deltas && !stopped; ) {
      const due = perSecond === 0 ? sent + 200 : ((performance.now() - began) * perSecond) / 1000;
      let batch = "";
      for (; sent < Math.min(due, deltas); sent++) batch += delta(piece(sent));
      writeRaw(batch);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (stopped) return "aborted";
    write({ type: "usage", ...usage, cumulative: usage });
    write({ type: "assistant_message", content: [{ type: "text", text: words }], time });
  },
  /** turn N: a turn of two calls, with thoughts, a tool and a short answer. */
  turn(rest, { write }) {
    const id = `call-${rest}`;
    const args = { command: `npm test -- part-${rest}` };
    write({ type: "thinking_delta", delta: "I should look first." });
    write({ type: "assistant_message", content: [{ type: "tool_call", id, name: "bash", args }], time });
    write({ type: "tool_call", id, name: "bash", args });
    write({ type: "tool_progress", id, text: "running\n" });
    const output = `\u001b[32m✓\u001b[0m part ${rest} of the whole suite\n`.repeat(20);
    write({
      type: "tool_result",
      id,
      is_error: false,
      content: [{ type: "text", text: output }],
      duration_ms: 900,
    });
    write({ type: "usage", ...usage, cumulative: usage });
    write({ type: "turn_end", stop: "tool_use" });
    write({ type: "turn_start", step: 2 });
    const words = `Turn ${rest}. ${text(900)}`;
    for (let at = 0; at < words.length; at += 90)
      write({ type: "text_delta", delta: words.slice(at, at + 90) });
    write({ type: "usage", ...usage, cumulative: usage });
    write({ type: "assistant_message", content: [{ type: "text", text: words }], time });
  },
  /** rich: everything that a transcript can show. */
  rich(_rest, { write }) {
    const call = (id, name, args, output, more = {}) => {
      write({ type: "tool_call", id, name, args });
      const content = [{ type: "text", text: output }];
      write({ type: "tool_result", id, is_error: false, content, duration_ms: 240, ...more });
      return { type: "tool_call", id, name, args };
    };
    const calls = [
      { id: "r1", name: "bash", args: { command: "npm test -- retry" } },
      { id: "r2", name: "grep", args: { pattern: "retry", path: "src" } },
      { id: "r3", name: "read", args: { path: "src/client.ts", offset: 40, limit: 12 } },
    ].map((one) => ({ type: "tool_call", ...one }));
    write({ type: "settings", model: "claude-opus-4-8" });
    write({
      type: "assistant_message",
      time,
      content: [
        {
          type: "thinking",
          text: "The timer is suspicious. I look at the test, the client and the search together.",
          duration_ms: 6200,
        },
        { type: "text", text: "I look at the test and at the client first." },
        ...calls,
      ],
    });
    call("r1", "bash", calls[0].args, richShell, { is_error: true, duration_ms: 4200 });
    call(
      "r2",
      "grep",
      calls[1].args,
      'src/client.ts:41: export async function retry(call: Call): Promise<Answer> {\nsrc/client.ts:47:   await sleep(100); // retry\ntest/retry.test.ts:12: it("retries after 503", async () => {\n[3 matches in 2 files]',
    );
    call(
      "r3",
      "read",
      calls[2].args,
      'export async function retry(call: Call): Promise<Answer> {\n  for (let attempt = 0; attempt < 3; attempt++) {\n    const answer = await call();\n    if (answer.status !== 503) return answer;\n    await sleep(100); // retry\n  }\n  throw new Error("gave up");\n}\n',
    );
    write({ type: "usage", ...usage, cumulative: usage });
    write({ type: "turn_end", stop: "tool_use" });
    write({ type: "turn_start", step: 2 });
    const edit = { path: "src/client.ts", edits: [{ oldText: "a", newText: "b" }] };
    const shot = { name: "screenshot", args: { url: "http://localhost:3000/costs" } };
    write({
      type: "assistant_message",
      time,
      content: [
        { type: "text", text: "The client sleeps instead of waiting for the event. I change that." },
        { type: "tool_call", id: "r4", name: "edit", args: edit },
      ],
    });
    write({ type: "tool_call", id: "r4", name: "edit", args: edit });
    write({
      type: "tool_result",
      id: "r4",
      is_error: false,
      content: [{ type: "text", text: "Edited." }],
      duration_ms: 30,
      details: { path: "src/client.ts", diff: richDiff },
    });
    write({ type: "usage", ...usage, cumulative: usage });
    write({ type: "turn_end", stop: "tool_use" });
    write({ type: "turn_start", step: 3 });
    write({
      type: "assistant_message",
      time,
      content: [
        { type: "text", text: "And this is how the page looks now:" },
        { type: "tool_call", id: "r5", ...shot },
      ],
    });
    write({ type: "tool_call", id: "r5", ...shot });
    write({
      type: "tool_result",
      id: "r5",
      is_error: false,
      content: [{ type: "image", mime_type: "image/png", bytes: 120, data: richPicture }],
      duration_ms: 810,
    });
    write({ type: "usage", ...usage, cumulative: usage });
    write({ type: "turn_end", stop: "tool_use" });
    write({ type: "turn_start", step: 4 });
    write({ type: "assistant_message", time, content: [{ type: "text", text: richAnswer }] });
    write({ type: "usage", ...usage, cumulative: usage });
  },
  /** fail WORDS: a call that fails, is tried again and gives up. */
  fail(rest, { write }) {
    write({
      type: "auto_retry_start",
      attempt: 1,
      maxAttempts: 3,
      delayMs: 10,
      errorMessage: "529 overloaded: the provider is busy",
    });
    write({ type: "auto_retry_end", success: false, attempt: 1 });
    write({ type: "error", message: rest });
    return "error";
  },
});

const richShell =
  "\u001b[1m RUN \u001b[0m vitest 4.1.12\n \u001b[32m✓\u001b[0m test/client.test.ts \u001b[2m(14 tests)\u001b[0m\n \u001b[31m❯\u001b[0m test/retry.test.ts \u001b[2m(3 tests | \u001b[31m1 failed\u001b[39m)\u001b[0m\n   \u001b[31m×\u001b[0m retries after 503 \u001b[33m412 ms\u001b[0m\n\u001b[41m\u001b[1m FAIL \u001b[0m test/retry.test.ts > retries after 503\n\u001b[38;5;208mAssertionError\u001b[0m: expected \u001b[32m3\u001b[0m calls, received \u001b[31m2\u001b[0m\n\u001b[36m❯\u001b[0m test/retry.test.ts:\u001b[2m31:22\u001b[0m\n\n[exit 1] Took 4.2s";
const richDiff =
  '--- a/src/client.ts\n+++ b/src/client.ts\n@@ -40,8 +40,9 @@\n import { once } from "node:events";\n \n export async function retry(call: Call): Promise<Answer> {\n-  for (let attempt = 0; attempt < 3; attempt++) {\n+  for (let attempt = 0; attempt < limits.attempts; attempt++) {\n     const answer = await call();\n     if (answer.status !== 503) return answer;\n-    await sleep(100); // retry\n+    // The server says when it is ready; a timer only guesses.\n+    await once(server, "ready");\n   }\n   throw new Error("gave up");\n }';
const richPicture =
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAF0lEQVR4nGNgYPj/n4GB4T8DAwMDAwMAJ/oD/Zb0YsUAAAAASUVORK5CYII=";
const richAnswer = `The test raced the timer. With $n$ attempts and a chance of $p$ each, it failed with

$$
P = 1 - (1 - p)^n \\approx n\\,p \\quad\\text{for}\\quad p \\ll 1
$$

| | before | after |
|---|--:|--:|
| runs | 200 | 200 |
| failures | 41 | **0** |
| slowest run | 4.2 s | 0.3 s |

What changed:

1. \`retry\` waits for the server's own word ([\`ready\`](https://example.com/events)).
2. The number of attempts comes from \`limits\`.

\`\`\`ts
// The event itself, however long it takes
await once(server, "ready");
const answers = await Promise.all(calls.map((call) => retry(call)));
\`\`\`

> Nothing waits for a clock any more.
`;
