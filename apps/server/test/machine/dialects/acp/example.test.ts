// The example agent that the official SDK came with: written by others, and for other clients.
import { join } from "node:path";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { textOf } from "./agent.ts";

const program = join(repository, "node_modules/acp-sdk-example/dist/examples/agent.js");

describe("the SDK's example agent", () => {
  let server: RunningServer;
  beforeAll(async () => {
    const example = { dialect: "acp", command: [process.execPath, program] };
    server = await startServer({ config: { default_worker: "example", workers: { example } } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Its one turn: it reads a file, and asks before it changes another. */
  async function play(viewer: TestViewer, answer: string): Promise<void> {
    await viewer.ask({ type: "prompt", message: "Improve the project." });
    await viewer.state("waiting");
    const [question] = viewer.session?.pending ?? [];
    expect(question).toMatchObject({
      title: "Modifying critical configuration file",
      options: [
        { label: "Allow this change", value: "allow" },
        { label: "Skip this change", value: "reject" },
      ],
    });
    viewer.send({ type: "extension_ui_response", id: question?.id, value: answer });
    await viewer.state("idle");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "end", error: null });
  }

  it("[I24] plays its turn to the end: two tools, a permission that is given, and the text after it", async () => {
    await using viewer = await openSession(server);
    await play(viewer, "allow");
    const { messages } = viewer.transcript;
    const roles = ["user", "assistant", "tool", "assistant", "tool", "assistant"];
    expect(messages.map(({ role }) => role)).toEqual(roles);
    expect(messages[2]?.content).toMatchObject([
      {
        call_id: "call_1",
        is_error: false,
        content: [{ text: "# My Project\n\nThis is a sample project..." }],
      },
    ]);
    expect(messages[4]?.content).toMatchObject([{ call_id: "call_2", is_error: false }]);
    expect(textOf(messages.at(-1))).toContain("successfully updated the configuration");
  });

  it("[I24] and continues when the permission is refused; what it cannot do is no capability", async () => {
    await using viewer = await openSession(server);
    await play(viewer, "reject");
    expect(viewer.transcript.messages.at(-2)?.content).toMatchObject([
      { call_id: "call_2", is_error: true, content: [{ text: "The user denied this." }] },
    ]);
    expect(textOf(viewer.transcript.messages.at(-1))).toContain("prefer not to make that change");
    expect(viewer.session).toMatchObject({ provider: "acp", model: "default" });
    for (const lacking of ["set_model", "images", "compact", "restore"])
      expect(viewer.session?.capabilities).not.toContain(lacking);
  });
});
