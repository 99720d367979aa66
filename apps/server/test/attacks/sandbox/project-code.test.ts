// Code that a directory brings for an agent: before, it ran as soon as a session was made, with the agent's keys and its rpc
// token. Now a person is asked first, for every agent.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { LocalPeer } from "@patchbay/testing/local-peer";
import { fixtureWorker, type RunningServer, startServer } from "@patchbay/testing/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turn } from "../../machine/dialects/acp/agent.ts";
import { attach, createSession, openSession } from "../../support/actor.ts";
import { answerFirst, firstQuestion } from "../../support/answer-first.ts";

/** A worker of that name, which runs this file of its directory when it starts. */
const eager = (name: string, path: string) => ({
  default_worker: name,
  workers: { [name]: { dialect: "zot", command: fixtureWorker("eager", path), env: ["SOME_API_KEY"] } },
});

const start = (name: string, path: string): Promise<RunningServer> =>
  startServer({ config: eager(name, path), env: { SOME_API_KEY: "key-of-the-agent" } });

/** Code that writes what it saw of the agent's environment into the file that is returned. */
function plant(server: RunningServer, path: string, directory = server.cwd): string {
  const ran = join(directory, "ran");
  const code = join(directory, path);
  mkdirSync(dirname(code), { recursive: true });
  writeFileSync(code, `env > ${ran}\n`);
  return ran;
}

const trusted = (server: RunningServer): string[] => {
  const file = join(server.home, ".patchbay/trusted.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).directories : [];
};

/** One file of each program, as it finds it in its directory. */
const everyAgent = [
  ["zot", ".zot/extensions/x/run.sh"],
  ["pi", ".pi/extensions/x.ts"],
  ["pi", ".pi/settings.json"],
  ["omp", ".omp/hooks/pre/x.ts"],
  ["omp", ".claude/settings.json"],
  ["claude", ".claude/settings.json"],
  ["claude", ".mcp.json"],
  ["codex", ".codex/config.toml"],
  ["gemini", ".gemini/settings.json"],
  ["gemini", ".gemini/extensions/x/gemini-extension.json"],
  ["opencode", "opencode.json"],
  ["opencode", ".opencode/plugin/x.ts"],
  ["an-unknown-zot", ".zot/extensions/x/run.sh"],
] as const;

describe("code that a directory brings, for every agent", () => {
  let server: RunningServer;
  beforeAll(async () => {
    const pathsOf = (agent: string) => everyAgent.filter(([name]) => name === agent).map(([, path]) => path);
    const workers = everyAgent.map(([name]) => eager(name, pathsOf(name).join(delimiter)).workers);
    server = await startServer({
      config: { default_worker: "zot", workers: Object.assign({}, ...workers) },
      env: { SOME_API_KEY: "key-of-the-agent" },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(everyAgent)("[K19] is not run by %s before a person was asked: %s", async (name, path) => {
    const directory = join(server.cwd, `${name}-${path.replaceAll("/", "-")}`);
    mkdirSync(directory);
    const ran = plant(server, path, directory);
    const trustedBefore = trusted(server);
    await using viewer = await attach(server, await createSession(server, { worker: name, cwd: directory }));
    const question = await firstQuestion(viewer);
    expect(question).toMatchObject({ method: "select", title: "Trust this directory?", directory });
    expect(question.message).toContain(`${name} would run`);
    expect(viewer.session).toMatchObject({ state: "waiting" });
    expect(viewer.session?.pid).toBeUndefined();
    expect(existsSync(ran)).toBe(false);
    await answerFirst(viewer, "Trust this directory");
    await viewer.state("idle");
    // What it sees then is why it matters.
    expect(readFileSync(ran, "utf8")).toMatch(/ZOTCORE_RPC_TOKEN=\w+/);
    expect(readFileSync(ran, "utf8")).toContain("key-of-the-agent");
    expect(trusted(server)).toEqual([...trustedBefore, directory]);
  });
});

describe("code that a directory brings", () => {
  it("[K19] of a repository is found above the directory, where the agent would find it", async () => {
    await using server = await start("claude", "../.mcp.json");
    const ran = plant(server, ".mcp.json");
    mkdirSync(join(server.cwd, ".git"));
    const part = join(server.cwd, "part");
    mkdirSync(part);
    await using viewer = await attach(server, await createSession(server, { cwd: part }));
    expect((await firstQuestion(viewer)).message).toContain(join(server.cwd, ".mcp.json"));
    expect(existsSync(ran)).toBe(false);
    await answerFirst(viewer, "Do not start");
  });

  it("[K19] a directory without any is not asked about, and neither is one that was trusted", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    mkdirSync(join(server.cwd, ".zot/extensions"), { recursive: true }); // with nothing in it
    await using first = await openSession(server);
    expect(first.session).toMatchObject({ state: "idle", pending: [] });
    const ran = plant(server, ".zot/extensions/x/run.sh");
    const file = join(server.home, ".patchbay/trusted.json");
    writeFileSync(file, JSON.stringify({ directories: [server.cwd] }));
    await using second = await openSession(server);
    expect(second.session?.state).toBe("idle");
    expect(existsSync(ran)).toBe(true);
  });

  it("[K19] trust is of the real directory: a link to another one is asked about", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    const ran = plant(server, ".zot/extensions/x/run.sh");
    const trustedOne = join(server.home, "trusted");
    symlinkSync(server.cwd, trustedOne);
    writeFileSync(join(server.home, ".patchbay/trusted.json"), JSON.stringify({ directories: [trustedOne] }));
    await using viewer = await attach(server, await createSession(server, { cwd: trustedOne }));
    expect(await firstQuestion(viewer)).toMatchObject({ directory: realpathSync(trustedOne) });
    expect(existsSync(ran)).toBe(false);
  });
});

describe("what a person answers", () => {
  it("[K20] prompts wait for it, and run when the directory is trusted", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    plant(server, ".zot/extensions/x/run.sh");
    await using viewer = await attach(server, await createSession(server));
    await firstQuestion(viewer);
    const first = viewer.ask({ type: "prompt", message: "say one" });
    const second = await viewer.ask({ type: "prompt", message: "say two" });
    expect(second).toMatchObject({ success: true, data: { queued: true } });
    expect(viewer.session).toMatchObject({ state: "waiting" });
    await answerFirst(viewer, "Trust this directory");
    expect(await first).toMatchObject({ success: true, data: { started: true } });
    await viewer.until(() => viewer.transcript.messages.length === 4 && viewer.session?.state === "idle");
    expect(JSON.stringify(viewer.transcript.marks)).toContain("Trust this directory");
  });

  it("[K20] without it, where the program has a switch: for the session, across restarts of worker and server", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    const ran = plant(server, ".zot/extensions/x/run.sh");
    await using viewer = await attach(server, await createSession(server));
    const question = await answerFirst(viewer, "Start without them");
    expect(question.options).toEqual(["Trust this directory", "Start without them", "Do not start"]);
    await viewer.state("idle");
    expect(await turn(viewer, "say hello")).toContain("hello");
    const id = String(viewer.session?.id);
    await server.call("POST", `/api/sessions/${id}/stop`);
    await viewer.state("stopped");
    expect(await turn(viewer, "say again")).toContain("again"); // nobody is asked
    await server.kill();
    await server.start();
    await using later = await attach(server, id);
    expect(await turn(later, "say later")).toContain("later");
    expect(existsSync(ran)).toBe(false);
    expect(trusted(server)).toEqual([]);
    // Another session is asked again.
    await using other = await attach(server, await createSession(server));
    await firstQuestion(other);
  });

  it("[K20] what no switch covers is not offered to be left out", async () => {
    await using server = await start("pi", ".pi/settings.json");
    plant(server, ".pi/settings.json");
    plant(server, ".pi/extensions/x.ts");
    await using viewer = await attach(server, await createSession(server));
    expect((await firstQuestion(viewer)).options).toEqual(["Trust this directory", "Do not start"]);
  });

  it("[K20] not started: the session says why, its prompt too, and the next one asks again", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    const ran = plant(server, ".zot/extensions/x/run.sh");
    await using viewer = await attach(server, await createSession(server));
    const prompt = viewer.ask({ type: "prompt", message: "say hello" });
    await answerFirst(viewer, "Do not start");
    expect(await prompt).toMatchObject({ success: false, error: expect.stringContaining("was not started") });
    expect(await viewer.state("failed")).toMatchObject({
      reason: expect.stringContaining("is not trusted"),
    });
    const again = viewer.ask({ type: "prompt", message: "say hello" });
    await firstQuestion(viewer);
    rmSync(join(server.cwd, ".zot"), { recursive: true });
    await answerFirst(viewer, "Do not start");
    expect(await again).toMatchObject({ success: false });
    expect(await turn(viewer, "say hello")).toContain("hello"); // there is nothing to ask about any more
    expect(existsSync(ran)).toBe(false);
  });

  it("[K20] a stop, a deletion and the end of the server take the question back", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    plant(server, ".zot/extensions/x/run.sh");
    await using stopped = await attach(server, await createSession(server));
    await firstQuestion(stopped);
    await server.call("POST", `/api/sessions/${String(stopped.session?.id)}/stop`);
    expect(await stopped.state("stopped")).toMatchObject({ pending: [] });
    expect(stopped.frames.join("")).toContain('"by":"withdrawn"');
    await using deleted = await attach(server, await createSession(server));
    await firstQuestion(deleted);
    expect((await server.call("DELETE", `/api/sessions/${String(deleted.session?.id)}`)).status).toBe(204);
    await using open = await attach(server, await createSession(server));
    await firstQuestion(open);
    const id = String(open.session?.id);
    await server.kill();
    await server.start();
    await using after = await attach(server, id);
    expect(after.session).toMatchObject({ state: "stopped", pending: [] });
  });

  it("[K20] a program at the local socket answers it too", async () => {
    await using server = await start("zot", ".zot/extensions/x/run.sh");
    const ran = plant(server, ".zot/extensions/x/run.sh");
    const session = await createSession(server);
    await using viewer = await attach(server, session);
    const question = await firstQuestion(viewer);
    await using peer = await LocalPeer.at(join(server.home, ".patchbay/daemon.sock"));
    const decide = { session_id: session, request_id: question.id };
    await peer.ask("session/approve", { ...decide, decision: "allow_once" });
    await viewer.state("idle");
    expect(existsSync(ran)).toBe(true);
    expect(trusted(server)).toEqual([server.cwd]);
  });
});
