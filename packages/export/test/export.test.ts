// Exported pages: what was said is in them, and nothing that a worker or a person wrote becomes markup of its own.
import { toHtml, toMarkdown } from "@patchbay/export";
import { emptyTranscript, type Message, type Transcript } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldAll, frame, text, time } from "../../protocol/test/make-frames.ts";

const head = {
  name: "Fix <the> test",
  worker: "builtin",
  provider: "anthropic",
  model: "sonnet",
  cwd: "/home/ada/code",
  created_at: "2026-11-16T10:42:13.123Z",
};

const said = (role: Message["role"], ...content: Message["content"]): Message => ({ role, content, time });
const of = (messages: Message[]): Transcript => ({ ...emptyTranscript, messages });
const answerHtml = (words: string): string => {
  const html = toHtml(head, of([said("assistant", text(words))]));
  return html.slice(html.indexOf('<div class="prose">') + 19, html.lastIndexOf("</div>"));
};

it("[X120] names the author of each prompt, as text", () => {
  const by = { person: "p1", label: "Ada <b>" };
  const transcript = of([{ ...said("user", text("Fix it")), by }, said("assistant", text("Done"))]);
  expect(toMarkdown(head, transcript)).toContain("## Ada <b>\n\nFix it");
  expect(toHtml(head, transcript)).toContain(">Ada &lt;b&gt; <time>");
});

it("[H38] a turn with an unpriced call says what the others cost, and that one is missing", () => {
  const usage = { input: 10, output: 1, cache_read: 0, cache_write: 0, cost_usd: 5 };
  const ended = { type: "turn_end", stop: "end" };
  const turn = (...calls: object[]): string =>
    toMarkdown(
      head,
      foldAll([
        frame({ type: "user_message", content: [text("hi")], time }),
        ...calls.map((call) => frame({ type: "usage", ...usage, ...call })),
        frame(ended),
        frame({ type: "done" }),
      ]),
    );
  expect(turn({}, { cost_usd: 0 })).toContain("· $5.0000 + unpriced");
  expect(turn({ cost_usd: 0 })).toContain("· unpriced");
  expect(turn({ estimated: 1, low_usd: 4, high_usd: 9 })).toContain("· ≈ $5.0000");
  expect(turn({})).toMatch(/· \$5\.0000(?! \+)/);
});

describe("an exported page", () => {
  const diff = "--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n keep\n-old <b>\n+new &\n";
  const transcript = foldAll(
    [
      frame({ type: "bash_start", id: "b", command: "npm test", time }),
      frame({
        type: "bash_end",
        id: "b",
        command: "npm test",
        output: "1 failed",
        exit_code: 1,
        cancelled: false,
        truncated: false,
        time,
      }),
      frame({ type: "branched", branch: "b2", from: "main", entry_id: "e", time }),
    ],
    of([
      said("user", text("make it <script>alert(1)</script>"), {
        type: "text",
        text: "secret file",
        mention: "src/a.ts",
      }),
      said("assistant", { type: "thinking", text: "hm" }, text("I **edit** `x.ts`."), {
        type: "tool_call",
        id: "t",
        name: "edit",
        args: { path: "x.ts", edits: [] },
      }),
      said("tool", {
        type: "tool_result",
        call_id: "t",
        is_error: false,
        content: [{ type: "text", text: "ok" }],
        duration_ms: 420,
        details: { path: "x.ts", diff },
      }),
      said("user", { type: "image", mime_type: "image/png", bytes: 3, data: "AAAA" }),
      said("user", { type: "image", mime_type: "image/svg+xml", bytes: 3, data: "AAAA" }),
    ]),
  );

  it("[F20] holds prompts, answers, thoughts, tool calls with their diffs, pictures and a person's own commands", () => {
    const html = toHtml(head, transcript);
    expect(html).toContain("<title>Fix &lt;the&gt; test</title>");
    expect(html).toContain("2026-11-16 10:42");
    expect(html).toContain("make it &lt;script&gt;alert(1)");
    expect(html).toContain("<strong>edit</strong> <code>x.ts</code>");
    expect(html).toContain('<span class="del">-old &lt;b&gt;</span>');
    expect(html).toContain('<span class="add">+new &amp;</span>');
    expect(html).toContain("0.4 s");
    expect(html).toContain('src="data:image/png;base64,AAAA"');
    expect(html).toContain("image: image/svg+xml, 3 bytes");
    expect(html).toMatch(/\$<\/b><span class="subject">npm test<\/span><span class="end">exit 1/);
    expect(html).toContain("src/a.ts");
    expect(html).not.toContain("secret file");
    const markdown = toMarkdown(head, transcript);
    for (const words of ["$ npm test", "1 failed", "```diff", "[src/a.ts]"])
      expect(markdown).toContain(words);
  });

  it("[F20] says what it leaves out: other branches", () => {
    const back = foldAll(
      [
        frame({ type: "user_message", content: [text("one")], time, entry_id: "e" }),
        frame({ type: "done" }),
        frame({ type: "branched", branch: "b", from: "main", entry_id: "e", time }),
      ],
      emptyTranscript,
    );
    expect(toHtml(head, back)).toContain("1 other branch is not in this file.");
  });

  it.each([
    ["# Title\n\nwords *so*", "<h3>Title</h3>\n<p>words <em>so</em></p>"],
    ["- a\n  - b\n- c", "<ul><li>a\n<ul><li>b</li></ul></li><li>c</li></ul>"],
    ["2. two\n3. three", '<ol start="2"><li>two</li><li>three</li></ol>'],
    ["```ts\nif (a < b) {}\n```\nafter", '<pre class="code">if (a &lt; b) {}</pre>\n<p>after</p>'],
    ["> quoted\n> more", "<blockquote><p>quoted<br>more</p></blockquote>"],
    [
      "| a | b |\n|---|--:|\n| 1 | `x` |",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>x</code></td></tr></tbody></table>",
    ],
    ["a\n\n---\n\n~~b~~", "<p>a</p>\n<hr>\n<p><del>b</del></p>"],
    [
      "[x](https://a.example/?q=1)",
      '<p><a href="https://a.example/?q=1" rel="noreferrer noopener">x</a></p>',
    ],
    ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
    ["2 * 3 * 4 and a_b_c", "<p>2 * 3 * 4 and a_b_c</p>"],
    ["```\nnever closed", '<pre class="code">never closed</pre>'],
  ])("[F21] Markdown %j becomes %j", (words, html) => {
    expect(answerHtml(words)).toBe(html);
  });

  it("[F21] nothing that was written becomes markup of its own", () => {
    const allowed =
      /<\/?(?:p|br|h[3-6]|hr|ul|ol(?: start="\d+")?|li|strong|em|del|code|pre(?: class="code")?|blockquote|table|thead|tbody|tr|th|td|a(?: href="https?:\/\/[^"<>\s]*" rel="noreferrer noopener")?)>/g;
    const piece = fc.constantFrom(
      "<",
      ">",
      '"',
      "'",
      "&",
      "*",
      "**",
      "`",
      "```",
      "\n",
      "- ",
      "1. ",
      "> ",
      "|",
      "---",
      "[",
      "](http://",
      ")",
      " ",
      "x",
      "<img src=x onerror=y>",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(answerHtml(pieces.join("")).replaceAll(allowed, "")).not.toMatch(/[<>]/);
      }),
      { numRuns: 1_000 },
    );
  });

  it("[F21] monstrous words take no monstrous time", { timeout: 60_000 }, () => {
    // A parser that is quadratic or worse takes minutes; the time limit of the test catches it.
    for (const words of [
      "*".repeat(200_000),
      "[".repeat(200_000),
      "> ".repeat(50_000),
      "`".repeat(200_000),
      "- ".repeat(50_000),
      "a|".repeat(100_000),
      "  - x\n".repeat(20_000),
    ])
      expect(answerHtml(words)).not.toBe("");
  });
});
