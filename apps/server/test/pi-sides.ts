// The two sides of a pi or omp translation, held by a test: what it sends to the program, and what it says to us.
import { LineSplitter, linesOf } from "@patchbay/protocol";
import { ompDialect, piDialect } from "../src/machine/dialects/pi/dialect.ts";
import { noMachine } from "./no-machine.ts";

type Value = Record<string, unknown> & { type: string };
const read = (line: Uint8Array | string): Value =>
  JSON.parse(typeof line === "string" ? line : new TextDecoder().decode(line)) as Value;

export function openSides(program: "pi" | "omp") {
  const sent: Value[] = [];
  const said: Value[] = [];
  const raw: Uint8Array[] = [];
  const dialect = program === "pi" ? piDialect : ompDialect;
  const translation = dialect.open({
    cwd: "/somewhere",
    environment: {},
    model: undefined,
    ...noMachine,
    send: (line) => sent.push(read(line)),
    emit(lines) {
      raw.push(lines);
      for (const line of linesOf(lines)) said.push(read(line));
    },
  });
  const splitter = new LineSplitter({ maxLineBytes: 64 * 1024 * 1024 });
  const write = (...lines: (object | string)[]) => {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    for (const run of splitter.pushRuns(Buffer.from(`${text.join("\n")}\n`))) translation.fromWorker(run);
  };
  const asked = (type: string): Value | undefined => sent.findLast((command) => command.type === type);
  return {
    sent,
    said,
    translation,
    /** The program writes lines. */
    write,
    /** The last command of this type that the program was sent. */
    asked,
    /** The program answers it. */
    answer(type: string, data?: unknown) {
      write({ type: "response", id: asked(type)?.["id"], command: type, success: true, data });
    },
    refuse(type: string, error: string) {
      write({ type: "response", id: asked(type)?.["id"], command: type, success: false, error });
    },
    /** What it said of this type. */
    of: (type: string) => said.filter((frame) => frame.type === type),
    response: (id: string) => said.find((frame) => frame.type === "response" && frame["id"] === id),
    bytes: () => raw.reduce((sum, lines) => sum + lines.length, 0),
    [Symbol.dispose]: () => translation.close(),
  };
}

export const model = {
  id: "fake-chat",
  provider: "fake",
  contextWindow: 128_000,
  maxTokens: 16_384,
  reasoning: true,
};

export const idleState = {
  model,
  thinkingLevel: "off",
  isStreaming: false,
  isCompacting: false,
  messageCount: 0,
};
