// Runs a pi or omp translation in a test: records what it sends to the program and what it emits to the server.
import { LineSplitter, linesOf } from "@patchbay/protocol";
import { ompDialect, piDialect } from "../../../../src/machine/dialects/pi/dialect.ts";
import { noMachine } from "../no-machine.ts";

type Value = Record<string, unknown> & { type: string };
const read = (line: Uint8Array | string): Value =>
  JSON.parse(typeof line === "string" ? line : new TextDecoder().decode(line)) as Value;

export function openHarness(program: "pi" | "omp") {
  const sent: Value[] = [];
  const emitted: Value[] = [];
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
      for (const line of linesOf(lines)) emitted.push(read(line));
    },
  });
  const splitter = new LineSplitter({ maxLineBytes: 64 * 1024 * 1024 });
  const write = (...lines: (object | string)[]) => {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    for (const run of splitter.pushRuns(Buffer.from(`${text.join("\n")}\n`))) translation.fromWorker(run);
  };
  const lastSent = (type: string): Value | undefined => sent.findLast((command) => command.type === type);
  return {
    sent,
    emitted,
    translation,
    /** Writes lines as the program. */
    write,
    /** The last command of this type that was sent to the program. */
    lastSent,
    /** Responds to it as the program. */
    answer(type: string, data?: unknown) {
      write({ type: "response", id: lastSent(type)?.["id"], command: type, success: true, data });
    },
    refuse(type: string, error: string) {
      write({ type: "response", id: lastSent(type)?.["id"], command: type, success: false, error });
    },
    /** The emitted frames of this type. */
    of: (type: string) => emitted.filter((frame) => frame.type === type),
    response: (id: string) => emitted.find((frame) => frame.type === "response" && frame["id"] === id),
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
