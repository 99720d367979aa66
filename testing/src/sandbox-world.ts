// The targets of the sandbox tests: a person's home with secrets in the usual places, a repository, listening sockets, and a process to
// kill. Every secret contains the same canary, so that a test recognizes a leak.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";

export const isRoot = process.getuid?.() === 0;

export interface World extends AsyncDisposable {
  readonly canary: string;
  /** The person's home. */
  readonly home: string;
  /** The server's home. */
  readonly serverHome: string;
  /** The agent's directory: a repository with files that other programs run later. */
  readonly project: string;
  /** A directory that the agent must not see. */
  readonly outside: string;
  /** Unix sockets of the host that send the canary, by the service that they imitate. */
  readonly sockets: Readonly<Record<"bus" | "agent" | "tmp" | "docker", string>>;
  /** A process of the host with the canary in its environment. */
  readonly victim: ChildProcess;
  /** The environment of the person's programs. */
  readonly environment: Readonly<Record<string, string>>;
}

const secrets =
  `.ssh/id_ed25519 .aws/credentials .netrc .npmrc .bash_history .gnupg/private .local/share/keyrings/login
  .config/google-chrome/Default/Cookies .mozilla/firefox/x.default/logins.json .pi/agent/auth.json .omp/agent/auth.json
  .gemini/oauth_creds.json .claude.json .codex/auth.json .config/gh/hosts.yml .docker/config.json .kube/config
  Documents/tax.txt other-project/source.txt .patchbay/token .patchbay/scratch/1-other/tmp/notes.txt`.split(
    /\s+/,
  );

/** In /var/tmp: a sandbox has its own /tmp, so a secret in the host's /tmp would be invisible without proving anything. */
export const makeHome = (): string => realpathSync(mkdtempSync("/var/tmp/patchbay-world-"));

export async function plantWorld(home: string): Promise<World> {
  const canary = `CANARY-${randomBytes(8).toString("hex")}`;
  const project = join(home, "project");
  const outside = realpathSync(mkdtempSync("/var/tmp/patchbay-outside-"));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const path of secrets) if (!existsSync(join(home, path))) put(join(home, path), canary);
  put(join(outside, "secret.txt"), canary);
  put(join(home, ".bashrc"), "# the person's own\n");
  put(join(home, ".gitconfig"), "[user]\n\tname = A Person\n\temail = person@example.org\n");
  for (const path of [
    ".mcp.json",
    ".vscode/settings.json",
    ".patchbay/settings.json",
    ".claude/settings.json",
  ])
    put(join(project, path), "{}\n");
  put(join(project, ".envrc"), "# nothing\n");
  put(join(project, ".husky/pre-commit"), "#!/bin/sh\n");
  put(join(project, "src/main.c"), "int main(void) { return 0; }\n");
  makeRepository(project);
  const rest = randomBytes(4).toString("hex");
  const sockets = {
    bus: join(home, "run/bus"),
    agent: join(home, "run/agent.sock"),
    tmp: `/tmp/patchbay-attack-${rest}.sock`,
    docker: isRoot ? `/run/patchbay-attack-${rest}/docker.sock` : join(home, "run/docker.sock"),
  };
  const servers = await Promise.all(Object.values(sockets).map((path) => listen(path, canary)));
  const victim = spawn("sleep", ["1000"], { env: { PATH: process.env["PATH"] ?? "", KEY: canary } });
  return {
    ...{ canary, home, serverHome: join(home, ".patchbay"), project, outside, sockets, victim },
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_RUNTIME_DIR: dirname(sockets.bus),
      SSH_AUTH_SOCK: sockets.agent,
    },
    async [Symbol.asyncDispose]() {
      victim.kill("SIGKILL");
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      if (isRoot) rmSync(dirname(sockets.docker), { recursive: true, force: true });
      for (const path of [home, outside]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** With a submodule's git directory and a second worktree, as in real repositories. */
function makeRepository(directory: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  const sub = join(directory, ".git/modules/sub");
  mkdirSync(join(sub, "hooks"), { recursive: true });
  writeFileSync(join(sub, "config"), "[core]\n");
  git("worktree", "add", "-q", join(dirname(directory), "worktree"));
}

async function listen(path: string, answer: string): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer((socket) => socket.end(`${answer}\n`)).listen(path);
  await new Promise((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", reject);
  });
  return server;
}
