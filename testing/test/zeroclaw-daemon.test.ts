// The scripted zeroclaw daemon itself: where a client could get it wrong, it answers as protocols/zeroclaw.md says.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LocalPeer } from "@patchbay/testing/local-peer";
import { repository } from "@patchbay/testing/server-process";
import { ZeroclawDaemon } from "@patchbay/testing/zeroclaw-daemon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("the scripted daemon", () => {
  const path = join(mkdtempSync(join(tmpdir(), "patchbay-claw-")), "daemon.sock");
  let daemon: ZeroclawDaemon;
  beforeAll(async () => {
    daemon = await ZeroclawDaemon.at(path);
  });
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
    rmSync(dirname(path), { recursive: true, force: true });
  });

  const open = async (peer: LocalPeer, params: object = {}): Promise<string> => {
    const wish = { agent_alias: "coder", chat_mode: "acp", keep_siblings: true, ...params };
    return String((await peer.ask("session/new", wish))["session_id"]);
  };

  it("[Z17] an unknown method is unknown before anything else; then `initialize` comes first", async () => {
    await using peer = new LocalPeer(path);
    expect(await peer.refusal("session/nothing")).toMatchObject({ code: -32601 });
    expect(await peer.refusal("session/new", { agent_alias: "coder" })).toMatchObject({ code: -32010 });
    expect(await peer.refusal("initialize", { protocol_version: 2 })).toMatchObject({ code: -32011 });
    peer.write('{nonsense\n[]\n{"jsonrpc":"2.0","id":"x","method":"status","params":null}\n');
    expect((await peer.answer("x")).error?.code).toBe(-32600);
    const early = peer.lines.filter(({ id }) => id === null).map(({ error }) => error?.code);
    expect(early).toEqual([-32700, -32600]);
  });

  it("[Z17] a line of 8 MiB, its end included, is read; a longer one ends the connection without a word", async () => {
    await using peer = await LocalPeer.at(path);
    const line = (bytes: number, id: string): string => {
      const frame = JSON.stringify({ jsonrpc: "2.0", id, method: "agents/list", params: { pad: "" } });
      return `${frame.replace('""', `"${"x".repeat(bytes - frame.length - 1)}"`)}\n`;
    };
    peer.write(line(8 * 1024 * 1024, "fits"));
    expect((await peer.answer("fits")).error).toBeUndefined();
    peer.write(line(8 * 1024 * 1024 + 1, "not"));
    await peer.untilClosed();
    expect(peer.lines.at(-1)?.id).toBe("fits");
  });

  it("[Z17] a session is one agent's, closed ones are taken up again, and a prompt revives one", async () => {
    await using peer = await LocalPeer.at(path);
    const session_id = await open(peer);
    await peer.ask("session/prompt", { session_id, prompt: "say it" });
    expect(await peer.refusal("session/new", { agent_alias: "nobody" })).toMatchObject({ code: -32603 });
    await peer.ask("session/close", { session_id });
    expect(await peer.refusal("session/close", { session_id })).toMatchObject({ code: -32000 });
    const other = { agent_alias: "writer", chat_mode: "acp", session_id };
    expect(await peer.refusal("session/new", other)).toMatchObject({ code: -32602 });
    await peer.ask("session/prompt", { session_id, prompt: "recall" });
    expect(JSON.stringify(peer.updates("agent_message_chunk"))).toContain("say it");
    await peer.ask("session/close", { session_id });
  });

  it("[Z17] a prompt for nobody ends as failed; one for a busy session waits, and is refused when that takes too long", async () => {
    await using peer = await LocalPeer.at(path);
    const nobody = { session_id: "nobody", prompt: "say it" };
    expect(await peer.refusal("session/prompt", nobody)).toMatchObject({ code: -32000 });
    expect(peer.updates("turn_complete")).toMatchObject([
      { outcome: "failed", content: "turn cancelled by daemon: session_not_found" },
    ]);
    const session_id = await open(peer);
    peer.call("session/prompt", { session_id, prompt: "hang" });
    daemon.all.busyMs = 50;
    const late = await peer.refusal("session/prompt", { session_id, prompt: "say it" });
    expect(late).toEqual({
      code: -32002,
      message: `Session busy: Timed out waiting for session ${session_id}`,
    });
    daemon.all.busyMs = 30_000;
    const waits = peer.call("session/prompt", { session_id, prompt: "say it" });
    await peer.ask("session/cancel", { session_id });
    expect((await peer.answer(waits)).error).toBeUndefined();
    await peer.ask("session/close", { session_id });
  });

  it("[Z17] only the owner cancels, a decision must be one, and a close waits for the turn", async () => {
    await using peer = await LocalPeer.at(path);
    await using other = await LocalPeer.at(path);
    const session_id = await open(peer);
    expect(await peer.refusal("session/cancel", { session_id })).toMatchObject({ code: -32000 });
    expect(await other.refusal("session/cancel", { session_id })).toMatchObject({ code: -32003 });
    const decision = { session_id, request_id: "r", decision: "perhaps" };
    expect(await peer.refusal("session/approve", decision)).toMatchObject({ code: -32602 });
    const prompt = peer.call("session/prompt", { session_id, prompt: "hang" });
    await peer.update("agent_message_chunk");
    const closed = other.call("session/close", { session_id });
    const behind = other.call("agents/list"); // is not read before the close is answered
    await peer.ask("session/cancel", { session_id });
    await peer.answer(prompt);
    await other.answer(behind);
    expect(other.lines.findIndex(({ id }) => id === closed)).toBeLessThan(
      other.lines.findIndex(({ id }) => id === behind),
    );
  });

  it("[Z407] answers the recorded lines of the real daemon with its codes", async () => {
    const file = join(repository, "testing/transcripts/zeroclaw-0.8.4/envelope.jsonl");
    const recorded = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { dir: string; line: string });
    const key = daemon.key;
    daemon.key = undefined; // the recorded daemon had none
    let peer = new LocalPeer(path);
    const expected: unknown[] = [];
    const answered: unknown[] = [];
    const end = async (): Promise<void> => {
      await peer.until(() => peer.lines.length >= expected.length - answered.length);
      answered.push(...peer.lines.map(outline));
      await peer[Symbol.asyncDispose]();
    };
    for (const { dir, line } of recorded) {
      if (dir === "in") {
        // One at a time, as it was recorded.
        await peer.until(() => peer.lines.length >= expected.length - answered.length);
        peer.write(`${line}\n`);
      } else if (dir === "out") expected.push(outline(JSON.parse(line)));
      else {
        await end();
        peer = new LocalPeer(path);
      }
    }
    await end();
    daemon.key = key;
    expect(answered).toEqual(expected);
    expect(expected.length).toBeGreaterThan(30);
  });
});

/** Which call is answered, and with which code. */
function outline(line: object): unknown {
  const { id, method, error } = Object(line);
  return { id, method, code: error?.code };
}
