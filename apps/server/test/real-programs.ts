// The real pi and omp, where `npm run agents` has installed them, in a home that knows the fake model.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";

const programs = join(repository, ".cache/agents/node_modules/.bin");
export const installed = (name: string): boolean => {
  const is = existsSync(join(programs, name));
  if (!is)
    process.stderr.write(
      `${name} is not installed: "npm run agents ${name}" does it. Its tests are skipped.\n`,
    );
  return is;
};

/** A home in which the program knows the fake model, and no other. */
function homeFor(name: "pi" | "omp", model: FakeModel): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
  const agent = join(home, `.${name}/agent`);
  mkdirSync(agent, { recursive: true });
  const provider = {
    baseUrl: `${model.baseUrl}/compatible/v1`,
    api: "openai-completions",
    apiKey: "sk-fake",
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false, supportsStore: false },
    models: [
      {
        id: "fake-chat",
        name: "Fake",
        reasoning: false,
        input: ["text"],
        contextWindow: 128_000,
        maxTokens: 16_384,
        cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      },
    ],
  };
  const models = JSON.stringify({ providers: { fake: provider } }); // JSON is YAML, too
  writeFileSync(join(agent, name === "pi" ? "models.json" : "models.yml"), models);
  if (name === "omp") writeFileSync(join(agent, "config.yml"), "modelRoles: {default: fake/fake-chat}\n");
  return home;
}

export function startReal(name: "pi" | "omp", model: FakeModel): Promise<RunningServer> {
  const bun = join(programs, "bun");
  const command = [join(programs, name), "--mode", name === "pi" ? "rpc" : "rpc-ui"];
  return startServer({
    home: homeFor(name, model),
    config: {
      default_worker: name,
      workers: { [name]: { command: name === "pi" ? command : [bun, ...command], env: ["PI_OFFLINE"] } },
      limits: { worker_start_ms: 90_000, worker_pool: 0 },
    },
    env: { PI_OFFLINE: "1", PATH: `${programs}:${process.env["PATH"] ?? ""}` },
  });
}
