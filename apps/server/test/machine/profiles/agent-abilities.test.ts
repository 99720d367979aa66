// What the list of agents says that each can do, and how it is known.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@patchbay/testing/server-process";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { expect, it } from "vitest";
import { AgentAbilities, type ReportedAbilities } from "../../../src/machine/profiles/agent-abilities.ts";
import { dialects } from "../../../src/machine/profiles/dialects.ts";
import type { Profile } from "../../../src/machine/profiles/profiles.ts";
import { testedAgents } from "../../../src/machine/profiles/tested-agents.ts";
import { openSession } from "../../support/actor.ts";

const files = { home: "/home/x", serverHome: "/home/x/.patchbay", fullAccess: false };
const profile = (name: string, dialect: keyof typeof dialects, command = name): Profile => ({
  ...{ name, files, env: [] },
  dialect: dialects[dialect],
  command: [command],
});
const said = (capabilities: string[], isHello = false, version = "1.2.3"): ReportedAbilities => ({
  ...{ version, capabilities, isHello },
});

/** Settings in memory, with how often they were written. */
function memory() {
  const values = new Map<string, string>();
  let writes = 0;
  return {
    values,
    writes: () => writes,
    async read(name: string) {
      return values.get(name) ?? null;
    },
    async write(name: string, value: string | null) {
      writes++;
      if (value !== null) values.set(name, value);
    },
  };
}
const open = (settings = memory(), path = "/nowhere") =>
  AgentAbilities.open({
    settings,
    path,
    failed: (error) => {
      throw error;
    },
  });

it("[K28] what an agent said is kept over restarts, and written only when it is new", async () => {
  const settings = memory();
  const first = await open(settings);
  const mine = profile("mine", "acp");
  expect(first.of(mine)).toEqual({});
  for (let session = 0; session < 3; session++) first.note(mine, said(["steer", "Not A Name", "images"]));
  await first.settled();
  expect(settings.writes()).toBe(1);
  const known = (await open(settings)).of(mine);
  expect(known).toMatchObject({
    version: "1.2.3",
    capabilities: ["steer", "images"],
    capabilities_from: { source: "session", version: "1.2.3" },
  });
  settings.values.set("agents", '{"mine":{"version":7},"other":"x"}');
  expect((await open(settings)).of(mine)).toEqual({});
  settings.values.set("agents", "not JSON");
  expect((await open(settings)).of(mine)).toEqual({});
});

it("[K28] the hello of an agent with a session of its own leaves open what only that session shows", async () => {
  const abilities = await open();
  const mine = profile("mine", "acp");
  abilities.note(mine, said(["thinking"], true));
  expect(abilities.of(mine)).toEqual({ version: "1.2.3", capabilities: ["thinking"] });
  abilities.note(mine, said(["thinking", "compact"]));
  abilities.note(mine, said(["thinking"], true));
  expect(abilities.of(mine)).toMatchObject({
    capabilities: ["thinking", "compact"],
    capabilities_from: { source: "session" },
  });
  abilities.note(mine, said(["thinking"], true, "2.0.0"));
  expect(abilities.of(mine)).toEqual({ version: "2.0.0", capabilities: ["thinking"] });
});

it("[K28] before its first session, an agent can what its protocol or the suite says", async () => {
  const abilities = await open();
  expect(abilities.of(profile("pi", "pi"))).toMatchObject({
    capabilities: expect.arrayContaining(["steer", "branch"]),
    capabilities_from: { source: "known" },
  });
  const tested = Object.entries(testedAgents).filter(([name]) => !["pi", "omp", "zot"].includes(name));
  expect(tested.length).toBeGreaterThan(0);
  for (const [name, { version, capabilities }] of tested)
    expect(abilities.of(profile(name, "acp"))).toEqual({
      ...{ tested: version, capabilities },
      capabilities_from: { source: "suite", version },
    });
  expect(abilities.of(profile("constructor", "acp"))).toEqual({});
});

it("[K28] the installed version and its Node are read from the package that npm installed, and from no other", async () => {
  const root = temporaryDirectory("packages");
  const bin = join(root, "bin");
  const install = (directory: string, name: string) => {
    mkdirSync(join(directory, "dist"), { recursive: true });
    writeFileSync(join(directory, "dist/cli.js"), "#!/usr/bin/env node\n", { mode: 0o755 });
    writeFileSync(join(directory, "dist/package.json"), '{"type":"module"}');
    writeFileSync(
      join(directory, "package.json"),
      '{"version":"4.5.6","engines":{"node":">=22.19.0 <25"},"scripts":{"postinstall":"exit 1"}}',
    );
    symlinkSync(join(directory, "dist/cli.js"), join(bin, name));
  };
  mkdirSync(bin);
  install(join(root, "lib/node_modules/@someone/agent"), "from-npm");
  install(join(root, "home"), "from-elsewhere");
  const abilities = await open(memory(), bin);
  expect(abilities.of(profile("from-npm", "acp"))).toEqual({ version: "4.5.6", node: "22.19.0" });
  expect(abilities.of(profile("from-elsewhere", "acp"))).toEqual({});
});

it("[K28] the built-in agent can what the list says before it has run, and the list what it says then", async () => {
  await using server = await startServer({ config: { limits: { worker_pool: 0 } } });
  const listed = async () => {
    const { body } = await server.call("GET", "/api/workers");
    const { workers } = body as { workers: { name: string; capabilities: string[]; version?: string }[] };
    return workers.find(({ name }) => name === "builtin");
  };
  const before = await listed();
  expect(before).toMatchObject({ capabilities_from: { source: "known" } });
  await using viewer = await openSession(server);
  expect(viewer.session?.capabilities).toEqual(before?.capabilities);
  expect(await listed()).toMatchObject({
    capabilities: before?.capabilities,
    capabilities_from: { source: "session" },
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});
