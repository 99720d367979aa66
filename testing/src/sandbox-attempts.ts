// Attempts of an agent to break out of its sandbox: one list for the built-in agent's jail and for the sandbox of foreign agents. Each
// is a shell command and a check of its success, so that a test can also show that it succeeds without a sandbox.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRoot, type World } from "./sandbox-world.ts";

export interface Attempt {
  readonly name: string;
  command(world: World): string;
  /** Whether the attempt succeeded: the secret is in its output, or the machine was changed. */
  succeeded(world: World, output: string): boolean;
  /** Needs root even without a sandbox. */
  readonly needsRoot?: boolean;
  /** A harmless command for the host, where the attempt itself must not run. */
  control?(world: World): string;
}

const leaks = ({ canary }: World, output: string): boolean => output.includes(canary);
const prints = (word: string) => (_world: World, output: string) => output.includes(word);
const exists = (path: (world: World) => string) => (world: World) => existsSync(path(world));
const holds = (path: (world: World) => string, text: string) => (world: World) =>
  existsSync(path(world)) && readFileSync(path(world), "utf8").includes(text);

const reads = (path: string): Attempt => ({
  name: `reads ~/${path}`,
  command: ({ home }) => `cat ${home}/${path}`,
  succeeded: leaks,
});

const inProject = (path: string) => (world: World) => join(world.project, path);

const writes = (path: string, command = `echo EVIL >> ${path}`): Attempt => ({
  name: `writes ${path}: ${command}`,
  command: () => command,
  succeeded: holds(inProject(path), "EVIL"),
});

const connects = (name: keyof World["sockets"]): Attempt => ({
  name: `connects to the host's socket: ${name}`,
  command: ({ sockets }) =>
    `node -e 'require("net").connect(process.argv[1]).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))' ${sockets[name]}`,
  succeeded: leaks,
});

const reading: Attempt[] = [
  ...`.ssh/id_ed25519 .aws/credentials .netrc .npmrc .bash_history .gnupg/private .local/share/keyrings/login
  .config/google-chrome/Default/Cookies .mozilla/firefox/x.default/logins.json .pi/agent/auth.json .omp/agent/auth.json
  .gemini/oauth_creds.json .claude.json .codex/auth.json .config/gh/hosts.yml .docker/config.json .kube/config
  Documents/tax.txt other-project/source.txt .patchbay/token .patchbay/scratch/1-other/tmp/notes.txt`
    .split(/\s+/)
    .map(reads),
  {
    name: "reads a directory that is not its own",
    command: ({ outside }) => `cat ${outside}/secret.txt`,
    succeeded: leaks,
  },
  {
    name: "reads through the root of another process",
    command: ({ home }) => `for p in /proc/[0-9]*; do cat $p/root${home}/.ssh/id_ed25519; done 2>/dev/null`,
    succeeded: leaks,
  },
  {
    name: "reads through a link that it makes",
    command: ({ home }) => `ln -s ${home}/.ssh/id_ed25519 way-out; cat way-out; rm way-out`,
    succeeded: leaks,
  },
  {
    name: "reads the environment of a process of the host",
    command: ({ victim }) => `cat /proc/${victim.pid}/environ`,
    succeeded: leaks,
  },
  {
    name: "reads the environment of every process there is",
    command: () => "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'",
    succeeded: leaks,
  },
  {
    name: "reads the passwords of the system",
    command: () => "grep -c : /etc/shadow",
    succeeded: (_world, output) => /^[1-9]/m.test(output),
    needsRoot: true,
  },
];

const reaching: Attempt[] = [
  connects("bus"),
  connects("agent"),
  connects("tmp"),
  connects("docker"),
  {
    name: "kills a process of the host",
    command: ({ victim }) => `kill -9 ${victim.pid}; sleep 0.1`,
    succeeded: ({ victim }) => victim.killed || victim.exitCode !== null || victim.signalCode !== null,
  },
  {
    name: "traces a process of the host",
    command: ({ victim }) =>
      `python3 -c 'import ctypes,sys; print("TRACED" if ctypes.CDLL(None).ptrace(16, int(sys.argv[1]), 0, 0) == 0 else "no")' ${victim.pid}`,
    succeeded: prints("TRACED"),
    needsRoot: true,
  },
];

const planting: Attempt[] = [
  writes(".git/hooks/pre-commit"),
  writes(".git/config", "git config alias.x '!echo EVIL'"),
  writes(".git/config", "cp .git/config c; echo EVIL >> c; mv -f c .git/config"),
  writes(".git/hooks/x", "mv .git moved; cp -r moved .git; echo EVIL > .git/hooks/x"),
  writes(".git/hooks/x", "mv .git/hooks .git/old; mkdir .git/hooks; echo EVIL > .git/hooks/x"),
  writes(".git/hooks/x", "rm -rf .git/hooks; mkdir .git/hooks; echo EVIL > .git/hooks/x"),
  writes(".git/commondir", "mkdir -p evil/hooks; echo ../evil/EVIL > .git/commondir; sleep 0.3"),
  writes(".git/modules/sub/config"),
  writes(".git/modules/sub/hooks/pre-commit"),
  writes(
    ".git/modules/sub/config",
    "mv .git/modules .git/m; cp -r .git/m .git/modules; echo EVIL >> .git/modules/sub/config",
  ),
  writes(".git/worktrees/worktree/commondir"),
  writes(".mcp.json"),
  writes(".mcp.json", "echo EVIL > new; mv -f new .mcp.json"),
  writes(".mcp.json", "rm -f .mcp.json; echo EVIL > .mcp.json"),
  writes(".vscode/settings.json"),
  writes(".vscode/tasks.json", "mv .vscode v; mkdir .vscode; echo EVIL > .vscode/tasks.json"),
  writes(
    ".patchbay/extensions/x/extension.json",
    "mkdir -p .patchbay/extensions/x; echo EVIL > .patchbay/extensions/x/extension.json",
  ),
  writes(".claude/settings.json"),
  writes(".envrc"),
  writes(".husky/pre-commit"),
  {
    name: "writes ~/.bashrc",
    command: ({ home }) => `echo EVIL >> ${home}/.bashrc`,
    succeeded: holds(({ home }) => join(home, ".bashrc"), "EVIL"),
  },
  {
    name: "starts with the desktop",
    command: ({ home }) =>
      `mkdir -p ${home}/.config/autostart; echo EVIL > ${home}/.config/autostart/x.desktop`,
    succeeded: exists(({ home }) => join(home, ".config/autostart/x.desktop")),
  },
  {
    name: "puts a program where programs are found",
    command: ({ home }) => `mkdir -p ${home}/.local/bin; echo EVIL > ${home}/.local/bin/git`,
    succeeded: exists(({ home }) => join(home, ".local/bin/git")),
  },
  {
    name: "adds a key that may log in",
    command: ({ home }) => `mkdir -p ${home}/.ssh; echo EVIL >> ${home}/.ssh/authorized_keys`,
    succeeded: exists(({ home }) => join(home, ".ssh/authorized_keys")),
  },
  {
    name: "trusts its own directory",
    command: ({ home, project }) =>
      `mkdir -p ${home}/.patchbay; echo '{"directories":["${project}","EVIL"]}' > ${home}/.patchbay/trusted.json`,
    succeeded: holds(({ home }) => join(home, ".patchbay/trusted.json"), "EVIL"),
  },
  {
    name: "writes to a directory that is not its own",
    command: ({ outside }) => `mkdir -p ${outside}; echo EVIL > ${outside}/escaped`,
    succeeded: exists(({ outside }) => join(outside, "escaped")),
  },
  ...["/etc", "/usr/local/bin", "/var/spool", "/opt"].map(
    (directory): Attempt => ({
      name: `writes to ${directory}`,
      command: ({ canary }) =>
        `mkdir -p ${directory}; echo EVIL > ${directory}/${canary} && cat ${directory}/${canary}; rm -f ${directory}/${canary}`,
      succeeded: prints("EVIL"),
      needsRoot: true,
    }),
  ),
];

const kernel: Attempt[] = [
  {
    name: "makes a device",
    command: () => "mknod device c 1 3 && echo MADE; rm -f device",
    succeeded: prints("MADE"),
    needsRoot: true,
  },
  {
    name: "mounts",
    command: () =>
      "mkdir -p mnt; mount -t tmpfs none mnt && echo MOUNTED; mount -o remount,bind,rw /etc && echo MOUNTED",
    control: () => "mkdir -p mnt; unshare -m sh -c 'mount -t tmpfs none mnt && echo MOUNTED'",
    succeeded: prints("MOUNTED"),
    needsRoot: true,
  },
  {
    name: "mounts in namespaces of its own",
    command: () => "mkdir -p mnt; unshare -r -m sh -c 'mount -t tmpfs none mnt && echo MOUNTED'",
    succeeded: prints("MOUNTED"),
    needsRoot: true,
  },
  {
    name: "changes its root",
    command: () => "chroot / /bin/sh -c 'echo CHANGED'",
    succeeded: prints("CHANGED"),
    needsRoot: true,
  },
  {
    name: "enters the namespaces of a process of the host",
    command: ({ victim, home }) => `nsenter -t ${victim.pid} -m cat ${home}/.ssh/id_ed25519`,
    succeeded: leaks,
    needsRoot: true,
  },
  {
    name: "sets switches of the kernel",
    command: () => "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo WRITTEN",
    succeeded: prints("WRITTEN"),
    needsRoot: true,
  },
  {
    name: "has privileges",
    command: () => "grep CapEff /proc/self/status",
    succeeded: (_world, output) => /CapEff:\s*0*[1-9a-f]/.test(output),
    needsRoot: true,
  },
];

/** The attempts that succeed on this machine without a sandbox. */
export const attempts = [...reading, ...reaching, ...planting, ...kernel].filter(
  ({ needsRoot }) => isRoot || needsRoot !== true,
);

/** Commands of normal work, which must succeed in a sandbox. */
export interface Honest {
  readonly name: string;
  readonly command: string;
  /** Must be in the output. */
  readonly expected: RegExp;
  /** A program that the command needs. */
  readonly needs?: string;
  /** Takes half a minute of a core. Runs only in the built-in agent's sandbox, which has the same plan as the others. */
  readonly isSlow?: boolean;
}

export const honestWork: readonly Honest[] = [
  { name: "writes and reads in its directory", command: "echo fine > a.txt && cat a.txt", expected: /fine/ },
  {
    name: "commits",
    command: "echo 1 > b.txt && git add b.txt && git commit -qm work && git log --format='%an: %s' -1",
    expected: /A Person: work/,
  },
  {
    name: "installs a package",
    command:
      'mkdir -p lib app && echo \'{"name":"lib","version":"1.0.0","main":"index.js"}\' > lib/package.json && echo \'module.exports = 42\' > lib/index.js && cd app && echo \'{"name":"app","version":"1.0.0"}\' > package.json && npm install --no-audit --no-fund ../lib >/dev/null 2>&1; node -e \'console.log("answer", require("lib"))\'',
    expected: /answer 42/,
    needs: "npm",
  },
  { name: "runs Python", command: "python3 -c 'print(6 * 7)'", expected: /42/, needs: "python3" },
  {
    name: "compiles C",
    command: "gcc -o program src/main.c && ./program && echo compiled",
    expected: /compiled/,
    needs: "gcc",
  },
  {
    name: "builds Go",
    command:
      "mkdir -p g && cd g && printf 'module m\\n\\ngo 1.20\\n' > go.mod && printf 'package main\\n\\nfunc main() { println(\"gone\") }\\n' > main.go && go build -o ../gone . && ../gone",
    expected: /gone/,
    needs: "go",
    isSlow: true, // Go compiles its standard library first
  },
  { name: "resolves names", command: "getent hosts localhost", expected: /localhost/, needs: "getent" },
  {
    name: "has a /tmp",
    command: "echo t > /tmp/t && cat /tmp/t && mktemp -d && ls /var/tmp",
    expected: /^t$/m,
  },
  {
    name: "keeps what it caches in its home",
    command: "mkdir -p ~/.cache/x && echo kept > ~/.cache/x/y",
    expected: /^/,
  },
  { name: "finds it again with the next command", command: "cat ~/.cache/x/y", expected: /kept/ },
  {
    name: "has shared memory and a null device",
    command: "echo s > /dev/shm/s && cat /dev/shm/s /dev/null",
    expected: /s/,
  },
];
