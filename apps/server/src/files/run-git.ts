// Runs git without anything that a repository, a user or a system could make it run besides: a session's directory
// is the agent's to write, its git config too.
import { execFile } from "node:child_process";

export interface GitCall {
  cwd: string;
  /** Where git is found. */
  path: string;
  /** Beyond what keeps it harmless. */
  env?: Readonly<Record<string, string>>;
  maxBytes?: number;
}

export class GitError extends Error {
  /** It wrote more than was asked for. */
  readonly tooMuch: boolean;

  constructor(message: string, tooMuch: boolean) {
    super(message);
    this.name = "GitError";
    this.tooMuch = tooMuch;
  }
}

const patienceMs = 30_000;
const usualBytes = 8 * 1024 * 1024;
const harmless = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};
const inert = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"];

export function runGit(args: readonly string[], call: GitCall): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      [...inert, ...args],
      {
        cwd: call.cwd,
        env: { PATH: call.path, HOME: "/nonexistent", ...harmless, ...call.env },
        maxBuffer: call.maxBytes ?? usualBytes,
        timeout: patienceMs,
        killSignal: "SIGKILL",
        encoding: "utf8",
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const tooMuch = error.code === ("ERR_CHILD_PROCESS_STDIO_MAXBUFFER" as unknown);
        if (error.code === ("ENOENT" as unknown))
          return reject(new GitError("git is not installed on the server's machine", false));
        reject(new GitError(stderr.trim().split("\n").at(-1) || error.message, tooMuch));
      },
    );
  });
}
