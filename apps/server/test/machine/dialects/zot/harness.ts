// Runs a zot translation in a test: records what it sends to the program and what it emits to the server.
import { linesOf } from "@patchbay/protocol";
import { zotDialect } from "../../../../src/machine/dialects/zot/dialect.ts";
import { noMachine } from "../no-machine.ts";

type Value = Record<string, unknown> & { type: string };

export function openZot(model?: string) {
  const sent: Value[] = [];
  const emitted: Value[] = [];
  const translation = zotDialect.open({
    cwd: "/somewhere",
    environment: {},
    model,
    ...noMachine,
    send: (line) => sent.push(JSON.parse(line) as Value),
    emit(lines) {
      const decoder = new TextDecoder();
      for (const line of linesOf(lines)) emitted.push(JSON.parse(decoder.decode(line)) as Value);
    },
  });
  const write = (line: object | string) => {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    translation.fromWorker(Buffer.from(`${text}\n`));
  };
  return {
    sent,
    emitted,
    translation,
    /** Writes a line as the program. */
    write,
    /** Greets it, and answers as zot does. */
    greet(provider: string, own: string) {
      translation.toWorker({ type: "hello", id: "h" });
      const data = { model: own, protocol_version: 1, provider, version: "0.0.0" };
      write({ command: "hello", data, id: "h", success: true, type: "response" });
    },
    response: (id: string) => emitted.find((frame) => frame.type === "response" && frame["id"] === id),
  };
}
