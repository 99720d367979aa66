// Profiles of workers: what the config file may say, how a mistake in it is told, and what is listed for a person.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfigFile } from "../../../src/config/config-file.ts";
import { workerEnvironment } from "../../../src/machine/processes/environment.ts";
import { Profiles } from "../../../src/machine/profiles/profiles.ts";

function profiles(workers: object, environment: Record<string, string> = {}): Profiles {
  const { workers: configured } = read({ workers });
  const safety = {
    sandbox: { works: false, problem: "it is not looked for", remedy: "none" },
    workerArguments: [],
    fullAccess: false,
  } as const;
  const places = { readable: [], writable: [] };
  return new Profiles({
    builtinEntry: "main.js",
    home: "/home/x",
    configured,
    environment,
    safety: { ...safety, workerArguments: [] },
    places,
    keys: { environmentFor: (_agent, own) => ({ ...own }) },
  });
}

function read(config: object) {
  const directory = mkdtempSync(join(tmpdir(), "patchbay-profiles-"));
  try {
    const path = join(directory, "patchbay.config.json");
    writeFileSync(path, JSON.stringify(config, null, 1));
    return readConfigFile(path, { required: true });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it("[K17] a worker's PATH has absolute directories only: nothing is looked up where the agent works", () => {
  const found = workerEnvironment({ PATH: ".:bin:/usr/bin::../x:/bin", HOME: "/h" }, []);
  expect(found).toEqual({ PATH: "/usr/bin:/bin", HOME: "/h" });
});

describe("profiles", () => {
  it("[O20] a known program needs no profile, and one that is missing is listed with how to install it", () => {
    const listed = profiles({}, { PATH: "/nowhere" }).list();
    expect(listed.map(({ name, dialect }) => [name, dialect])).toEqual(
      expect.arrayContaining([
        ["builtin", "zot"],
        ["zot", "zot"],
        ["pi", "pi"],
        ["omp", "omp"],
      ]),
    );
    expect(listed.find(({ name }) => name === "pi")).toMatchObject({
      available: false,
      reason: expect.stringContaining("not found in PATH"),
      install: "npm install -g @earendil-works/pi-coding-agent",
    });
  });

  it("[O31] known programs get the keys of all their providers, and the proxy, and nothing else", () => {
    const given = {
      HF_TOKEN: "h",
      AWS_REGION: "r",
      https_proxy: "http://proxy:1",
      NO_PROXY: "localhost",
      DATABASE_URL: "secret",
    };
    const known = profiles({}, given);
    const environment = (name: string) => known.environmentOf(known.get(name));
    const { DATABASE_URL: _none, HF_TOKEN: _key, AWS_REGION: _region, ...proxy } = given;
    for (const name of ["pi", "omp"])
      expect(environment(name)).toEqual({ ...proxy, HF_TOKEN: "h", AWS_REGION: "r" });
    for (const name of ["zot", "gemini", "codex"]) expect(environment(name)).toEqual(proxy);
  });

  it("[O20] a profile changes what it says of a known program, and nothing else", () => {
    const all = profiles(
      { pi: { arguments: ["--no-extensions"], models: ["a/b/c", "d"] } },
      { PATH: "/bin" },
    );
    expect(all.get("pi")).toMatchObject({
      command: ["pi", "--mode", "rpc", "--no-extensions"],
      dialect: { name: "pi" },
    });
    expect(all.get("pi").env).toContain("ANTHROPIC_API_KEY");
    expect(all.list().find(({ name }) => name === "pi")?.models).toEqual([
      { provider: "a", id: "b/c" },
      { provider: "", id: "d" },
    ]);
    const mine = profiles({ mine: { dialect: "omp", command: ["/bin/sh", "x"], env: ["KEY_OF_MINE"] } });
    expect(mine.get("mine")).toMatchObject({
      command: ["/bin/sh", "x"],
      env: ["KEY_OF_MINE"],
      dialect: { name: "omp" },
    });
    expect(mine.list().find(({ name }) => name === "mine")).toMatchObject({ available: true });
  });

  it("[O20] a daemon has models too, and one that is known needs no socket for them", () => {
    const all = profiles(
      {
        zeroclaw: { models: ["coder"] },
        mine: { dialect: "zeroclaw", socket: "/x.sock", models: ["writer"] },
      },
      { ZEROCLAW_SOCKET: "/known.sock" },
    );
    expect(all.get("zeroclaw")).toMatchObject({ socket: "/known.sock", dialect: { name: "zeroclaw" } });
    const models = all.list().flatMap(({ name, models: offered }) => (offered ? [[name, offered]] : []));
    expect(models).toEqual([
      ["zeroclaw", [{ provider: "", id: "coder" }]],
      ["mine", [{ provider: "", id: "writer" }]],
    ]);
  });

  it.each([
    [{ dialect: "klingon" }, "line 4", "workers.x.dialect"],
    [{ env: ["A_KEY=secret"] }, "line 5", "without its value"],
    [{ arguments: "--fast" }, "line 4", "workers.x.arguments: expected array"],
    [{ models: [""] }, "line 5", "workers.x.models.0"],
    [{ colour: "red" }, "line 4", "unknown field colour"],
    [{ dialect: "pi", command: ["pi"], colour: "red" }, "line 8", "unknown field colour"],
  ])("[O20] a mistake is told with its line: %j", (profile, line, words) => {
    expect(() => read({ workers: { x: profile } })).toThrow(line);
    expect(() => read({ workers: { x: profile } })).toThrow(words);
  });
});
