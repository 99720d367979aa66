// Git is started in one place of the server, with an environment and settings of its own making.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isAlive } from "@patchbay/testing/processes";
import { repository as checkout } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { OwnRepository } from "../../../src/machine/git/own-repository.ts";
import { findProgram, Git } from "../../../src/machine/git/run-git.ts";
import { directory } from "../../machine/git/repositories.ts";

const source = join(checkout, "apps/server/src");

function* sources(place = source): Generator<[string, string]> {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const path = join(place, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield [relative(source, path), readFileSync(path, "utf8")];
  }
}

/** A program by this name that writes its arguments and environment to a file. */
function fakeGit(): { path: string; seen: () => string } {
  const place = directory();
  writeFileSync(join(place, "git"), `#!/bin/sh\n{ echo "$@"; env; } > ${place}/seen\n`);
  chmodSync(join(place, "git"), 0o755);
  return { path: place, seen: () => readFileSync(join(place, "seen"), "utf8") };
}

describe("the one runner of git", () => {
  const processStarters = [
    "machine/dialects/acp/requests/terminals.ts",
    "machine/dialects/dialect.ts",
    "machine/git/run-git.ts",
    "machine/processes/peer-identity.ts",
    "machine/processes/sandbox.ts",
    "machine/processes/secrets-pipe.ts",
    "machine/processes/start-command.ts",
    "machine/processes/stop.ts",
    "machine/processes/worker-process.ts",
    "machine/profiles/builtin-models.ts",
    "machine/profiles/node-runtimes.ts", // asks a `node` of PATH or of the user's version managers for its version
    "main.ts", // opens a browser
  ];

  it("[L94] is the only file of the server that starts git", () => {
    const starters: string[] = [];
    for (const [path, text] of sources()) {
      const startsProcesses = /["'](node:)?child_process["']/.test(text);
      if (startsProcesses && /["'`](\/\S*\/)?git["'`\s]/.test(text)) starters.push(path);
      expect(path === "machine/git/run-git.ts" || !/\bsimple-git\b|\bisomorphic-git\b/.test(text)).toBe(true);
    }
    expect(starters).toEqual(["machine/git/run-git.ts"]);
    // Who else starts processes is known by name; a new one is looked at here.
    const all = [...sources()]
      .filter(([, text]) => /["'](node:)?child_process["']/.test(text))
      .map(([path]) => path)
      .sort();
    expect(all).toEqual(processStarters);
  });

  it("[L94] gives git nothing of the server's environment, and settings that run nothing", async () => {
    const { path, seen } = fakeGit();
    const git = new Git({ path, limitMs: 5_000, mark: { PATCHBAY_WORKER: "home.git" } });
    const own = await OwnRepository.prepare(join(directory(), "own"));
    await git.run(own, ["version"], { workTree: "/some/where" });
    const [args = "", ...environment] = seen().trim().split("\n");
    const variables = environment.map((line) => line.slice(0, line.indexOf("=")));
    const shell = ["PWD", "OLDPWD", "SHLVL", "_"]; // what the fake's own shell adds
    expect(variables.filter((name) => !shell.includes(name)).sort()).toEqual([
      "GIT_ALLOW_PROTOCOL",
      "GIT_ATTR_NOSYSTEM",
      "GIT_CONFIG_GLOBAL",
      "GIT_CONFIG_NOSYSTEM",
      "GIT_DIR",
      "GIT_INDEX_FILE",
      "GIT_NO_LAZY_FETCH",
      "GIT_NO_REPLACE_OBJECTS",
      "GIT_OPTIONAL_LOCKS",
      "GIT_TERMINAL_PROMPT",
      "GIT_WORK_TREE",
      "HOME",
      "LC_ALL",
      "PATCHBAY_WORKER",
      "PATH",
    ]);
    expect(environment).toContain("HOME=/nonexistent");
    expect(environment).toContain(`GIT_DIR=${own.directory}`);
    for (const setting of ["core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.allow=never"])
      expect(args).toContain(setting);
  });

  it("[L94] takes git from no directory that a session could mean, and from the system's first", () => {
    const { path } = fakeGit();
    const cwd = process.cwd();
    const local = relative(cwd, path);
    expect(findProgram("git", `:.:${local}:./bin`)).toBeUndefined();
    expect(findProgram("git", `${local}:${path}`)).toBe(join(path, "git"));
    expect(findProgram("git", `${path}:/usr/bin:/bin`)).toMatch(/^\/(usr\/)?bin\/git$/);
    const folder = directory();
    mkdirSync(join(folder, "git"));
    expect(findProgram("git", folder)).toBeUndefined();
  });

  it("[L94] ends what takes too long or writes too much, with everything it started", async () => {
    const place = directory();
    const pids = join(place, "pids");
    writeFileSync(
      join(place, "git"),
      `#!/bin/sh\nsleep 1000 &\necho $! $$ >> ${pids}\ncase "$*" in *flood*) yes;; *) sleep 1000;; esac\n`,
    );
    chmodSync(join(place, "git"), 0o755);
    const git = new Git({ path: `${place}:/usr/bin:/bin`.replace(/:.*/, ""), limitMs: 400 });
    const own = await OwnRepository.prepare(join(directory(), "own"));
    await expect(git.run(own, ["wait"])).rejects.toMatchObject({ timedOut: true });
    await expect(git.run(own, ["flood"], { maxBytes: 1_000 })).rejects.toMatchObject({
      outputTooLarge: true,
    });
    const closing = git.run(own, ["wait"], { limitMs: 400 });
    git.close();
    await expect(closing).rejects.toThrow();
    await expect(git.run(own, ["wait"])).rejects.toThrow("shutting down");
    for (const pid of readFileSync(pids, "utf8").trim().split(/\s+/))
      await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });
});
