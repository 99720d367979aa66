// What the documentation's pictures show: a small project, the prompts of a working day, and what the
// model says. Only the model's words are scripted; server, worker, tools and test results are real.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** Puts the fixture that the scripted workers import into `directory`, as if it had this model. */
export function writeFixture(directory, model) {
  const fixtures = join(root, "testing/workers");
  const fixture = readFileSync(join(fixtures, "zot-worker.mjs"), "utf8");
  writeFileSync(
    join(directory, "zot-worker.mjs"),
    fixture
      .replaceAll('provider: "fixture"', 'provider: "anthropic"')
      .replaceAll('"none"', JSON.stringify(model)),
  );
  copyFileSync(join(fixtures, "lines.mjs"), join(directory, "lines.mjs"));
}

export const files = {
  "package.json":
    '{\n  "name": "weather",\n  "type": "module",\n  "scripts": { "build": "node scripts/build.mjs", "test": "node test/retry.test.mjs" }\n}\n',
  "scripts/build.mjs": `const green = (text) => \`\\x1b[32m\${text}\\x1b[0m\`;
for (const step of ["types", "server", "worker", "web"]) console.log(\`\${green("✓")} \${step}\`);
console.log("… waiting for the signed packages of the mirror");
setInterval(() => {}, 1_000);
`,
  "src/retry.mjs": `/** Calls again after a 503, up to three times, and waits twice as long each time. */
export async function retry(call, { attempts = 3, wait = 20 } = {}) {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (answer.status !== 503 || attempt === attempts) return answer;
    await new Promise((resolve) => setTimeout(resolve, wait * 2 ** attempt));
  }
}
`,
  "test/flaky-server.mjs": `export async function check(name, wanted, body) {
  let calls = 0;
  await body({ call: async () => ({ status: ++calls < wanted ? 503 : 200 }) });
  console.log(\`\${calls === wanted ? "✓" : "✗"} \${name}\`);
  if (calls === wanted) return;
  console.log(\`  expected \${wanted} calls, saw \${calls}\`);
  process.exitCode = 1;
}
`,
  "test/retry.test.mjs": `import { setTimeout as sleep } from "node:timers/promises";
import { retry } from "../src/retry.mjs";
import { check } from "./flaky-server.mjs";

await check("answers at once when nothing fails", 1, async (server) => {
  await retry(server.call);
});

await check("retries after a 503", 3, async (server) => {
  void retry(server.call);
  await sleep(100); // long enough for two retries
});
`,
};

/** What else the session has changed, for the picture of its files. */
export const laterFiles = {
  "src/retry.mjs": `/** Calls again after a 503, up to five times, and waits twice as long each time, but never longer than \`most\`. */
export async function retry(call, { attempts = 5, wait = 20, most = 2_000 } = {}) {
  for (let attempt = 1; ; attempt++) {
    const answer = await call();
    if (answer.status !== 503 || attempt === attempts) return answer;
    const pause = Math.min(most, wait * 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
`,
  "docs/retrying.md": `# Retrying

A call that is answered with 503 is made again, five times at most.

- The pause doubles each time and ends at two seconds.
- Whoever waits for \`retry\` waits for the last call, too.
`,
};

const answer = `**The test raced the timer.** It slept for 100 ms, but the third call cannot come before 120 ms:

| call | waits before it | at the earliest |
|---:|---:|---:|
| 1 | – | 0 ms |
| 2 | 40 ms | 40 ms |
| 3 | 80 ms | **120 ms** |

It now waits for \`retry\` itself, so the speed of the machine no longer matters. Five runs in a row pass.`;

const cached = (input, output, cache_read) => ({ input, output, cache_read, cache_write: 900 });

/** The turn of the main session, one reply per model call. */
export const mainReplies = [
  {
    thinking: "A test that fails now and then is usually a race. I should see it fail before I guess.",
    text: "I will run the test first.",
    toolCalls: [{ name: "bash", args: { command: "npm test --silent" } }],
    usage: cached(2_140, 96, 0),
    delayMs: 60,
  },
  {
    text: "It fails here too. Two files matter:",
    toolCalls: [
      { name: "read", args: { path: "test/retry.test.mjs" } },
      { name: "read", args: { path: "src/retry.mjs" } },
    ],
    usage: cached(310, 120, 12_800),
  },
  {
    thinking:
      "wait * 2 ** attempt: 40 ms, then 80 ms. The test sleeps 100 ms, so the third call is never there.",
    text: "The test sleeps instead of waiting for what it tests.",
    toolCalls: [
      {
        name: "edit",
        args: {
          path: "test/retry.test.mjs",
          edits: [
            {
              oldText: "  void retry(server.call);\n  await sleep(100); // long enough for two retries\n",
              newText: "  await retry(server.call);\n",
            },
            { oldText: 'import { setTimeout as sleep } from "node:timers/promises";\n', newText: "" },
          ],
        },
      },
    ],
    usage: cached(420, 260, 14_100),
    delayMs: 60,
  },
  {
    toolCalls: [
      { name: "bash", args: { command: "for run in 1 2 3 4 5; do npm test --silent || exit 1; done" } },
    ],
    usage: cached(380, 90, 15_600),
  },
  { text: answer, usage: cached(290, 310, 16_700) },
];

/** The session that is at work: what it was asked, what it does, and what it was told meanwhile. */
export const working = {
  prompt: "Build it and watch until it is through. Tell me about every warning.",
  reply: {
    thinking: "The build prints a line per step, so I can follow it while it runs.",
    text: "I start the build and keep an eye on it.",
    toolCalls: [{ name: "bash", args: { command: "npm run build --silent" } }],
    usage: { input: 8_300, output: 120 },
    delayMs: 40,
  },
  steer: "Skip the mirror if it takes longer than five minutes.",
  queue: ["Then write the release notes from the last ten commits.", "And open a pull request."],
  draft: "Use the short form of the notes",
};

const short = (text, input, output) => ({ text, usage: { input, output } });

/** Sessions as a working day leaves them: where, called what, asked what, answered what. */
export const otherSessions = [
  {
    where: "billing",
    name: "Rename the invoice fields",
    replies: [short("Done: `total` is `amount` in 14 files, and the tests pass.", 61_000, 5_200)],
  },
  {
    where: "billing",
    name: "Why is the nightly export slow?",
    replies: [
      short("It reads every invoice twice. An index on `sent_at` removes the second read.", 18_400, 900),
    ],
  },
  { where: "weather", name: "Explain the cache headers", replies: [short("There are three.", 9_100, 640)] },
];

/** A worker that ends badly, and one that needs somebody. */
export const strangeWorker = `import { serve } from "./zot-worker.mjs";
const usage = { input: 4200, output: 180, cache_read: 0, cache_write: 0, cost_usd: 0.0153 };
serve({
  async Deploy(_rest, { write }) {
    write({ type: "text_delta", delta: "I will check the staging cluster first, then roll out the new image." });
    write({ type: "usage", ...usage, cumulative: usage });
    process.stderr.write("zot: provider anthropic: stream closed after 412 bytes\\nzot: fatal: cannot continue without a model\\n");
    setImmediate(() => process.exit(1));
    return new Promise(() => {});
  },
  async Release(_rest, { write, untilAborted }) {
    write({ type: "text_delta", delta: "The changelog is written, the version is 1.4.0 everywhere, and all 212 tests pass. The last step cannot be undone." });
    write({ type: "usage", ...usage, cost_usd: 0.0418, cumulative: usage });
    write({ type: "extension_ui_request", id: "q1", method: "confirm", title: "Push the tag v1.4.0 to origin?", message: "The release pipeline starts as soon as the tag is there." });
    return untilAborted;
  },
});
`;

/** Who is at work while the costs are looked at. */
export const atWork = [
  { where: "billing", name: "Migrate invoices to the new schema" },
  { where: "shop", name: "Search with typos" },
  { where: "infra", name: "Blue-green deploys" },
];

export const busyWorker = `import { serve } from "./zot-worker.mjs";
serve({
  async Work(_rest, { write, untilAborted }) {
    const usage = { input: 4200, output: 1800, cache_read: 61000, cache_write: 3000, cost_usd: 0.1834 };
    write({ type: "usage", ...usage, cumulative: usage });
    return untilAborted;
  },
});
`;
