// Handles an agent's requests to read and write files of the session's directory, and to run commands in it.
import type { AgentHandlers } from "../wire/rpc-client.ts";
import { type AgentFiles, readTextFile, writeTextFile } from "./files.ts";
import type { AgentQuestions, QuestionScope } from "./questions.ts";
import type { Terminals } from "./terminals.ts";

type FileAndTerminalHandlers = Omit<AgentHandlers, "update" | "rateLimits" | "permission" | "elicit">;

export const filesAndTerminals = (
  files: AgentFiles,
  terminals: Terminals,
  questions: AgentQuestions,
): FileAndTerminalHandlers => ({
  readFile: (request) => readTextFile(files, request),
  async writeFile(request, cancelled) {
    await writeTextFile(files, request, (why) => askToWrite(questions.withSignal(cancelled), request, why));
    return {};
  },
  createTerminal: (request) => terminals.create(request),
  terminalOutput: ({ terminalId }) => terminals.output(terminalId),
  terminalExit: ({ terminalId }) => terminals.exited(terminalId),
  killTerminal: ({ terminalId }) => terminals.kill(terminalId),
  releaseTerminal: ({ terminalId }) => terminals.release(terminalId),
});

/** A person who decides reads some pages, not a whole file. */
const maxShown = 64 * 1024;

async function askToWrite(
  questions: QuestionScope,
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
