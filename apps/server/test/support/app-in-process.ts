// A server inside the process of the test, for what cannot be seen from outside: its routes, its features.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import pino from "pino";
import { type App, createApp } from "../../src/app.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { prepareHome } from "../../src/config/home.ts";
import type { Feature } from "../../src/features/feature.ts";

interface OpenedApp extends AsyncDisposable {
  app: App;
  url: string;
  token: string;
}

export async function openApp(
  options: { config?: Partial<Config>; features?: readonly Feature[] } = {},
): Promise<OpenedApp> {
  const token = "a-token-of-this-test-that-is-long-enough";
  const home = mkdtempSync(join(tmpdir(), "patchbay-app-"));
  prepareHome(join(home, ".patchbay"));
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", CI: "1" };
  const app = await createApp({
    config: { ...readConfig(["--port", "0"], env), cwd: home, ...options.config },
    token,
    version: "0",
    webRoot: join(repository, "dist/web"),
    builtinEntry: join(repository, "dist/worker/worker.cjs"),
    log: pino({ enabled: false }),
    onSafety: () => {},
    ...(options.features === undefined ? {} : { features: options.features }),
  });
  const url = await app.listen();
  return {
    app,
    url,
    token,
    async [Symbol.asyncDispose]() {
      await app.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
