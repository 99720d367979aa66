// What programs do to a local socket that they should not, and what is left of the socket when a server was killed.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { LocalPeer } from "@patchbay/testing/local-peer";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actorConfig, startActor } from "../../support/actor.ts";

const pathOf = (server: RunningServer): string => join(server.home, ".patchbay", "daemon.sock");
const call = (id: unknown, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

/** Starts a server that is expected to refuse; gives its words. */
async function refusedStart(home: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(repository, "dist/server/main.js"), "--port", "0", "--home", home],
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, CI: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    words += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(1);
  return words;
}

describe("a hostile program at the local socket", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startActor();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("[J9] garbage, wrong shapes and batches are each answered, and the socket lives on", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const said = peer.lines.length;
    peer.write('nonsense\n\n  \n[]\n42\n{"jsonrpc":"1.0","id":"seven","method":"status"}\n');
    peer.write('{"jsonrpc":"2.0","id":"eight","method":"status","params":null}\n');
    peer.write('{"jsonrpc":"2.0","id":"x","result":{}}\n{"jsonrpc":"2.0","method":"no/such"}\n');
    peer.write(Buffer.from([0xff, 0xfe, 0x0a]).toString("latin1"));
    peer.write(call(null, "status"));
    await peer.until(() => peer.lines.some((line) => line.result !== undefined && line.id === null));
    const answers = peer.lines.slice(said).map(({ id, error }) => [id, error?.code]);
    expect(answers).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      ["seven", -32600],
      ["eight", -32600],
      [null, -32700],
      [null, undefined],
    ]);
    for (const method of ["constructor", "__proto__", "toString"])
      expect(await peer.refusal(method)).toMatchObject({ code: -32601 });
    expect(await peer.refusal("session/prompt", { session_id: 5, prompt: "x" })).toMatchObject({
      code: -32602,
    });
    expect(await peer.refusal("session/prompt", { session_id: "x", prompt: " " })).toMatchObject({
      code: -32602,
    });
  });

  it("[J400] both or neither of a call and a response, an unknown decision and an unknown session have zeroclaw's codes", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const said = peer.lines.length;
    peer.write('{"jsonrpc":"2.0","id":"x6","method":"status","result":{}}\n');
    peer.write('{"jsonrpc":"2.0","id":"x7"}\n');
    await peer.until(() => peer.lines.length >= said + 2);
    const answers = peer.lines.slice(said).map(({ id, error }) => [id, error?.code]);
    expect(answers).toEqual([
      [null, -32600],
      [null, -32600],
    ]);
    const decided = { session_id: "nope", request_id: "r", decision: "maybe" };
    expect(await peer.refusal("session/approve", decided)).toMatchObject({ code: -32602 });
    expect(await peer.refusal("session/cancel", { session_id: "nobody" })).toMatchObject({ code: -32003 });
  });

  it("[J10] half lines are put together, and a last line without its end is answered before the socket closes", async () => {
    const peer = new LocalPeer(pathOf(server));
    const text = call("first", "initialize", { protocol_version: 1 });
    for (const letter of text) await new Promise((resolve) => peer.socket.write(letter, resolve));
    expect(await peer.answer("first")).toMatchObject({ result: { protocol_version: 1 } });
    const session = String((await peer.ask("session/new"))["session_id"]);
    peer.socket.end(call("last", "session/prompt", { session_id: session, prompt: "say goodbye" }).trim());
    expect(await peer.answer("last")).toMatchObject({ result: {} });
    await peer.untilClosed();
  });

  it("[J11] a line without an end is refused at 8 MiB, and only that socket is closed", async () => {
    await using other = await LocalPeer.at(pathOf(server));
    const peer = new LocalPeer(pathOf(server));
    peer.write("x".repeat(9 * 1024 * 1024));
    await peer.untilClosed();
    expect(peer.lines).toMatchObject([{ id: null, error: { code: -32600 } }]);
    await other.ask("status");
  });

  it("[J12] 100 programs at once, and a flood of one that reads nothing, keep nobody waiting", async () => {
    await using calm = await LocalPeer.at(pathOf(server));
    const flood = connect(pathOf(server));
    flood.on("error", () => {}); // it is cut off in the end
    flood.pause();
    // 50,000 answers nobody reads: more than the server is willing to hold.
    flood.write(call(0, "initialize") + call(1, "status").repeat(50_000));
    const peers = await Promise.all(Array.from({ length: 100 }, () => LocalPeer.at(pathOf(server))));
    await Promise.all(peers.map((peer) => peer.ask("status")));
    await calm.ask("status");
    for (const peer of peers) peer.socket.destroy();
    flood.destroy();
    await Promise.all(peers.map((peer) => peer.untilClosed()));
    await calm.ask("status");
  });

  it("[J13] a flood of an agent reaches a program that reads slowly, whole and in order", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const session = String((await peer.ask("session/new"))["session_id"]);
    await using other = await LocalPeer.at(pathOf(server));
    await other.ask("session/new", { session_id: session });
    peer.socket.pause();
    const id = peer.call("session/prompt", { session_id: session, prompt: "flood 40000 100" });
    await other.update("turn_complete");
    peer.socket.resume();
    await peer.answer(id);
    const numbers = peer
      .updates("agent_message_chunk")
      .map((update) => Number(String(update["text"]).split(" ")[0]));
    expect(numbers.length).toBe(40_000);
    expect(numbers.every((number, index) => number === index)).toBe(true);
  });
});

describe("the socket file", () => {
  it("[J14] a file left by a killed server is replaced; one with somebody behind it is refused in words", async () => {
    await using server = await startActor();
    await server.kill();
    expect(existsSync(pathOf(server))).toBe(true);
    await server.start();
    await using peer = await LocalPeer.at(pathOf(server));
    await peer.ask("status");

    const home = temporaryDirectory("daemon");
    const path = join(home, "daemon.sock");
    const somebody = createServer().listen(path);
    await new Promise((resolve) => somebody.once("listening", resolve));
    expect(await refusedStart(home)).toContain("Another program is listening on");
    await new Promise((resolve) => somebody.close(resolve));
    writeFileSync(path, "not a socket");
    expect(await refusedStart(home)).toContain("but the local socket needs this path");
    const long = join(home, "x".repeat(120));
    mkdirSync(long);
    expect(await refusedStart(long)).toContain("Choose a shorter path with --home");
  });

  it("[J15] `daemon --ephemeral` ends a second after the last program has left, and takes the file with it", async () => {
    const server = await startServer({
      config: actorConfig(),
      command: ["daemon", "--ephemeral"],
    });
    await using _server = server;
    const first = await LocalPeer.at(pathOf(server));
    await using second = await LocalPeer.at(pathOf(server));
    await first[Symbol.asyncDispose]();
    await second.ask("status");
    await second[Symbol.asyncDispose]();
    await using third = await LocalPeer.at(pathOf(server)); // within the second: it stays
    await third.ask("session/new");
    await third[Symbol.asyncDispose]();
    const left = performance.now();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - left).toBeGreaterThan(900);
    expect(existsSync(pathOf(server))).toBe(false);
  });
});
