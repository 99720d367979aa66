// Selects a reply by the text of the prompt, for manual trials and browser tests, where the person (or the test) can only type.
import type { ModelCall } from "./call.ts";
import { echoReply } from "./default-reply.ts";
import type { Reply } from "./reply.ts";

const rules: [pattern: RegExp, reply: (match: RegExpExecArray, call: ModelCall) => Reply][] = [
  [/use bash: ?(.+)/is, ([, command = ""]) => tool("bash", { command })],
  [/write (\S+): ?(.*)/is, ([, path = "", content = ""]) => tool("write", { path, content })],
  [/read (?:the )?file (\S+)/i, ([, path = ""]) => tool("read", { path })],
  [
    /edit (\S+): ?(.+?) => (.*)/is,
    ([, path = "", oldText = "", newText = ""]) => tool("edit", { path, edits: [{ oldText, newText }] }),
  ],
  [/long markdown/i, () => ({ text: markdown })],
  [/\bslow\b/i, () => ({ text: slowWords, delayMs: 30 })],
  [/\bunauthori[sz]ed\b/i, () => ({ status: 401 })],
  [/\boverloaded\b/i, () => ({ text: "This answer breaks off", errorAfterChunks: 3 })],
  [
    /\bthink\b/i,
    (_, call) => ({ thinking: "The person wants me to think. I do so, step by step.", ...echoReply(call) }),
  ],
];

export function replyByPrompt(call: ModelCall): Reply {
  if (call.toolResults.length > 0) return echoReply(call);
  for (const [pattern, reply] of rules) {
    const match = pattern.exec(call.userText);
    if (match !== null) return reply(match, call);
  }
  return echoReply(call);
}

const tool = (name: string, args: unknown): Reply => ({
  text: `I call ${name}.`,
  toolCalls: [{ name, args, chunks: 4 }],
});

/** A minute of text, meant to be aborted. Bounded, in case it is not. */
const slowWords = Array.from({ length: 2000 }, (_, index) => `word ${index + 1} `);

const markdown = `# A heading

A paragraph with **bold**, *italic*, \`code\` and a [link](https://example.com).

1. first
2. second
   - nested

| name | value |
| --- | ---: |
| one | 1 |
| two | 2 |

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b; // <not html> & "quotes"
}
\`\`\`

> A quotation, with an emoji 🎛️ and <b>tags that stay text</b>.

The end.`;
