// The bash tool: runs a command, and describes its output and end for the model.
import { stripVTControlCharacters } from "node:util";
import * as z from "zod/mini";
import { runShell, type ShellEnding } from "./shell/shell.ts";
import { defineTool, type ToolOutcome } from "./tool.ts";

export const bash = defineTool({
  name: "bash",
  runsCommands: true,
  description:
    "Run a shell command in the working directory. Output and errors come back together; when there is too much, the middle is cut and a file with everything is named. The command gets no input, and its background processes end with it.",
  args: z.object({
    command: z.string().check(z.minLength(1), z.describe("The command line")),
    timeout: z.optional(
      z.number().check(z.minimum(0), z.describe("Seconds after which it is ended; 0: never")),
    ),
  }),
  preview: async ({ command }) => ({ title: "Run this command?", message: command }),
  run: async ({ command, timeout }, context) => {
    const began = performance.now();
    const ending = await runShell(command, timeout ?? 0, context);
    return report(command, ending, (performance.now() - began) / 1000);
  },
});

function report(command: string, ending: ShellEnding, seconds: number): ToolOutcome {
  const { cause, code, timeout, file, leftBehind } = ending;
  const output = stripVTControlCharacters(ending.text).replace(/\n+$/, "");
  const status = cause === "exit" ? `[exit ${code ?? -1}]` : "[exit -1]";
  const why =
    cause === "aborted" ? " aborted" : cause === "timeout" ? ` ended after its timeout of ${timeout} s` : "";
  const background = leftBehind ? " (background processes were ended)" : "";
  const where = file === null ? "" : ` (full output: ${file})`;
  const text = `$ ${command}\n\n${output === "" ? "" : `${output}\n\n`}${status}${why}${background}${where}  Took ${seconds.toFixed(1)}s`;
  return { content: [{ type: "text", text }], isError: cause !== "exit" || code !== 0 };
}
