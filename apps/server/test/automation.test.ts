// The examples of docs/automation.md, each run as its readers would run it: the text of the document, the crontab's line and the script
// of the Action, in a shell, against a server whose agent asks the fake model.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { fixtureWorker, type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { unless } from "@patchbay/testing/skips";
import { waitUntil } from "@patchbay/testing/wait-until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const blocks = (language: string): string[] =>
  [...read("docs/automation.md").matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text]) =>
    name === language ? [text ?? ""] : [],
  );

function lacking(): string | null {
  try {
    for (const program of ["bash", "curl", "jq"]) execFileSync(program, ["--version"], { stdio: "ignore" });
    return null;
  } catch {
    return "bash, curl or jq is not installed";
  }
}

describe("docs/automation.md", { ...unless(lacking()) }, () => {
  let server: RunningServer;
  const shell = (script: string, env: Record<string, string> = {}, program = "bash") =>
    run(program, [...(program === "bash" ? ["-e", "-o", "pipefail"] : []), "-c", script], {
      cwd: server.cwd,
      env: { PATH: process.env["PATH"], HOME: server.home, PATCHBAY_URL: server.url, ...env },
      timeout: 60_000,
    });
  const failing = (script: string, env: Record<string, string>) =>
    shell(script, env).then(
      () => ({ code: 0, stderr: "" }),
      (error: unknown) => error as { code: number; stderr: string },
    );
  const ask = join(repository, "examples/automation/ask.sh");
  const messages = async (): Promise<number> => {
    const { body } = await server.call("GET", "/api/sessions");
    return (body as { sessions: { message_count: number }[] }).sessions.reduce(
      (sum, session) => sum + session.message_count,
      0,
    );
  };

  let model: FakeModel;
  beforeAll(async () => {
    // The built-in agent asks the fake model; the fixture is for what no model does when it is asked to.
    model = await startFakeModel();
    server = await startServer({
      config: { workers: { actor: { dialect: "zot", command: fixtureWorker("actor") } } },
      env: { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
    });
    symlinkSync(repository, join(server.home, "patchbay"));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  it("[D20] the curl example prints the answer, and asks once however often it is run", async () => {
    const [example = ""] = blocks("sh");
    const { stdout } = await shell(example);
    expect(stdout.trim()).not.toBe("");
    expect(stdout.trim()).not.toBe("null");
    const before = await messages();
    expect((await shell(example)).stdout).toBe(stdout);
    expect(await messages()).toBe(before);
  });

  it("[D20] the crontab's line asks once a day and leaves the answer in its file", async () => {
    const [line = ""] = blocks("crontab");
    const command = line.trim().split(/\s+/).slice(5).join(" ").replaceAll("\\%", "%");
    expect(line).not.toMatch(/[^\\]%/); // cron makes a line feed of it
    await shell(command, { PATCHBAY_URL: server.url }, "/bin/sh");
    const before = await messages();
    expect(before).toBeGreaterThan(0);
    const answer = readFileSync(join(server.home, "dependencies.txt"), "utf8");
    expect(answer.trim()).not.toBe("");
    await shell(command, {}, "/bin/sh");
    expect(readFileSync(join(server.home, "dependencies.txt"), "utf8")).toBe(answer);
    expect(await messages()).toBe(before);
  });

  it("[D20] the Action's script sets its outputs, runs once per run of the job, and takes no part of the prompt for a command", async () => {
    const action = read("examples/automation/action/action.yml");
    const script = /run: \|\n((?: {8}.*\n)+)/.exec(action)?.[1]?.replaceAll(/^ {8}/gm, "") ?? "";
    expect(script).toContain("ask.sh");
    expect(script).not.toContain("${{"); // what GitHub puts there would be run
    const output = join(server.home, "output");
    const env = {
      PATCHBAY_TOKEN: server.token,
      PATCHBAY_KEY: "github-1-review-ask",
      PATCHBAY_SESSION: "",
      PATCHBAY_CWD: "",
      PATCHBAY_WORKER: "actor",
      PROMPT: `frames ${JSON.stringify([{ type: "assistant_message", content: [{ type: "text", text: 'two\n"lines" $(touch run)' }], time: "2026-11-18T00:00:00Z" }])}`,
      GITHUB_ACTION_PATH: join(repository, "examples/automation/action"),
      GITHUB_OUTPUT: output,
    };
    const { stdout } = await shell(script, env);
    expect(stdout).toBe('two\n"lines" $(touch run)\n');
    const outputs = readFileSync(output, "utf8");
    expect(outputs).toMatch(
      /^text<<(end-\w+)\ntwo\n"lines" \$\(touch run\)\n\1\nstate=done\nsession=\w+\ncost_usd=0\n$/,
    );
    const before = await messages();
    await shell(script, env);
    expect(await messages()).toBe(before);
  });

  it("[D21] the script ends with what became of the turn", async () => {
    const env = { PATCHBAY_TOKEN: server.token, PATCHBAY_WORKER: "actor" };
    const failed = [{ type: "error", message: "no such model" }];
    expect(await failing(`"${ask}" 'frames ${JSON.stringify(failed)}'`, env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no such model"),
    });
    expect(await failing(`"${ask}" ''`, env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The prompt is empty"),
    });
    expect(await failing(`"${ask}" 'ask confirm'`, env)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("waits for a person"),
    });
    expect(await failing(`"${ask}" 'say x'`, { ...env, PATCHBAY_TOKEN: "wrong" })).toMatchObject({ code: 2 });
  });

  it("[D20] the event stream's example shows every frame", async () => {
    const [, example = ""] = blocks("sh");
    const made = await server.call("POST", "/api/sessions", {
      worker: "actor",
      prompt: "say to be seen",
      wait: 60,
    });
    const { id } = (made.body as { session: { id: string } }).session;
    let shown = "";
    const watching = execFile("bash", ["-c", example], {
      cwd: server.cwd,
      env: { PATH: process.env["PATH"], HOME: server.home, PATCHBAY_URL: server.url, SESSION: id },
    });
    watching.stdout?.on("data", (text: string) => {
      shown += text;
    });
    const ended = new Promise((resolve) => watching.once("close", resolve));
    await waitUntil(async () => shown.includes("event: caught_up"));
    await server.call("DELETE", `/api/sessions/${id}`);
    await ended;
    expect(shown).toContain("id: 1\ndata: {");
    expect(shown).toContain("to be seen");
    expect(shown).toContain("event: closed\ndata: {");
  });
});
