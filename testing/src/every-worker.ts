// One server with a worker for every dialect that needs no download: the built-in agent with the fake model, and programs that
// implement each protocol exactly. All of them play the scene of a prompt.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replyByScene } from "./fake-model/by-scene.ts";
import { startFakeModel } from "./fake-model/server.ts";
import { fixtureWorker, type RunningServer, startServer } from "./server-process.ts";
import { ZeroclawDaemon } from "./zeroclaw-daemon.ts";

export const everyWorker = ["builtin", "zot", "pi", "omp", "acp", "zeroclaw"] as const;

export interface EveryWorker extends AsyncDisposable {
  server: RunningServer;
  daemon: ZeroclawDaemon;
}

export async function startEveryWorker(
  config: {
    workers?: object;
    default_worker?: string;
    agent?: object;
    limits?: object;
    webhooks?: object[];
  } = {},
): Promise<EveryWorker> {
  const model = await startFakeModel();
  model.defaultReply = replyByScene();
  const place = mkdtempSync(join(tmpdir(), "patchbay-every-"));
  const path = join(place, "daemon.sock");
  const daemon = await ZeroclawDaemon.at(path);
  const server = await startServer({
    config: {
      ...config,
      workers: {
        zot: { dialect: "zot", command: fixtureWorker("zot-player") },
        pi: { dialect: "pi", command: fixtureWorker("pi-player", "pi") },
        omp: { dialect: "omp", command: fixtureWorker("pi-player", "omp") },
        acp: { dialect: "acp", command: fixtureWorker("acp-agent", "compacts") },
        zeroclaw: { dialect: "zeroclaw", socket: path, model: "coder" },
        ...config.workers,
      },
    },
    env: {
      ANTHROPIC_API_KEY: "not-a-real-key",
      ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
      HOOK_SECRET: "whsec_c2VjcmV0IG9mIHRoZSBob29r",
    },
  });
  return {
    server,
    daemon,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
