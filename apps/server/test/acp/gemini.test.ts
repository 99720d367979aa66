// A real ACP agent, gemini-cli, against the fake model; skipped, and said so, where `npm run agents -- gemini` has not
// installed it.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { repository, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openSession } from "../actor.ts";

const program = join(repository, ".cache/agents/node_modules/.bin/gemini");
const isThere = existsSync(program);
if (!isThere) console.log("skipped: gemini is not installed; `npm run agents -- gemini` installs it");

describe("a real ACP agent", () => {
  it.skipIf(!isThere)("[I14] gemini-cli answers a prompt, and the answer is the model's", async () => {
    await using model = await startFakeModel();
    await using server = await startServer({
      config: {
        default_worker: "gemini",
        workers: {
          gemini: {
            dialect: "acp",
            command: [program, "--acp"],
            env: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
          },
        },
        limits: { worker_start_ms: 60_000 },
      },
      env: { GEMINI_API_KEY: "not-a-real-key", GOOGLE_GEMINI_BASE_URL: `${model.baseUrl}/google` },
    });
    mkdirSync(join(server.home, ".gemini"), { recursive: true });
    writeFileSync(
      join(server.home, ".gemini", "settings.json"),
      JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }),
    );
    await using viewer = await openSession(server);
    model.reply({ text: "Hello from the fake model." });
    expect(await viewer.ask({ type: "prompt", message: "Say hello." })).toMatchObject({ success: true });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "turn"));
    expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain("Hello from the fake model.");
  });
});
