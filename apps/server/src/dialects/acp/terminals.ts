// Commands an agent runs through us: each a process group of its own that is gone when the terminal is released or
// the agent ends. They see nothing of the agent's keys.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { errorCode } from "../../error-code.ts";
import type { Sides } from "../dialect.ts";
import { inside } from "./files.ts";

interface Exit {
  exitCode: number | null;
  signal: string | null;
}

interface Terminal {
  child: ChildProcess;
  output: string;
  truncated: boolean;
  exit: Exit | undefined;
  exited: Promise<Exit>;
}

interface Wish {
  command: string;
  args?: readonly string[];
  env?: readonly { name: string; value: string }[];
  cwd?: string | null;
  outputByteLimit?: number | null;
}

/** An agent that has more open has forgotten to release them. */
const maxTerminals = 32;
/** What is kept of the output: its end. Agents ask for less. */
const maxOutput = 1024 * 1024;
const passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "SHELL"];

export class Terminals {
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #confine: Sides["confine"];
  readonly #open = new Map<string, Terminal>();

  constructor({ cwd, environment, confine }: Pick<Sides, "cwd" | "environment" | "confine">) {
    this.#cwd = cwd;
    this.#confine = confine;
    this.#env = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.includes(name)));
  }

  async create(wish: Wish): Promise<{ terminalId: string }> {
    if (this.#open.size >= maxTerminals)
      throw new Error(`${maxTerminals} terminals are open; release one first`);
    const cwd = await inside(this.#cwd, wish.cwd ?? this.#cwd);
    const env = {
      ...this.#env,
      ...Object.fromEntries((wish.env ?? []).map(({ name, value }) => [name, value])),
    };
    const [program, args] = argv(wish);
    const [run, ...words] = this.#confine([program, ...args], cwd);
    const child = spawn(run, words, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const limit = Math.min(wish.outputByteLimit ?? maxOutput, maxOutput);
    const exited = new Promise<Exit>((resolve) => {
      child.once("error", (error) => {
        terminal.output += `${error.message}\n`;
        resolve({ exitCode: 127, signal: null });
      });
      child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const terminal: Terminal = { child, output: "", truncated: false, exit: undefined, exited };
    const take = (text: string) => keep(terminal, text, limit);
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    // Never rejects.
    void exited.then((exit) => {
      terminal.exit = exit;
    });
    const terminalId = randomUUID();
    this.#open.set(terminalId, terminal);
    return { terminalId };
  }

  output(id: string): { output: string; truncated: boolean; exitStatus?: Exit } {
    const { output, truncated, exit } = this.#find(id);
    return { output, truncated, ...(exit === undefined ? {} : { exitStatus: exit }) };
  }

  exited(id: string): Promise<Exit> {
    return this.#find(id).exited;
  }

  /** What it has written, for a tool call that shows it; empty when it is unknown. */
  text(id: string): string {
    return this.#open.get(id)?.output ?? "";
  }

  kill(id: string): void {
    end(this.#find(id).child);
  }

  release(id: string): void {
    this.kill(id);
    this.#open.delete(id);
  }

  close(): void {
    for (const { child } of this.#open.values()) end(child);
    this.#open.clear();
  }

  #find(id: string): Terminal {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new Error(`there is no terminal ${id}`);
    return terminal;
  }
}

/** Agents send a whole command line as well as a program with its arguments. */
function argv({ command, args = [] }: Wish): [string, string[]] {
  return args.length === 0 && /\s/.test(command) ? ["/bin/sh", ["-c", command]] : [command, [...args]];
}

function keep(terminal: Terminal, text: string, limit: number): void {
  terminal.output += text;
  // Cut only when twice over the limit, so that a flood is copied rarely.
  if (terminal.output.length <= 2 * limit) return;
  terminal.output = terminal.output.slice(-limit);
  terminal.truncated = true;
}

/** The whole group, at once: whoever asks for it does not want its answer any more. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error; // nobody is left, which is the aim
  }
}
