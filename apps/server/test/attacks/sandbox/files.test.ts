// Files that are read and written for an ACP agent: nothing private, also where the session's directory is the whole home,
// and nothing that other programs run later unless a person allows it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acpAgent, frames, turn } from "../../machine/dialects/acp/agent.ts";
import { openSession } from "../../support/actor.ts";
import { answerFirst, firstQuestion } from "../../support/answer-first.ts";

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const agent = { default_worker: "agent", workers: { agent: acpAgent() } };

/** The turn's failure, or what it said. */
async function attempt(viewer: TestViewer, message: string): Promise<string> {
  const before = viewer.frames.length;
  const said = await turn(viewer, message);
  const error = frames(viewer)
    .slice(before)
    .find(({ type }) => type === "error");
  return error === undefined ? said : `refused: ${String(error["message"])}`;
}

describe("files read for an agent that works in the home", () => {
  let server: RunningServer;
  let viewer: TestViewer;
  beforeAll(async () => {
    server = await startServer({ config: agent });
    viewer = await openSession(server, { cwd: server.home });
  });
  afterAll(async () => {
    await viewer.close();
    await server[Symbol.asyncDispose]();
  });

  const hidden =
    `.ssh/id .aws/credentials .netrc .config/google-chrome/Default/Cookies .mozilla/firefox/x/logins.json .pi/agent/auth.json
    .omp/agent/auth.json .gemini/oauth_creds.json .claude.json .bash_history .patchbay/token .patchbay/patchbay.db`.split(
      /\s+/,
    );

  it.each(hidden)("[K18] ~/%s is neither read nor written, by path or by link", async (path) => {
    const file = join(server.home, path);
    if (!existsSync(file)) put(file, "CANARY");
    const before = readFileSync(file);
    expect(await attempt(viewer, `read ${file}`)).toMatch(
      /refused: .*is outside of the session's directory, or private/,
    );
    expect(await attempt(viewer, `write ${file} EVIL`)).toMatch(/refused: .*or private/);
    const link = join(server.home, `link-${hidden.indexOf(path)}`);
    symlinkSync(file, link);
    expect(await attempt(viewer, `read ${link}`)).toMatch(/refused/);
    expect(await attempt(viewer, `write ${link} EVIL`)).toMatch(/refused/);
    if (!path.endsWith(".db")) expect(readFileSync(file)).toEqual(before);
  });

  it("[K18] what is not private is read and written as ever", async () => {
    put(join(server.home, "notes.txt"), "mine");
    expect(await attempt(viewer, `read ${server.home}/notes.txt`)).toBe("mine");
    expect(await attempt(viewer, `write ${server.home}/notes.txt ours`)).toBe("written");
    expect(readFileSync(join(server.home, "notes.txt"), "utf8")).toBe("ours");
  });

  it("[K18] a file that a shell runs is written if a person allows it", async () => {
    const file = join(server.home, ".bashrc");
    put(file, "mine");
    const denied = attempt(viewer, `write ${file} EVIL`);
    expect(await answerFirst(viewer, "Deny")).toMatchObject({
      title: `Write ${file}?`,
      why: "You are asked because a shell runs it when it starts.",
      tool: "write",
    });
    expect(await denied).toMatch(/refused: .*denied/);
    expect(readFileSync(file, "utf8")).toBe("mine");
    const allowed = attempt(viewer, `write ${file} fine`);
    await answerFirst(viewer, "Allow once");
    expect(await allowed).toBe("written");
    expect(readFileSync(file, "utf8")).toBe("fine");
  });
});

describe("files written for an agent that works in a project", () => {
  let server: RunningServer;
  let viewer: TestViewer;
  beforeAll(async () => {
    server = await startServer({ config: agent });
    viewer = await openSession(server);
  });
  afterAll(async () => {
    await viewer.close();
    await server[Symbol.asyncDispose]();
  });

  it.each([
    ".git/hooks/pre-commit",
    ".git/config",
    ".mcp.json",
    ".vscode/tasks.json",
    "deep/.claude/settings.json",
    ".envrc",
  ])("[K18] %s is asked about, and not written when the person says no", async (path) => {
    mkdirSync(dirname(join(server.cwd, path)), { recursive: true });
    const written = attempt(viewer, `write ${server.cwd}/${path} EVIL`);
    expect(await answerFirst(viewer, "Deny")).toMatchObject({
      why: expect.stringMatching(/^You are asked because /),
    });
    expect(await written).toMatch(/refused/);
    expect(existsSync(join(server.cwd, path))).toBe(false);
  });

  it("[K18] what is put in its place while the person is asked is not written", async () => {
    const victim = join(server.home, "victim");
    put(victim, "untouched");
    const written = attempt(viewer, `write ${server.cwd}/.husky EVIL`);
    await firstQuestion(viewer);
    symlinkSync(victim, join(server.cwd, ".husky"));
    await answerFirst(viewer, "Allow once");
    expect(await written).toMatch(/refused/);
    expect(readFileSync(victim, "utf8")).toBe("untouched");
  });

  it("[K18] a directory that is swapped for links all the time leads no write astray", async () => {
    mkdirSync(join(server.cwd, "real"), { recursive: true });
    mkdirSync(join(server.cwd, ".git/hooks"), { recursive: true });
    mkdirSync(join(server.home, "other"));
    const script = `while :; do ln -sfn .git/hooks way; ln -sfn ${server.home}/other way; ln -sfn real way; done`;
    const swapper = spawn("/bin/sh", ["-c", script], { cwd: server.cwd, stdio: "ignore" });
    try {
      let written = 0;
      for (let round = 0; round < 60 || written === 0; round++) {
        const said = attempt(viewer, `write ${server.cwd}/way/planted x`);
        // Some rounds find the hooks behind it, and ask.
        const asked = viewer
          .until(() => (viewer.session?.pending.length ?? 0) > 0)
          .then(() => answerFirst(viewer, "Deny"));
        asked.catch(() => {}); // the round was over before
        if ((await said) === "written") written++;
      }
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
    }
    expect(existsSync(join(server.cwd, ".git/hooks/planted"))).toBe(false);
    expect(existsSync(join(server.home, "other/planted"))).toBe(false);
  });

  it("[K18] the terminal's directory is one of the session's", async () => {
    symlinkSync(server.home, join(server.cwd, "up"));
    const wish = { command: "pwd", cwd: join(server.cwd, "up") };
    expect(await attempt(viewer, `program ${JSON.stringify(wish)}`)).toMatch(
      /refused: .*outside of the session's directory/,
    );
  });
});

it("[K18] with full approvals in the config file nobody is asked", async () => {
  await using server = await startServer({ config: { ...agent, agent: { approvals: "full" } } });
  await using viewer = await openSession(server);
  expect(await attempt(viewer, `write ${server.cwd}/.envrc fine`)).toBe("written");
  expect(await attempt(viewer, `read ${server.home}/.patchbay/token`)).toMatch(/refused/);
});
