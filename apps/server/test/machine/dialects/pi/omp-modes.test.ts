// An omp that does not know the preferred mode is started in the one it knows.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureWorker, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { turn, turns } from "../recorded.ts";

/** A home with an `omp` in it that notes how it was started, and knows only these modes. */
function homeWithOmp(...modes: string[]): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
  const player = fixtureWorker("pi-player", "omp")
    .map((part) => `"${part}"`)
    .join(" ");
  const program = join(home, "bin/omp");
  mkdirSync(join(home, "bin"));
  const known = modes.map((mode) => `"${mode}") exec ${player} ;;`).join("\n");
  writeFileSync(
    program,
    `#!/bin/sh\necho "$2" >> ${home}/modes\ncase "$2" in\n${known}\nesac\necho "unknown mode $2" >&2\nexit 2\n`,
  );
  chmodSync(program, 0o755);
  return home;
}

const start = (home: string) =>
  startServer({
    home,
    config: { default_worker: "omp" },
    env: { PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}` },
  });

describe("omp's modes", () => {
  it("[O22] an older omp is started in the mode it knows, and at once the next time", async () => {
    const home = homeWithOmp("rpc");
    await using server = await start(home);
    await using viewer = await openSession(server);
    await viewer.state("idle");
    await turn(viewer, "hello");
    expect(turns(viewer)).toMatchObject([{ stop: "end" }]);
    expect(viewer.transcript.marks.map(({ kind }) => kind)).toEqual(["turn"]);
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
    await turn(viewer, "again");
    expect(readFileSync(join(home, "modes"), "utf8").split("\n").filter(Boolean)).toEqual([
      "rpc-ui",
      "rpc",
      "rpc",
    ]);
  });

  it("[O22] one that knows neither fails with the reason", async () => {
    await using server = await start(homeWithOmp());
    await using viewer = await openSession(server);
    const deaths = () => viewer.transcript.marks.filter(({ kind }) => kind === "worker_exit");
    await viewer.state("failed");
    expect(deaths()).toHaveLength(1);
    expect(JSON.stringify(deaths()[0])).toContain("unknown mode rpc");
    expect(await viewer.ask({ type: "prompt", message: "hello" })).toMatchObject({ success: false });
  });
});
