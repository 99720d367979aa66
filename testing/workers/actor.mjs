// Acts out one behaviour per prompt: floods, giant and torn lines, questions, crashes, usage.
import { spawn } from "node:child_process";
import { serve } from "./zot-worker.mjs";

const pad = (text, bytes) => text.padEnd(bytes, "x");

serve({
  /** flood COUNT BYTES: that many text_delta lines of exactly that many bytes, LF included. */
  async flood(rest, { writeRaw }) {
    const [count, bytes] = rest.split(" ").map(Number);
    for (let sent = 0; sent < count; ) {
      let batch = "";
      for (const end = Math.min(count, sent + 1000); sent < end; sent++) {
        const head = `{"type":"text_delta","delta":"${sent} `;
        batch += `${pad(head, bytes - 3)}"}\n`;
      }
      if (!writeRaw(batch)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  },
  /** line BYTES: one delta of that size. */
  line(rest, { write }) {
    write({ type: "text_delta", delta: "y".repeat(Number(rest)) });
  },
  say(rest, { write }) {
    write({ type: "text_delta", delta: rest });
  },
  /** raw JSON-STRING: exactly these bytes, whatever they are. */
  raw(rest, { writeRaw }) {
    writeRaw(JSON.parse(rest));
  },
  /** bytes HEX,HEX,…: each part in a write of its own. */
  async bytes(rest) {
    for (const part of rest.split(",")) {
      await new Promise((resolve) =>
        process.stdout.write(Buffer.from(part, "hex"), () => setImmediate(resolve)),
      );
    }
  },
  usage(rest, { write }) {
    const [input, output, cost_usd] = rest.split(" ").map(Number);
    const one = { input, output, cache_read: 0, cache_write: 0, cost_usd };
    write({ type: "usage", ...one, cumulative: one });
  },
  /** spend USD [TIMES [BYTES]]: every 2 ms until it is ended, so many usage frames that cost so much each, with deltas of so many bytes between them. */
  async spend(rest, { writeRaw, untilAborted }) {
    const [cost_usd, times = 1, bytes = 4] = rest.split(" ").map(Number);
    const one = { input: 10, output: 1, cache_read: 0, cache_write: 0, cost_usd };
    const usage = JSON.stringify({ type: "usage", ...one, cumulative: one });
    let sent = 0;
    const timer = setInterval(() => {
      const deltas = `{"type":"text_delta","delta":"${sent++}"}\n{"type":"text_delta","delta":"${" and".padEnd(bytes, ".")}"}\n`;
      writeRaw(`${deltas}${usage}\n`.repeat(times));
    }, 2);
    const stop = await untilAborted;
    clearInterval(timer);
    return stop;
  },
  async hang(_rest, { write, untilAborted }) {
    write({ type: "text_delta", delta: "waiting" });
    return untilAborted;
  },
  async ask(rest, { write, answers }) {
    const timeout = Number(rest);
    const answer = new Promise((resolve) => answers.set("q1", resolve));
    write({
      type: "extension_ui_request",
      id: "q1",
      method: "confirm",
      title: "Sure?",
      ...(timeout ? { timeout } : {}),
    });
    write({ type: "text_delta", delta: `answer: ${JSON.stringify(await answer)}` });
  },
  /** question JSON: asks it, and says what came back. */
  async question(rest, { write, answers }) {
    const answer = new Promise((resolve) => answers.set("q1", resolve));
    write({ type: "extension_ui_request", id: "q1", ...JSON.parse(rest) });
    write({ type: "text_delta", delta: `answer: ${JSON.stringify(await answer)}` });
  },
  /** asking JSON: each frame of the array, then a question, and says what came back. */
  async asking(rest, { write, answers }) {
    for (const frame of JSON.parse(rest)) write(frame);
    const answer = new Promise((resolve) => answers.set("q1", resolve));
    write({ type: "extension_ui_request", id: "q1", method: "confirm", title: "Sure?" });
    write({ type: "text_delta", delta: `answer: ${JSON.stringify(await answer)}` });
  },
  /** frames JSON: each frame of the array, as it is. */
  frames(rest, { write }) {
    for (const frame of JSON.parse(rest)) write(frame);
  },
  /** hangframes JSON: the same, and the turn goes on until it is stopped. */
  async hangframes(rest, { write, untilAborted }) {
    for (const frame of JSON.parse(rest)) write(frame);
    return untilAborted;
  },
  /** Asks, gives up, and goes on without an answer. */
  withdraw(_rest, { write }) {
    write({ type: "extension_ui_request", id: "q1", method: "confirm", title: "Sure?" });
    write({ type: "extension_ui_request", id: "q2", method: "cancel", targetId: "q1" });
  },
  crash(_rest, { write }) {
    write({ type: "text_delta", delta: "about to" });
    process.stderr.write(`fatal: out of cheese\nkey ${process.env.SOME_API_KEY}\n`);
    setImmediate(() => process.exit(3));
    return new Promise(() => {});
  },
  env(rest, { write }) {
    write({ type: "text_delta", delta: JSON.stringify(process.env[rest] ?? null) });
  },
  /** A child that holds its output, in a turn that does not end. */
  heir(_rest, { write, untilAborted }) {
    const child = spawn("sleep", ["1000"], { stdio: ["ignore", "inherit", "ignore"] });
    write({ type: "text_delta", delta: `child ${child.pid}` });
    return untilAborted;
  },
  /** Leaves a child behind that would outlive it. */
  child(_rest, { write }) {
    const child = spawn("sleep", ["1000"], { stdio: "ignore" });
    write({ type: "text_delta", delta: String(child.pid) });
  },
});
