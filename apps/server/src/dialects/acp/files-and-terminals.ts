// What an agent may do through us: read and write files of the session's directory, and run commands in it.
import { readTextFile, writeTextFile } from "./files.ts";
import type { Terminals } from "./terminals.ts";
import type { AgentCalls } from "./wire.ts";

type Served = Omit<AgentCalls, "update" | "permission" | "elicit">;

export const filesAndTerminals = (cwd: string, terminals: Terminals): Served => ({
  readFile: (request) => readTextFile(cwd, request),
  async writeFile(request) {
    await writeTextFile(cwd, request);
    return {};
  },
  createTerminal: (request) => terminals.create(request),
  terminalOutput: ({ terminalId }) => terminals.output(terminalId),
  terminalExit: ({ terminalId }) => terminals.exited(terminalId),
  killTerminal: ({ terminalId }) => terminals.kill(terminalId),
  releaseTerminal: ({ terminalId }) => terminals.release(terminalId),
});
