// The sandbox as a whole: what makes it, what is mounted into it, and what an agent can do about either.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { findBubblewrap, unconfinable } from "../src/index.ts";
import { makePlace, outputOf, sandbox } from "./in-sandbox.ts";

const here = unless(sandbox.works ? null : `no sandbox: ${sandbox.problem}`);

describe("what makes the sandbox", here, () => {
  it("[W155] has the tag in its environment and nothing else, and no variable in its arguments", async () => {
    using place = makePlace();
    const environment = {
      ...place.plan().environment,
      AGENT_SECRET: "chosen-by-the-agent",
      PATCHBAY_WORKER: "the-tag",
    };
    const child = place.start(["/bin/sh", "-c", "echo ready; exec sleep 100"], { environment });
    await once(child.stdout!, "data");
    const outer = `/proc/${child.pid}`;
    expect(readFileSync(`${outer}/environ`, "latin1").split("\0").filter(Boolean)).toEqual([
      "PATCHBAY_WORKER=the-tag",
      expect.stringMatching(/^PWD=/),
    ]);
    expect(readFileSync(`${outer}/cmdline`, "latin1")).not.toContain("chosen-by-the-agent");
    // What runs inside can be found by the tag too.
    const tagged = execFileSync("/bin/sh", [
      "-c",
      "grep -lz PATCHBAY_WORKER=the-tag /proc/[0-9]*/environ 2>/dev/null || true",
    ]);
    expect(String(tagged).trim().split("\n").length).toBeGreaterThan(1);
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await once(child, "close");
  });

  it("[W155] is not changed by what an agent sets: a PATH and a library of its own have an effect inside only", async () => {
    using place = makePlace();
    const evil = join(place.project, "evil");
    mkdirSync(evil);
    const escaped = join(place.base, "escaped");
    for (const name of ["bwrap", "sh", "true"])
      writeFileSync(join(evil, name), `#!/bin/bash\ntouch ${escaped} ${place.project}/inside-path\n`, {
        mode: 0o755,
      });
    writeFileSync(
      join(evil, "evil.c"),
      `#include <stdio.h>\n__attribute__((constructor)) static void f(void) { fopen("${escaped}", "w"); fopen("${place.project}/inside-library", "w"); }\n`,
    );
    execFileSync("gcc", ["-shared", "-fPIC", "-o", "evil.so", "evil.c"], { cwd: evil });
    const script = join(evil, "evil.sh");
    writeFileSync(script, `touch ${escaped} ${place.project}/inside-bash\n`);
    const environment = {
      HOME: place.home,
      PATH: `${evil}:/usr/bin:/bin`,
      LD_PRELOAD: join(evil, "evil.so"),
      LD_LIBRARY_PATH: evil,
      BASH_ENV: script,
      ENV: script,
    };
    await outputOf(place.start(["bash", "-c", "true"], { environment }));
    for (const trick of ["inside-library", "inside-bash"])
      expect(existsSync(join(place.project, trick))).toBe(true);
    expect(existsSync(escaped)).toBe(false);
    // The same without a sandbox leaves it at once.
    execFileSync("/bin/bash", ["-c", "true"], { env: environment, cwd: place.project });
    expect(existsSync(escaped)).toBe(true);
  });

  it("[W155] is found by its real path; relative places are not looked into", () => {
    expect(findBubblewrap("bin:.::../x")).toBeUndefined();
    expect(findBubblewrap(`.:${process.env["PATH"]}`)).toMatch(/^\//);
  });

  it("[W155] leaves no open file behind: the command has its three streams", async () => {
    using place = makePlace();
    writeFileSync(join(place.project, ".envrc"), "");
    const listed = await place.run("ls /proc/self/fd");
    expect(
      listed
        .trim()
        .split("\n")
        .map(Number)
        .filter((fd) => fd < 200),
    ).toEqual([0, 1, 2, 3]); // 3: ls itself
  });

  it("[W155] a file that is swapped for a link all the time does not bring in what the link leads to", async () => {
    using place = makePlace();
    const secret = join(place.home, ".ssh/id");
    mkdirSync(dirname(secret));
    writeFileSync(secret, "CANARY");
    writeFileSync(join(place.project, "plain"), "plain");
    const script = `while :; do ln -sf ${secret} .envrc; rm -f .envrc; cp plain .envrc; done`;
    const swapper = spawn("/bin/sh", ["-c", script], { cwd: place.project, stdio: "ignore" });
    try {
      const seen = new Set<string>();
      for (let round = 0; round < 60; round++)
        seen.add((await place.run("cat .envrc 2>&1; echo over")).trim());
      expect([...seen].join("\n")).not.toContain("CANARY");
      expect([...seen].some((output) => output.includes("over"))).toBe(true);
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
    }
  });

  it("[W155] nor does the directory itself", async () => {
    using place = makePlace();
    const other = join(place.base, "other");
    mkdirSync(other);
    writeFileSync(join(other, "secret"), "CANARY");
    const plan = place.plan();
    // It was looked at when the plan was made; by the time of the mount it is a link.
    renameSync(place.project, `${place.project}.moved`);
    symlinkSync(other, place.project);
    const output = await place.run("cat secret", plan);
    expect(output).not.toContain("CANARY");
  });
});

describe("what is mounted", here, () => {
  it("[W153] a session in the home itself sees it without what is private, and cannot change what a shell runs", async () => {
    using place = makePlace();
    for (const name of [".ssh", ".config/google-chrome", ".cargo/bin"])
      mkdirSync(join(place.home, name), { recursive: true });
    for (const name of [".ssh/id", ".netrc", ".config/google-chrome/Cookies", ".patchbay/token"])
      writeFileSync(join(place.home, name), "CANARY");
    for (const name of [".bashrc", "notes.txt"]) writeFileSync(join(place.home, name), "mine\n");
    const inHome = { cwd: place.home };
    const read = await place.run(
      "cat .ssh/id .netrc .config/google-chrome/Cookies .patchbay/token; ls -A .ssh .patchbay; cat notes.txt",
      inHome,
    );
    expect(read).not.toContain("CANARY");
    expect(read).toContain("mine");
    await place.run(
      "echo EVIL >> .bashrc; echo EVIL > .cargo/bin/git; echo EVIL > .ssh/authorized_keys; mv .config c; echo ours >> notes.txt",
      inHome,
    );
    expect(readFileSync(join(place.home, ".bashrc"), "utf8")).toBe("mine\n");
    expect(existsSync(join(place.home, ".cargo/bin/git"))).toBe(false);
    expect(existsSync(join(place.home, ".ssh/authorized_keys"))).toBe(false);
    expect(readFileSync(join(place.home, "notes.txt"), "utf8")).toContain("ours");
  });

  it("[W153] tool chains of the home are there and cannot be changed; a link among them leads to nothing private", async () => {
    using place = makePlace();
    mkdirSync(join(place.home, ".cargo/bin"), { recursive: true });
    mkdirSync(join(place.home, ".ssh"));
    writeFileSync(join(place.home, ".cargo/bin/tool"), "#!/bin/sh\necho tooled\n", { mode: 0o755 });
    writeFileSync(join(place.home, ".cargo/credentials.toml"), "CANARY");
    writeFileSync(join(place.home, ".ssh/id"), "CANARY");
    symlinkSync(join(place.home, ".ssh"), join(place.home, ".nvm"));
    symlinkSync(place.home, join(place.home, ".pyenv"));
    const output = await place.run(
      "~/.cargo/bin/tool; echo x > ~/.cargo/bin/tool; cat ~/.cargo/credentials.toml ~/.nvm/id ~/.pyenv/.ssh/id; echo own > ~/.cargo/registry && cat ~/.cargo/registry",
    );
    expect(output).toContain("tooled");
    expect(output).toMatch(/Read-only file system[\s\S]*own/);
    expect(output).not.toContain("CANARY");
    expect(existsSync(join(place.home, ".cargo/registry"))).toBe(false);
  });

  const belowTmp = process.cwd().startsWith("/tmp/")
    ? "this clone is below /tmp, which a sandbox has for itself"
    : null;
  it("[W153] a home that is reached through a link is found by both names", unless(belowTmp), async () => {
    mkdirSync(".cache", { recursive: true });
    using place = makePlace(".cache");
    symlinkSync(place.home, join(place.base, "by-name"));
    const home = join(place.base, "by-name");
    const environment = { ...place.plan().environment, HOME: home };
    expect(await place.run("echo kept > ~/x; cat ~/x; cd ~ && pwd -P", { home, environment })).toBe(
      `kept\n${place.home}\n`,
    );
    expect(existsSync(join(place.home, "x"))).toBe(false);
  });

  it("[W157] the operator can add what is read, and what is written", async () => {
    using place = makePlace();
    for (const name of ["data", "cache"]) mkdirSync(join(place.base, name));
    writeFileSync(join(place.base, "data/set"), "numbers");
    const named = {
      readable: [join(place.base, "data")],
      writable: [join(place.base, "cache"), join(place.base, "new")],
    };
    const output = await place.run(
      `cat ${place.base}/data/set; echo x > ${place.base}/data/set || echo refused; echo y > ${place.base}/cache/y; echo z > ${place.base}/new/z`,
      named,
    );
    expect(output).toMatch(/numbers[\s\S]*refused/);
    for (const path of ["cache/y", "new/z"]) expect(existsSync(join(place.base, path))).toBe(true);
    // What it names is there, though it is private elsewhere.
    mkdirSync(join(place.home, ".aws"));
    writeFileSync(join(place.home, ".aws/config"), "region");
    expect(await place.run("cat ~/.aws/config")).not.toContain("region");
    expect(await place.run("cat ~/.aws/config", { readable: [join(place.home, ".aws")] })).toContain(
      "region",
    );
  });

  it("[W144] a directory that contains the system or whole homes cannot be confined to", () => {
    const problem = (cwd: string) => unconfinable(cwd, "/home/a", "/home/a/.patchbay");
    for (const cwd of ["/", "/home", "/var", "/tmp"]) expect(problem(cwd)).toContain("contains the system");
    for (const cwd of ["/home/a", "/home/a/project", "/opt/project", "/tmp/x"])
      expect(problem(cwd)).toBeNull();
    expect(problem("/home/a/.patchbay")).toContain("the server's own files");
    expect(problem("/home/a/.patchbay/sessions/x")).toContain("the server's own files");
    expect(problem("/home/a/.patchbay/worktrees/x")).toBeNull();
  });
});
