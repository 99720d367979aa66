// The sandbox of an ordinary user, who has no privilege to make one with: tried as nobody, by root.
import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unless } from "@patchbay/testing/skips";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { sandbox } from "./in-sandbox.ts";

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const problem = !sandbox.works
  ? `no sandbox: ${sandbox.problem}`
  : isRoot
    ? null
    : "only root can become another user";

const command = `id -u; cat ~/.ssh/id; echo x > ~/own && cat ~/own; echo y > here.txt; touch /etc/x; unshare -r true || echo no-namespace; grep CapEff /proc/self/status; git init -q . && git -c user.name=a -c user.email=a commit -q --allow-empty -m first && git log --format=%s`;

/** Plain JavaScript, so that another user needs nothing of this repository. */
const program = `
import { findSandbox, makeScratch, privatePlaces, startInSandbox } from "./sandbox.mjs";
const [base] = process.argv.slice(2);
const home = base + "/home";
const sandbox = await findSandbox(process.env.PATH);
if (!sandbox.works) throw new Error(sandbox.problem);
const scratch = makeScratch(base + "/server");
const plan = { cwd: base + "/project", writable: [], readable: [], hidden: privatePlaces(home, []), network: true, home, scratch,
  environment: { PATH: process.env.PATH, HOME: home } };
const child = startInSandbox({ bubblewrap: sandbox.bubblewrap, plan, command: ["/bin/sh", "-c", ${JSON.stringify(command)}], tag: {}, stdin: "ignore", joined: true });
child.stdout.pipe(process.stdout);
`;

it("[W153] holds for an ordinary user too, and lets them work", unless(problem), async () => {
  const base = realpathSync(mkdtempSync("/var/tmp/patchbay-nobody-"));
  try {
    for (const name of ["home", "home/.ssh", "server", "project"]) mkdirSync(join(base, name));
    writeFileSync(join(base, "home/.ssh/id"), "CANARY");
    writeFileSync(join(base, "main.mjs"), program);
    await build({
      entryPoints: [join(import.meta.dirname, "../src/index.ts")],
      outfile: join(base, "sandbox.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
    });
    for (const name of [".", "home", "home/.ssh", "home/.ssh/id", "server", "project"])
      chownSync(join(base, name), nobody, nobody);
    const output = await new Promise<string>((resolve, reject) => {
      let text = "";
      const child = spawn(process.execPath, [join(base, "main.mjs"), base], {
        uid: nobody,
        gid: nobody,
        cwd: "/",
        env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: join(base, "home") },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
      child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part));
      child.once("error", reject);
      child.once("close", () => resolve(text));
    });
    expect(output).toMatch(/^65534$/m);
    expect(output).not.toContain("CANARY");
    expect(output).toMatch(/^x$/m);
    expect(output).toMatch(/touch: .*(Read-only file system|Permission denied)/);
    expect(output).toContain("no-namespace");
    expect(output).toMatch(/CapEff:\s+0+$/m);
    expect(output).toMatch(/^first$/m);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
