// Runs commands for an agent, each in its own process group, which is killed when the agent releases the terminal or exits.
// The commands do not get the agent's keys. The output of a released terminal is kept until the turn ends, because a tool call
// may show it.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { errorCode } from "../../../../diagnostics/error-code.ts";
import type { DialectHost } from "../../dialect.ts";
import { TerminalOutput } from "../turn/terminal-output.ts";
import { inside } from "./files.ts";

interface Exit {
  exitCode: number | null;
  signal: string | null;
}

interface Terminal {
  child: ChildProcess;
  output: TerminalOutput;
  /** Bytes of the output that the agent asked for at most. */
  limit: number | undefined;
  /** Set while a notification of new output is scheduled. */
  notifyTimer: NodeJS.Timeout | undefined;
  exit: Exit | undefined;
  exited: Promise<Exit>;
}

interface TerminalRequest {
  command: string;
  args?: readonly string[];
  env?: readonly { name: string; value: string }[];
  cwd?: string | null;
  outputByteLimit?: number | null;
}

/** An agent that has more open forgets to release them. */
const maxTerminals = 32;
/** Characters of output that are kept of released terminals; the oldest terminal is dropped first. */
const maxReleasedChars = 4 * 1024 * 1024;
/** The pause between two notifications of new output: each compares the whole output with what was shown. */
const notifyMs = 50;
const inheritedVariables = ["PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "SHELL"];

export class Terminals {
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #start: DialectHost["start"];
  readonly #open = new Map<string, Terminal>();
  readonly #released = new Map<string, Terminal>();
  readonly #onOutput: (id: string) => void;

  /** `onOutput` is called when there is new output; for the last output it is called before the exit is reported. */
  constructor(
    { cwd, environment, start }: Pick<DialectHost, "cwd" | "environment" | "start">,
    onOutput: (id: string) => void,
  ) {
    this.#onOutput = onOutput;
    this.#cwd = cwd;
    this.#start = start;
    this.#env = Object.fromEntries(
      Object.entries(environment).filter(([name]) => inheritedVariables.includes(name)),
    );
  }

  async create(request: TerminalRequest): Promise<{ terminalId: string }> {
    if (this.#open.size >= maxTerminals)
      throw new Error(`${maxTerminals} terminals are open, which is the limit. Release one first`);
    const directory = await inside(this.#cwd, request.cwd ?? this.#cwd);
    const environment = {
      ...this.#env,
      ...Object.fromEntries((request.env ?? []).map(({ name, value }) => [name, value])),
    };
    const [program, args] = argv(request);
    const child = this.#start([program, ...args], { directory, environment });
    const terminalId = randomUUID();
    const exited = new Promise<Exit>((resolve) => {
      const ended = (exit: Exit) => {
        terminal.exit ??= exit;
        this.#notify(terminalId, terminal);
        resolve(exit);
      };
      child.once("error", (error) => {
        terminal.output.append(`${error.message}\n`);
        ended({ exitCode: 127, signal: null });
      });
      child.once("close", (exitCode, signal) => ended({ exitCode, signal }));
    });
    const terminal: Terminal = {
      ...{ child, exited, output: new TerminalOutput(), limit: request.outputByteLimit ?? undefined },
      ...{ notifyTimer: undefined, exit: undefined },
    };
    const append = (text: string) => {
      terminal.output.append(text);
      terminal.notifyTimer ??= setTimeout(() => this.#notify(terminalId, terminal), notifyMs);
    };
    child.stdout?.setEncoding("utf8").on("data", append);
    child.stderr?.setEncoding("utf8").on("data", append);
    this.#open.set(terminalId, terminal);
    return { terminalId };
  }

  output(id: string): { output: string; truncated: boolean; exitStatus?: Exit } {
    const { output, limit, exit } = this.#find(id);
    return { ...output.end(limit), ...(exit === undefined ? {} : { exitStatus: exit }) };
  }

  exited(id: string): Promise<Exit> {
    return this.#find(id).exited;
  }

  /** Returns the output for a tool call that shows it; empty for an unknown terminal. */
  text(id: string): string {
    return (this.#open.get(id) ?? this.#released.get(id))?.output.text ?? "";
  }

  kill(id: string): void {
    killGroup(this.#find(id).child);
  }

  release(id: string): void {
    const terminal = this.#find(id);
    killGroup(terminal.child);
    this.#open.delete(id);
    this.#released.set(id, terminal);
    let chars = [...this.#released.values()].reduce((sum, { output }) => sum + output.text.length, 0);
    for (const [oldest, { output }] of this.#released) {
      if (chars <= maxReleasedChars && this.#released.size <= maxTerminals) break;
      chars -= output.text.length;
      this.#released.delete(oldest);
    }
  }

  /** Ends the commands of a stopped turn. The agent can still ask for their output. */
  killAll(): void {
    for (const { child } of this.#open.values()) killGroup(child);
  }

  /** Called at the end of a turn: no tool call can show their output any more. */
  dropReleased(): void {
    this.#released.clear();
  }

  close(): void {
    for (const { child, notifyTimer } of this.#open.values()) {
      clearTimeout(notifyTimer);
      killGroup(child);
    }
    this.#open.clear();
    this.#released.clear();
  }

  #notify(id: string, terminal: Terminal): void {
    clearTimeout(terminal.notifyTimer);
    terminal.notifyTimer = undefined;
    this.#onOutput(id);
  }

  #find(id: string): Terminal {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new Error(`there is no terminal ${id}`);
    return terminal;
  }
}

/** Some agents send a whole command line, others a program with its arguments. */
function argv({ command, args = [] }: TerminalRequest): [string, string[]] {
  return args.length === 0 && /\s/.test(command) ? ["/bin/sh", ["-c", command]] : [command, [...args]];
}

/** Kills the whole group at once: the agent does not wait for its result any more. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error; // the group has already exited
  }
}
