// Commands an agent runs through us: each a process group of its own that is gone when the terminal is released or
// the agent ends. They see nothing of the agent's keys. What a released one wrote is known until the turn is over: a tool
// call may show it.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { errorCode } from "../../../../diagnostics/error-code.ts";
import type { DialectHost } from "../../dialect.ts";
import { inside } from "./files.ts";
import { TerminalOutput } from "./terminal-output.ts";

interface Exit {
  exitCode: number | null;
  signal: string | null;
}

interface Terminal {
  child: ChildProcess;
  output: TerminalOutput;
  /** As many bytes of it as the agent wants to know. */
  limit: number | undefined;
  /** Somebody is told in a moment that there is more. */
  telling: NodeJS.Timeout | undefined;
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
/** Characters that released ones have written and that are still known; the oldest are forgotten first. */
const maxReleased = 4 * 1024 * 1024;
/** How often people see more of an output: each time all of it is compared with what was shown. */
const tellMs = 50;
const passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "SHELL"];

export class Terminals {
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #start: DialectHost["start"];
  readonly #open = new Map<string, Terminal>();
  readonly #released = new Map<string, Terminal>();
  readonly #wrote: (id: string) => void;

  /** `wrote` is told when there is more, and of the last before anybody knows that it has ended. */
  constructor(
    { cwd, environment, start }: Pick<DialectHost, "cwd" | "environment" | "start">,
    wrote: (id: string) => void,
  ) {
    this.#wrote = wrote;
    this.#cwd = cwd;
    this.#start = start;
    this.#env = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.includes(name)));
  }

  async create(wish: Wish): Promise<{ terminalId: string }> {
    if (this.#open.size >= maxTerminals)
      throw new Error(`${maxTerminals} terminals are open; release one first`);
    const directory = await inside(this.#cwd, wish.cwd ?? this.#cwd);
    const environment = {
      ...this.#env,
      ...Object.fromEntries((wish.env ?? []).map(({ name, value }) => [name, value])),
    };
    const [program, args] = argv(wish);
    const child = this.#start([program, ...args], { directory, environment });
    const terminalId = randomUUID();
    const exited = new Promise<Exit>((resolve) => {
      const ended = (exit: Exit) => {
        terminal.exit ??= exit;
        this.#tell(terminalId, terminal);
        resolve(exit);
      };
      child.once("error", (error) => {
        terminal.output.append(`${error.message}\n`);
        ended({ exitCode: 127, signal: null });
      });
      child.once("close", (exitCode, signal) => ended({ exitCode, signal }));
    });
    const terminal: Terminal = {
      ...{ child, exited, output: new TerminalOutput(), limit: wish.outputByteLimit ?? undefined },
      ...{ telling: undefined, exit: undefined },
    };
    const take = (text: string) => {
      terminal.output.append(text);
      terminal.telling ??= setTimeout(() => this.#tell(terminalId, terminal), tellMs);
    };
    child.stdout?.setEncoding("utf8").on("data", take);
    child.stderr?.setEncoding("utf8").on("data", take);
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

  /** What it has written, for a tool call that shows it; empty when it is unknown. */
  text(id: string): string {
    return (this.#open.get(id) ?? this.#released.get(id))?.output.text ?? "";
  }

  kill(id: string): void {
    end(this.#find(id).child);
  }

  release(id: string): void {
    const terminal = this.#find(id);
    end(terminal.child);
    this.#open.delete(id);
    this.#released.set(id, terminal);
    let chars = [...this.#released.values()].reduce((sum, { output }) => sum + output.text.length, 0);
    for (const [oldest, { output }] of this.#released) {
      if (chars <= maxReleased && this.#released.size <= maxTerminals) break;
      chars -= output.text.length;
      this.#released.delete(oldest);
    }
  }

  /** The turn is over that could have shown them. */
  forgetReleased(): void {
    this.#released.clear();
  }

  close(): void {
    for (const { child, telling } of this.#open.values()) {
      clearTimeout(telling);
      end(child);
    }
    this.#open.clear();
    this.#released.clear();
  }

  #tell(id: string, terminal: Terminal): void {
    clearTimeout(terminal.telling);
    terminal.telling = undefined;
    this.#wrote(id);
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

/** The whole group, at once: whoever asks for it does not want its answer any more. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error; // nobody is left, which is the aim
  }
}
