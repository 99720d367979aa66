// A server whose clocks a test can move, so that days pass without sleeping.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { actorConfig } from "../../support/actor.ts";

interface ClockServer {
  server: RunningServer;
  /** Resolves when the time has passed for the server. */
  pass(ms: number): Promise<void>;
}

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export async function startWithClock(config: object = {}): Promise<ClockServer> {
  const file = join(temporaryDirectory("clock"), "ahead");
  let ahead = 0;
  writeFileSync(file, "0");
  const server = await startServer({
    config: actorConfig(config),
    env: { PATCHBAY_TEST_AHEAD: file },
    nodeArgs: ["--import", join(repository, "testing/src/stepping-clock.mjs")],
  });
  return {
    server,
    async pass(ms) {
      ahead += ms;
      writeFileSync(file, String(ahead));
      server.process.kill("SIGUSR2");
      await server.logged(`the clock is ahead by ${ahead}\n`);
    },
  };
}
