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
});
