// The offline demo model: a newcomer's first minute, through a real worker and real tools.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyFrame, startWorker, type WorkerClient } from "@patchbay/testing/worker-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plan } from "../../src/models/adapters/demo-intents.ts";
import { dig, only, shape } from "../rig.ts";

let directory: string;
let worker: WorkerClient;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "patchbay-demo-test-"));
  worker = startWorker({ args: ["--cwd", directory] });
});

afterEach(async () => {
  await worker[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const answer = (frames: AnyFrame[]): string =>
  only(frames, "text_delta")
    .map((frame) => frame["delta"])
    .join("");

describe("the demo's stories", () => {
  it("[W39] the first answer says that it is a demo and how to get a real model; later ones do not repeat it", async () => {
    const first = await worker.prompt("hello");
    expect(answer(first)).toContain("This is the offline demo model");
    expect(answer(first)).toContain("ANTHROPIC_API_KEY");
    expect(answer(first)).toContain("This model is free");
    expect(only(first, "thinking_delta").length).toBeGreaterThan(3);
    expect(only(first, "text_delta").length).toBeGreaterThan(20);
    const usage = only(first, "usage")[0];
    expect(usage).toMatchObject({ input: expect.any(Number), cost_usd: 0, costs_nothing: true });
    expect(usage).not.toHaveProperty("unpriced");
    const second = await worker.prompt("what is the meaning of life?");
    expect(answer(second)).not.toContain("This is the offline demo model");
    expect(answer(second)).toContain("I cannot answer that");
  });

  it("[W40] lists files", async () => {
    await writeFile(join(directory, "heron.txt"), "12345");
    const frames = await worker.prompt("Can you list the files here?");
    expect(only(frames, "tool_call")).toMatchObject([{ name: "bash", args: { command: "ls -la" } }]);
    expect(answer(frames)).toMatch(/\| `heron\.txt` \| 5 bytes \|/);
  });

  it("[W40] reads a file", async () => {
    await writeFile(join(directory, "notes.md"), "# Herons\n\nstand still\n");
    const frames = await worker.prompt("please read notes.md");
    expect(only(frames, "tool_call")).toMatchObject([{ name: "read", args: { path: "notes.md" } }]);
    expect(answer(frames)).toContain("```md\n# Herons\n\nstand still\n```");
  });

  it("[W40] runs a command, also one that fails", async () => {
    const frames = await worker.prompt("run `echo $((6*7)); exit 3`");
    expect(only(frames, "tool_progress").map((frame) => frame["text"])).toEqual(["42\n"]);
    expect(answer(frames)).toContain("it **failed**");
    expect(answer(frames)).toContain("exit code **3**");
  });

  it("[W40] writes, edits and reads in steps, each a call of its own", async () => {
    const frames = await worker.prompt(
      "write greeting.txt with Hello heron, then replace heron with flamingo in it, then read it",
    );
    expect(only(frames, "tool_call").map((frame) => frame["name"])).toEqual(["write", "edit", "read"]);
    expect(only(frames, "tool_result").map((frame) => frame["is_error"])).toEqual([false, false, false]);
    expect(await readFile(join(directory, "greeting.txt"), "utf8")).toBe("Hello flamingo\n");
    expect(answer(frames)).toContain("```diff\n@@ -1,1 +1,1 @@\n-Hello heron\n+Hello flamingo\n```");
    expect(new Set(only(frames, "tool_call").map((frame) => frame["id"])).size).toBe(3);
  });

  it("[W40] says so when a tool fails", async () => {
    expect(answer(await worker.prompt("read missing.txt"))).toContain("missing.txt does not exist");
  });

  it("[W41] abort, queueing and compaction work as with real models", async () => {
    worker.send({ type: "prompt", message: "run sleep 60" });
    await worker.next((frame) => frame.type === "turn_end");
    worker.send({ type: "abort" });
    expect(shape(await worker.turn(0)).slice(-2)).toEqual(["tool_result", "done"]);
    await worker.prompt("hello");
    await worker.prompt("run pwd");
    const from = worker.frames.length;
    worker.send({ type: "compact" });
    const frames = await worker.turn(from);
    expect(shape(frames)).toEqual(["response", "usage", "compact_done", "done"]);
    expect(dig(only(frames, "compact_done")[0], "summary")).toMatch(
      /^## Goal\n- run sleep 60[\s\S]*`bash` \{"command":"sleep 60"\}/,
    );
  });
});

describe("the demo's plans", () => {
  it.each([
    ["list files in src/", "bash", { command: "ls -la src/" }],
    ["list the files in src", "bash", { command: "ls -la src" }],
    ["what is in this folder?", "bash", { command: "ls -la" }],
    ["show me the file a/b.txt", "read", { path: "a/b.txt" }],
    ["show the contents of README.md", "read", { path: "README.md" }],
    ["What files are in this directory?", "bash", { command: "ls -la" }],
    ["show me the files", "bash", { command: "ls -la" }],
    ["ls", "bash", { command: "ls" }],
    ["git status", "bash", { command: "git status" }],
    ["Run the command: npm test -- --watch=false", "bash", { command: "npm test -- --watch=false" }],
    ["execute `echo one then two`", "bash", { command: "echo one then two" }],
    ["run\n```sh\necho a\necho b\n```", "bash", { command: "echo a\necho b" }],
    ["Show me package.json", "read", { path: "package.json" }],
    ["what's in src/main.ts?", "read", { path: "src/main.ts" }],
    ["read the first 5 lines of `my file.txt`", "read", { path: "my file.txt", limit: 5 }],
    ["Could you please open README.md", "read", { path: "README.md" }],
    ['create a file called a.txt containing "hi there"', "write", { path: "a.txt", content: "hi there\n" }],
    ["write 'hello world' to out/b.txt", "write", { path: "out/b.txt", content: "hello world\n" }],
    ["Write a file notes.txt with the text: one, two", "write", { path: "notes.txt", content: "one, two\n" }],
    ["make c.py with ```py\nprint(1)\n```", "write", { path: "c.py", content: "print(1)\n" }],
    ["change foo to bar in d.txt", "edit", { path: "d.txt", edits: [{ oldText: "foo", newText: "bar" }] }],
    [
      'in `d.txt` replace "a b" with "c d"',
      "edit",
      { path: "d.txt", edits: [{ oldText: "a b", newText: "c d" }] },
    ],
  ])("[W40] %s", (prompt, name, args) => {
    expect(plan(prompt)).toMatchObject([{ name, args }]);
    expect(plan(prompt)[0]?.args).toEqual(args);
  });

  it.each(["why is the sky blue?", "thanks!", "tell me a joke", ""])(
    "[W39] nothing is done for: %s",
    (prompt) => {
      expect(plan(prompt)).toEqual([]);
    },
  );
});
