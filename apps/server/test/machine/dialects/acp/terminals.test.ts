// Commands that an ACP agent runs through us: where and how they run, what the agent gets of them and what people see.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { processesWith } from "@patchbay/testing/processes";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TerminalOutput } from "../../../../src/machine/dialects/acp/turn/terminal-output.ts";
import { openSession } from "../../../support/actor.ts";
import { acpAgent, frames, turn } from "./agent.ts";

describe("terminals of an ACP agent", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      config: { default_worker: "agent", workers: { agent: acpAgent() } },
      env: { SOME_API_KEY: "secret-of-the-agent" },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const progress = (viewer: TestViewer): string =>
    frames(viewer)
      .map(({ type, text }) => (type === "tool_progress" ? String(text) : ""))
      .join("");

  it("[I8] terminals run in the directory without the agent's keys, and end with it", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "terminal pwd; echo key=$SOME_API_KEY; exit 3")).toBe(
      `3: ${server.cwd}\nkey=\n`,
    );
    await turn(viewer, "linger LINGERS=yes sleep 600");
    const lingers = () => processesWith("LINGERS", "yes").length > 0;
    await waitUntil(lingers); // it is on its way
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
    await waitUntil(() => !lingers());
  });

  it("[I28] the output of a terminal of the agent's own is shown while it comes, and is the result", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "streams")).toBe("It ran.");
    expect(progress(viewer)).toBe("one\ntwo\n");
    const result = viewer.transcript.messages.findLast(({ role }) => role === "tool")?.content;
    expect(result).toMatchObject([{ is_error: false, content: [{ type: "text", text: "one\ntwo\n" }] }]);
  });

  it("[I25] a stop ends the commands of the turn, and leaves no process of it", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "runs STOPPED=yes sleep 600" });
    const runs = () => processesWith("STOPPED", "yes").length > 0;
    await waitUntil(runs);
    await viewer.ask({ type: "abort" });
    await viewer.state("idle");
    await waitUntil(() => !runs());
    expect(viewer.transcript.marks.filter(({ kind }) => kind === "turn")).toMatchObject([
      { stop: "aborted" },
    ]);
  });

  it("[I20] a terminal's output is shown in its tool call while it is written, and kept after the release", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "shown echo quick");
    expect(progress(viewer)).toBe("quick\n");
    const result = () => viewer.transcript.messages.findLast(({ role }) => role === "tool")?.content;
    expect(result()).toMatchObject([{ is_error: false, content: [{ type: "text", text: "quick\n" }] }]);
    const watched = "echo one; while [ ! -e go ]; do sleep 0.02; done; echo two";
    const ended = turn(viewer, `shown ${watched}`);
    await viewer.until(() => progress(viewer).endsWith("one\n"));
    writeFileSync(join(server.cwd, "go"), "");
    expect(await ended).toBe("It ran.");
    expect(progress(viewer)).toBe("quick\none\ntwo\n");
    expect(result()).toMatchObject([{ is_error: false, content: [{ type: "text", text: "one\ntwo\n" }] }]);
  });

  it("[I21] an agent gets no more bytes than it asked for, beginning with a whole character", async () => {
    await using viewer = await openSession(server);
    const limited = async (rest: string): Promise<unknown> =>
      JSON.parse(await turn(viewer, `limited ${rest}`));
    expect(await limited("10 printf '%s' abcdefghijklmnopq")).toMatchObject({
      output: "hijklmnopq",
      truncated: true,
    });
    expect(await limited("10 printf '%s' 0123456789")).toMatchObject({
      output: "0123456789",
      truncated: false,
    });
    // Each of these has three bytes: three of them fit, and a third of one more.
    expect(await limited("10 printf '%s' ääää€€€€")).toMatchObject({ output: "€€€", truncated: true });
    expect(await limited("0 printf '%s' x")).toMatchObject({ output: "", truncated: true });
  });

  it("[I21] of a flood the end is kept, in whole characters", () => {
    const output = new TerminalOutput();
    for (let count = 0; count < 30; count++) output.append("😀".repeat(50_000));
    expect(output.text.length).toBeLessThan(2 * 1024 * 1024);
    expect(Buffer.from(output.text).toString() === output.text).toBe(true);
    const { output: text, truncated } = output.end();
    expect([truncated, Buffer.byteLength(text) <= 1024 * 1024, text.startsWith("😀")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("[I21] a killed command ends with its signal, and its output can still be requested", async () => {
    await using viewer = await openSession(server);
    expect(JSON.parse(await turn(viewer, "kill echo begun; sleep 600"))).toEqual({
      exitCode: null,
      signal: "SIGKILL",
      output: "begun\n",
    });
  });
});
