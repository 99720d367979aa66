// zot rpc without a model: acts out the scene in each prompt, as protocols/zot.md has it and as the real program of May 2026 was
// recorded (testing/transcripts/zot-2026-05). Keys are sorted as Go's encoder sorts them, so that `type` is the last field, and there
// are no capabilities in its hello.
import { onLines } from "./lines.mjs";
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
const refuse = ({ type, id }, error) =>
  write({ type: "response", command: type, success: false, error, ...(id ? { id } : {}) });
const time = () => new Date().toISOString();
const spent = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };

const argument = (name) => process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
const models = ["claude-sonnet-4-5", "claude-opus-4-5"];
/** A model that it does not know is replaced without a word, and so is a provider. */
let model = models.includes(argument("--model")) ? argument("--model") : models[0];

let busy = false;
/** As `get_messages` returns them. */
const messages = [];
let stop = () => {};
let calls = 0;
/** Compactions take until they are stopped. */
let slow = false;
let authed = !process.env.ZOTCORE_RPC_TOKEN;
/** One prompt or compaction at a time; the others wait, and have not started. */
let turn = Promise.resolve();

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
    if (step.retry) {
      // It tries only connections and 502 to 504 again, and does not tell.
      return { end: "error", error: "anthropic: http 429: slow down" };
    } else if (step.think || step.ask || step.newer || step.slow) {
      // Thoughts are silent, and it asks nobody.
      if (step.newer) write({ type: "from_the_future", field: 1 });
      slow ||= step.slow === true;
      steps.shift();
    } else if (step.calls) {
      speak();
      const id = `toolu_${++calls}`;
      write({ type: "tool_use_start", id, name: "bash" });
      write({ type: "tool_use_args", id, delta: JSON.stringify({ command: step.calls }).slice(0, -2) });
      await stopped;
      return { end: "aborted", error: "context canceled", quiet: true };
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
  const results = [];
  for (const { id, command } of wanted) {
    const output = outputOf(command);
    const wasAborted = aborted;
    if (output === undefined && !aborted) await stopped;
    aborted ||= output === undefined;
    // What was to run after it does not even start.
    const killed = wasAborted ? "aborted: start: context canceled" : `$ ${command}\n\n[exit -1]`;
    const text = aborted ? killed : `$ ${command}\n\n${output}\n[exit 0]`;
    if (!aborted) write({ type: "tool_progress", id, text: output });
    const result = { is_error: aborted, content: [{ type: "text", text }] };
    write({ type: "tool_result", id, ...result });
    results.push({ type: "tool_result", call_id: id, ...result });
  }
  messages.push({ role: "tool", content: results, time: time() }); // all results of a step are one
  return !aborted;
}

function say(type, content) {
  const message = { content, time: time() };
  write({ type, ...message });
  messages.push({ role: type === "user_message" ? "user" : "assistant", ...message });
}

async function prompt(command) {
  busy = true;
  respond(command, { started: true });
  say("user_message", [{ type: "text", text: command.message }]);
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
    if (blocks.length > 0) say("assistant_message", blocks);
    for (const call of blocks) if (call.type === "tool_call") write({ ...call });
    write({ type: "turn_end", stop: end, ...(error ? { error } : {}) });
    if (error && !quiet) write({ type: "error", message: error });
    if (end !== "tool_use") break;
    if (!(await runTools(wanted, stopped))) break;
  }
  busy = false;
  write({ type: "done" });
}

/** So many of the last messages stay as they are. */
const keptTail = 4;

async function compact(command) {
  respond(command, { started: true });
  if (messages.length === 0) return write({ type: "error", message: "nothing to compact" });
  if (messages.length <= keptTail)
    return write({ type: "error", message: "nothing to compact: keep-tail covers the whole transcript" });
  if (slow)
    return new Promise((resolve) => {
      stop = resolve; // and nothing tells of it
    });
  const summary = "What was said so far.";
  const text = `## Context Summary (compacted)\n\n${summary}`;
  messages.splice(0, messages.length - keptTail, {
    role: "user",
    content: [{ type: "text", text }],
    time: time(),
  });
  write({ type: "compact_done", summary });
}

const commands = {
  hello(command) {
    if (!authed && command.token !== process.env.ZOTCORE_RPC_TOKEN) {
      refuse(command, "invalid token");
      process.exit(1);
    }
    authed = true;
    const data = {
      protocol_version: 1,
      version: "0.1.62",
      provider: "anthropic",
      model,
    };
    respond(command, data);
  },
  ping: (command) => respond(command, { pong: true }),
  abort(command) {
    busy = false; // at once, before the turn has wound down
    stop();
    respond(command);
  },
  clear(command) {
    messages.length = 0;
    respond(command);
  },
  get_state: (command) =>
    respond(command, {
      provider: "anthropic",
      model,
      cwd: process.cwd(),
      message_count: messages.length,
      busy,
      usage: spent,
    }),
  get_messages: (command) => respond(command, { messages }),
  get_models: (command) =>
    respond(command, {
      models: models.map((id) => ({
        ...{ id, provider: "anthropic", context_window: 200_000, max_output: 64_000, reasoning: true },
      })),
    }),
  // At once, also in the middle of a turn: the next model call uses it.
  set_model(command) {
    if (!models.includes(command.model))
      return refuse(command, `unknown model "${command.model}" (provider="anthropic")`);
    model = command.model;
    respond(command, { model });
  },
  compact: (command) => inTurn(() => compact(command)),
  prompt: (command) => inTurn(() => prompt(command)),
};

function inTurn(job) {
  turn = turn.then(job);
}

function read(line) {
  try {
    const command = JSON.parse(line);
    if (typeof command.type === "string" && ["string", "undefined"].includes(typeof command.id))
      return command;
    return refuse({ type: "" }, "malformed json: json: cannot unmarshal number into Go struct field");
  } catch (error) {
    return refuse({ type: "" }, `malformed json: ${error.message}`);
  }
}

onLines(process.stdin, (line) => {
  const command = line.trim() === "" ? undefined : read(line);
  if (typeof command !== "object") return;
  if (!authed && command.type !== "hello")
    return refuse(command, "auth required: send hello with token first");
  const carryOut = commands[command.type];
  if (carryOut) carryOut(command);
  else refuse(command, "unknown command");
});
