// pi's and omp's rpc as recorded in testing/transcripts, without a model: acts out the scene in each prompt. Sessions are
// files, as theirs are, so that another process can open one.
// node pi-player.mjs pi|omp
import { onLines } from "./lines.mjs";
import { newAnswer } from "./pi-answer.mjs";
import { message, sessionFile } from "./pi-session.mjs";
import { outputOf, piecesOf, sceneIn } from "./scene.mjs";

const isOmp = process.argv[2] === "omp";
const write = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const respond = ({ type, id }, data) =>
  write({ id, type: "response", command: type, success: true, ...(data === undefined ? {} : { data }) });
const refuse = ({ type, id }, error) => write({ id, type: "response", command: type, success: false, error });

const model = {
  id: "fake-chat",
  provider: "fake",
  reasoning: true,
  contextWindow: 128_000,
  maxTokens: 16_384,
};
const session = sessionFile(isOmp ? ".omp" : ".pi");
const given = process.argv.indexOf("--session");
if (given !== -1) session.open(process.argv[given + 1]);
let thinkingLevel = "off";
let running = null;
let calls = 0;
/** Compactions take until they are stopped. */
let slow = false;
let stopCompacting = null;
const questions = new Map();
const steered = [];

/** `message_start` and `message_end`, and kept in the file. */
function tell(spoken) {
  write({ type: "message_start", message: spoken });
  finish(spoken);
}

function finish(spoken) {
  write({ type: "message_end", message: spoken });
  session.add(spoken);
}

async function runTools(wanted, turn) {
  for (const { id: toolCallId, name: toolName, arguments: args } of wanted)
    write({ type: "tool_execution_start", toolCallId, toolName, args });
  for (const { id: toolCallId, name: toolName, arguments: args } of wanted) {
    const output = outputOf(args.command);
    if (output === undefined && !turn.aborted) {
      const partialResult = { content: [{ type: "text", text: "started\n" }], details: {} };
      write({ type: "tool_execution_update", toolCallId, toolName, args, partialResult });
      await turn.stopped;
    }
    const text = turn.aborted ? "Command aborted" : output;
    const content = [{ type: "text", text }];
    if (!turn.aborted)
      write({ type: "tool_execution_update", toolCallId, toolName, args, partialResult: { content } });
    write({ type: "tool_execution_end", toolCallId, toolName, result: { content }, isError: turn.aborted });
    tell({ ...message("toolResult", content), toolCallId, toolName, isError: turn.aborted });
  }
}

/** An extension's gate, in a tool's way. */
async function ask(timeout) {
  const id = `q${++calls}`;
  const answered = new Promise((resolve) => {
    questions.set(id, resolve);
    if (timeout !== undefined) setTimeout(() => resolve({ timedOut: true }), timeout).unref();
  });
  const limit = timeout === undefined ? {} : { timeout };
  write({
    type: "extension_ui_request",
    id,
    method: "confirm",
    title: "Allow tool?",
    message: "bash: x",
    ...limit,
  });
  await answered; // an abort waits behind it, as it does in both
  questions.delete(id);
}

/** One model call and its tools; false: the turn is over. */
async function step(steps, turn) {
  write({ type: "turn_start" });
  const answer = newAnswer({ isOmp, write, finish });
  const over = (stopReason, error) => {
    answer.end(stopReason, error);
    write({ type: "turn_end", message: message("assistant", answer.content), toolResults: [] });
    return false;
  };
  while (steps.length > 0 && !turn.aborted) {
    const next = steps.shift();
    if (next.think) await answer.stream("thinking", [next.think]);
    if (next.say || next.read) await answer.stream("text", piecesOf(next));
    if (next.newer) write({ type: "from_the_future", field: 1 });
    if (next.ask) await ask(next.ask === true ? undefined : next.ask);
    if (next.fail) return over("error", "401: Incorrect API key provided");
    if (next.retry) {
      over("error", "429: Rate limit reached");
      write({ type: "agent_end", messages: [], ...(isOmp ? { isTerminal: false } : { willRetry: true }) });
      const attempt = { attempt: 1, maxAttempts: 3, delayMs: 1, errorMessage: "429: Rate limit reached" };
      write({ type: "auto_retry_start", ...attempt });
      write({ type: "agent_start" });
      turn.retried = true;
      return true;
    }
    if (next.pause) {
      over("error", "429: Rate limit reached");
      write({ type: "agent_end", messages: [], ...(isOmp ? { isTerminal: false } : { willRetry: true }) });
      const attempt = {
        attempt: 1,
        maxAttempts: 3,
        delayMs: 50_000,
        errorMessage: "429: Rate limit reached",
      };
      write({ type: "auto_retry_start", ...attempt });
      await turn.stopped;
      write({ type: "auto_retry_end", success: false, attempt: 1, finalError: "Retry cancelled" });
      turn.hasEnded = !isOmp;
      return false;
    }
    if (next.slow) slow = true;
    if (next.calls) answer.begin(next.calls);
    if (next.wait || next.calls) {
      await turn.stopped;
      return over("aborted", "Request was aborted.");
    }
    if (next.run) {
      const wanted = next.run.map((command) => answer.call(command));
      answer.end("toolUse");
      await runTools(wanted, turn);
      write({ type: "turn_end", message: message("assistant", answer.content), toolResults: [] });
      for (const text of steered.splice(0)) tell(message("user", [{ type: "text", text }]));
      return true;
    }
  }
  if (turn.aborted) return over("aborted", "Request was aborted.");
  over("stop");
  if (turn.retried) write({ type: "auto_retry_end", success: true, attempt: 1 });
  return false;
}

async function prompt(command) {
  if (running !== null) return refuse(command, "Agent is already processing.");
  const turn = { aborted: false, retried: false, stop: () => {}, stopped: null };
  turn.stopped = new Promise((resolve) => {
    turn.stop = () => {
      turn.aborted = true;
      resolve();
    };
  });
  running = turn;
  respond(command);
  write({ type: "agent_start" });
  tell(message("user", [{ type: "text", text: command.message }]));
  const steps = [...sceneIn(command.message)];
  while (await step(steps, turn));
  running = null;
  if (isOmp) {
    write({ type: "agent_end", messages: [], isTerminal: true });
    for (const waiting of turn.aborts ?? []) respond(waiting);
    const status = turn.aborted ? "aborted" : "completed";
    write({ type: "prompt_result", id: command.id, agentInvoked: true, status, sessionSettled: true });
    write({ type: "session_settled" });
  } else {
    if (!turn.hasEnded) write({ type: "agent_end", messages: [], willRetry: false });
    write({ type: "agent_settled", aborted: turn.aborted });
    for (const waiting of turn.aborts ?? []) respond(waiting);
  }
}

const state = () => ({
  model,
  thinkingLevel,
  isStreaming: running !== null,
  isCompacting: false,
  ...(isOmp ? { isSettled: running === null } : {}),
  steeringMode: "one-at-a-time",
  autoCompactionEnabled: true,
  sessionFile: session.path,
  messageCount: session.messages.length,
});

const steer = (command) => {
  steered.push(command.message);
  respond(command);
};
const forks = (command) => respond(command, { messages: session.prompts() });
const fork = (command) => respond(command, { text: session.fork(command.entryId), cancelled: false });
const offered = (command) =>
  respond(command, { commands: [{ name: "gate", description: "Asks first", source: "extension" }] });

const commands = {
  negotiate_protocol: (command) => refuse(command, "unsupported"),
  get_state: (command) => respond(command, state()),
  get_available_models: (command) => respond(command, { models: [model] }),
  set_model: (command) => respond(command, model),
  set_thinking_level(command) {
    thinkingLevel = command.level;
    respond(command);
  },
  get_messages: (command) => respond(command, { messages: session.messages }),
  [isOmp ? "get_available_commands" : "get_commands"]: offered,
  prompt,
  steer,
  follow_up: steer,
  abort(command) {
    if (isOmp && stopCompacting !== null) return; // it reads the next command when it is done
    stopCompacting?.();
    if (running === null) return respond(command);
    running.aborts = [...(running.aborts ?? []), command];
    running.stop();
  },
  compact(command) {
    if (session.messages.length === 0) return refuse(command, "Nothing to compact");
    if (!isOmp) write({ type: "compaction_start", reason: "manual" });
    if (slow) {
      stopCompacting = () => {
        stopCompacting = null;
        write({ type: "compaction_end", reason: "manual", aborted: true, willRetry: false });
        refuse(command, "Turn prefix summarization failed: This operation was aborted");
      };
      return;
    }
    const result = { summary: "What was said so far.", firstKeptEntryId: "x", tokensBefore: 100 };
    if (!isOmp) write({ type: "compaction_end", reason: "manual", aborted: false, willRetry: false, result });
    respond(command, result);
  },
  [isOmp ? "get_branch_messages" : "get_fork_messages"]: forks,
  [isOmp ? "branch" : "fork"]: fork,
  switch_session(command) {
    session.open(command.sessionPath);
    respond(command, { cancelled: false });
  },
  new_session(command) {
    session.begin();
    respond(command, { cancelled: false });
  },
  bash: (command) =>
    respond(command, { output: outputOf(command.command) ?? "", exitCode: 0, cancelled: false }),
  extension_ui_response: ({ id, ...answer }) => questions.get(id)?.(answer),
};

if (isOmp) {
  write({ type: "ready", protocolVersion: 1, supportedProtocolVersions: [1], maxFrameBytes: 1_048_576 });
  write({ type: "available_commands_update", commands: [] });
}
onLines(process.stdin, (line) => {
  const command = JSON.parse(line);
  const carryOut = commands[command.type];
  if (carryOut) carryOut(command);
  else refuse(command, `Unknown command: ${command.type}`);
});
