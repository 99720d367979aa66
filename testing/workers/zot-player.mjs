// zot rpc as protocols/zot.md has it, to the letter, without a model: acts out the scene in each prompt. Keys are sorted
// as Go's encoder sorts them, so that `type` is the last field, and there are no capabilities in its hello.
import { createInterface } from "node:readline";
import { outputOf, piecesOf, sceneIn } from "./scene.mjs";

const sorted = (value) =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      );
/** Go escapes these; JSON.stringify does not. */
const escaped = (text) =>
  text.replaceAll(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const write = (frame) => process.stdout.write(`${escaped(JSON.stringify(sorted(frame)))}\n`);
const respond = ({ type, id }, data) =>
  write({ type: "response", command: type, success: true, ...(id ? { id } : {}), ...(data ? { data } : {}) });
const time = () => new Date().toISOString();
const spent = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };

let busy = false;
let messages = 0;
let stop = () => {};
let calls = 0;

function tellUsage() {
  const one = { input: 100, output: 10, cache_read: 0, cache_write: 0, cost_usd: 0.00045 };
  for (const key of Object.keys(one)) spent[key] += one[key];
  write({ type: "usage", ...one, cumulative: { ...spent } });
}

/** One model call: what it streams, how it ends, and the commands it wants run. */
async function modelCall(steps, stopped) {
  let text = "";
  const speak = () => {
    if (text === "") write({ type: "assistant_start" });
  };
  while (steps.length > 0) {
    const step = steps[0];
    if (step.retry || step.think || step.ask || step.newer) {
      // Retries are silent, and so are thoughts; and it asks nobody.
      if (step.newer) write({ type: "from_the_future", field: 1 });
      steps.shift();
    } else if (step.fail) {
      return { end: "error", error: "anthropic: http 401: invalid x-api-key" };
    } else if (step.wait) {
      await stopped;
      if (text === "") return { end: "error", error: 'Post "https://…": context canceled', quiet: true };
      return { end: "aborted", error: "context canceled", quiet: true, text };
    } else if (step.run) {
      steps.shift();
      speak();
      const wanted = step.run.map((command) => ({ id: `toolu_${++calls}`, command }));
      for (const { id, command } of wanted) {
        write({ type: "tool_use_start", id, name: "bash" });
        write({ type: "tool_use_args", id, delta: JSON.stringify({ command }) });
        write({ type: "tool_use_end", id });
      }
      return { end: "tool_use", text, wanted };
    } else {
      for (const delta of piecesOf(step)) {
        speak();
        text += delta;
        if (!write({ type: "text_delta", delta }))
          await new Promise((resolve) => process.stdout.once("drain", resolve));
      }
      steps.shift();
    }
  }
  return { end: "end", text };
}

/** Without an end of its own a command runs until it is stopped. False: the turn was stopped. */
async function runTools(wanted, stopped) {
  let aborted = false;
  for (const { id, command } of wanted) {
    const output = outputOf(command);
    if (output === undefined && !aborted) await stopped;
    aborted ||= output === undefined;
    const text = aborted ? `$ ${command}\n\n[exit -1]` : `$ ${command}\n\n${output}\n[exit 0]`;
    if (!aborted) write({ type: "tool_progress", id, text: output });
    write({ type: "tool_result", id, is_error: aborted, content: [{ type: "text", text }] });
  }
  return !aborted;
}

async function prompt(command) {
  busy = true;
  respond(command, { started: true });
  write({ type: "user_message", content: [{ type: "text", text: command.message }], time: time() });
  messages++;
  const stopped = new Promise((resolve) => {
    stop = resolve;
  });
  const steps = [...sceneIn(command.message)];
  for (let step = 1; ; step++) {
    write({ type: "turn_start", step });
    const { end, error, text, wanted = [], quiet } = await modelCall(steps, stopped);
    if (end !== "error") tellUsage();
    const blocks = [
      ...(text ? [{ type: "text", text }] : []),
      ...wanted.map(({ id, command }) => ({ type: "tool_call", id, name: "bash", args: { command } })),
    ];
    if (blocks.length > 0) write({ type: "assistant_message", content: blocks, time: time() });
    for (const call of blocks) if (call.type === "tool_call") write({ ...call });
    write({ type: "turn_end", stop: end, ...(error ? { error } : {}) });
    if (error && !quiet) write({ type: "error", message: error });
    if (end !== "tool_use" || !(await runTools(wanted, stopped))) break;
  }
  messages++;
  busy = false;
  write({ type: "done" });
}

const commands = {
  hello(command) {
    const token = process.env.ZOTCORE_RPC_TOKEN;
    if (token && command.token !== token) process.exit(1);
    const data = {
      protocol_version: 1,
      version: "0.1.62",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
    };
    respond(command, data);
  },
  ping: (command) => respond(command, { pong: true }),
  abort(command) {
    respond(command);
    stop();
  },
  clear(command) {
    messages = 0;
    respond(command);
  },
  get_state: (command) =>
    respond(command, {
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      cwd: process.cwd(),
      message_count: messages,
      busy,
      usage: spent,
    }),
  get_models: (command) => respond(command, { models: [] }),
  compact(command) {
    respond(command, { started: true });
    write({ type: "compact_done", summary: "What was said so far." });
  },
  prompt,
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  const carryOut = commands[command.type];
  if (carryOut) void carryOut(command);
  else
    write({
      type: "response",
      command: command.type,
      id: command.id,
      success: false,
      error: "unknown command",
    });
});
