// An answer of pi-player.mjs while it streams, in the frames of pi or of omp.
import { message } from "./pi-session.mjs";

const drained = () => new Promise((resolve) => process.stdout.once("drain", resolve));
let calls = 0;

const usage = (broken) => {
  const cost = broken ? 0 : 0.001;
  const count = broken ? 0 : 100;
  return {
    input: count,
    output: count / 10,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: count,
    cost: { total: cost },
  };
};

/** An answer under way. omp repeats the whole of it in every update; pi sends what is new. */
export function newAnswer({ isOmp, write, finish }) {
  const content = [];
  const event = (assistantMessageEvent) =>
    write({
      type: "message_update",
      assistantMessageEvent: {
        ...assistantMessageEvent,
        ...(isOmp ? { partial: { role: "assistant", content } } : {}),
      },
      ...(isOmp ? {} : { usage: usage(true) }),
    });
  /** As `event` writes a delta, without making half a gigabyte of JSON from the start for an answer of 1 MiB. */
  const delta = (type, contentIndex, key, before, piece) => {
    if (!isOmp) return event({ type, contentIndex, delta: piece });
    const head = `{"type":"message_update","assistantMessageEvent":{"type":"${type}","contentIndex":${contentIndex},"delta":`;
    const others = content
      .slice(0, contentIndex)
      .map((block) => `${JSON.stringify(block)},`)
      .join("");
    const partial = `,"partial":{"role":"assistant","content":[${others}{"type":"${content[contentIndex].type}","${key}":"`;
    const line = [head, JSON.stringify(piece), partial].join("");
    return process.stdout.write(Buffer.concat([Buffer.from(line), ...before, Buffer.from('"}]}}}\n')]));
  };
  write({ type: "message_start", message: message("assistant", []) });
  return {
    content,
    async stream(kind, pieces) {
      const key = kind === "text" ? "text" : "thinking";
      if (content.at(-1)?.type !== kind)
        event({ type: `${kind}_start`, contentIndex: content.push({ type: kind, [key]: "" }) - 1 });
      const contentIndex = content.length - 1;
      const block = content[contentIndex];
      const told = [Buffer.from(JSON.stringify(block[key]).slice(1, -1))];
      for (const piece of pieces) {
        block[key] += piece;
        told.push(Buffer.from(JSON.stringify(piece).slice(1, -1)));
        if (!delta(`${kind}_delta`, contentIndex, key, told, piece)) await drained();
      }
      event({ type: `${kind}_end`, contentIndex, content: block[key] });
    },
    /** The beginning of a call that will not come to its end. */
    begin(command) {
      const call = { type: "toolCall", id: `call_${++calls}`, name: "bash", arguments: {} };
      const contentIndex = content.push(call) - 1;
      const named = isOmp ? {} : { id: call.id, toolName: call.name };
      event({ type: "toolcall_start", contentIndex, ...named });
      event({ type: "toolcall_delta", contentIndex, delta: JSON.stringify({ command }).slice(0, -2) });
    },
    call(command) {
      const call = { type: "toolCall", id: `call_${++calls}`, name: "bash", arguments: { command } };
      const contentIndex = content.push(call) - 1;
      const named = isOmp ? {} : { id: call.id, toolName: call.name };
      event({ type: "toolcall_start", contentIndex, ...named });
      event({ type: "toolcall_delta", contentIndex, delta: JSON.stringify(call.arguments) });
      event({ type: "toolcall_end", contentIndex, toolCall: call });
      return call;
    },
    end(stopReason, errorMessage) {
      const broken = stopReason === "aborted" || stopReason === "error";
      const more = { usage: usage(broken), stopReason, ...(errorMessage ? { errorMessage } : {}) };
      finish({ ...message("assistant", content), ...more });
    },
  };
}
