// What an agent may do through us: read and write files of the session's directory, and run commands in it.

import type { AgentCalls } from "../wire/rpc-client.ts";
import { readTextFile, type SessionFiles, writeTextFile } from "./files.ts";
import type { Asker, Questions } from "./questions.ts";
import type { Terminals } from "./terminals.ts";

type Served = Omit<AgentCalls, "update" | "permission" | "elicit">;

export const filesAndTerminals = (
  files: SessionFiles,
  terminals: Terminals,
  questions: Questions,
): Served => ({
  readFile: (request) => readTextFile(files, request),
  async writeFile(request, takenBack) {
    await writeTextFile(files, request, (why) => mayWrite(questions.until(takenBack), request, why));
    return {};
  },
  createTerminal: (request) => terminals.create(request),
  terminalOutput: ({ terminalId }) => terminals.output(terminalId),
  terminalExit: ({ terminalId }) => terminals.exited(terminalId),
  killTerminal: ({ terminalId }) => terminals.kill(terminalId),
  releaseTerminal: ({ terminalId }) => terminals.release(terminalId),
});

/** The person who decides reads some pages, not a file. */
const maxShown = 64 * 1024;

async function mayWrite(
  questions: Asker,
  { path, content }: { path: string; content: string },
  why: string,
): Promise<boolean> {
  const answer = await questions.ask({
    method: "select",
    title: `Write ${path}?`,
    why: `You are asked because ${why}.`,
    tool: "write",
    args: { path, content: content.slice(0, maxShown) },
    options: ["Allow once", "Deny"],
  });
  return answer?.value === "Allow once";
}
