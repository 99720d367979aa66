// What the ACP agent for tests can be told to do, one word each: the first of a prompt.
import { spawn, spawnSync } from "node:child_process";
import { RequestError } from "@agentclientprotocol/sdk";
import { compactsSlowly, play } from "./acp-player.mjs";

let spent = 0;

export const actions = {
  say: (rest, { text }) => text(rest),
  async think(rest, { text, thought }) {
    await thought("Let me see.");
    await text(rest);
  },
  async tool(_rest, { text, update }) {
    await text("I look. ");
    const toolCallId = "t1";
    await update({
      sessionUpdate: "tool_call",
      toolCallId,
      title: "Run it",
      kind: "execute",
      status: "pending",
      rawInput: { command: "make" },
    });
    const content = (words) => [{ type: "content", content: { type: "text", text: words } }];
    await update({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "in_progress",
      content: content("one"),
    });
    await update({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "in_progress",
      content: content("one two"),
    });
    await update({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "completed",
      content: content("one two three"),
    });
    await text("Done.");
  },
  async parallel(_rest, { text, update }) {
    for (const id of ["a", "b"])
      await update({
        sessionUpdate: "tool_call",
        toolCallId: id,
        title: `Read ${id}`,
        kind: "read",
        status: "in_progress",
      });
    await update({
      sessionUpdate: "tool_call_update",
      toolCallId: "b",
      status: "failed",
      rawOutput: "no such file",
    });
    await update({
      sessionUpdate: "tool_call_update",
      toolCallId: "a",
      status: "completed",
      locations: [{ path: "/a.txt", line: 3 }],
      content: [{ type: "diff", path: "/a.txt", oldText: "one\n", newText: "two\n" }],
    });
    await text("Both.");
  },
  async permit(rest, { text, client, sessionId }) {
    const asked = {
      sessionId,
      toolCall: {
        toolCallId: "p1",
        title: "Delete everything",
        kind: "execute",
        rawInput: { command: "rm -rf /" },
      },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    };
    const { outcome } = await client.request("session/request_permission", asked, patience(rest));
    await text(JSON.stringify(outcome));
  },
  async form(rest, { text, client, sessionId }) {
    const requestedSchema = {
      type: "object",
      properties: {
        branch: {
          type: "string",
          title: "Branch",
          oneOf: [
            { const: "m", title: "main" },
            { const: "d", title: "dev" },
          ],
        },
        count: { type: "integer", title: "How many" },
        sure: { type: "boolean", title: "Sure" },
      },
      required: ["branch", "count"],
    };
    const asked = { sessionId, mode: "form", message: "Which branch?", requestedSchema };
    await text(JSON.stringify(await client.request("elicitation/create", asked, patience(rest))));
  },
  async read(path, { text, client, sessionId }) {
    const { content } = await client.request("fs/read_text_file", { sessionId, path });
    await text(content);
  },
  /** Says the code of the refusal. */
  async missing(path, { text, client, sessionId }) {
    const refused = client.request("fs/read_text_file", { sessionId, path });
    await text(
      String(
        await refused.then(
          () => "read",
          ({ code }) => code,
        ),
      ),
    );
  },
  async write(rest, { text, client, sessionId }) {
    const [path, ...words] = rest.split(" ");
    await client.request("fs/write_text_file", { sessionId, path, content: words.join(" ") });
    await text("written");
  },
  async terminal(command, { text, client, sessionId }) {
    const terminal = await client.createTerminal({ sessionId, command });
    const { exitCode } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.release();
    await text(`${exitCode}: ${output}`);
  },
  /** A program with arguments and variables of the agent's choice, as JSON. */
  async program(rest, { text, client, sessionId }) {
    const { env = {}, ...wish } = JSON.parse(rest);
    const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
    const terminal = await client.createTerminal({ sessionId, ...wish, env: variables });
    const { exitCode } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await terminal.release();
    await text(`${exitCode}: ${output}`);
  },
  /** In a process of its own, without asking us. */
  async own(command, { text }) {
    const { status, stdout, stderr } = spawnSync("/bin/bash", ["-c", command], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"], // a shell whose input is a socket reads ~/.bashrc
    });
    await text(`${status}: ${stdout}${stderr}`);
  },
  /** In a tool call, and released before that is over. */
  async shown(command, { text, update, client, sessionId }) {
    const terminal = await client.createTerminal({ sessionId, command });
    const told = { toolCallId: terminal.id, kind: "execute", rawInput: { command } };
    const content = [{ type: "terminal", terminalId: terminal.id }];
    await update({ sessionUpdate: "tool_call", title: "Run", status: "in_progress", content, ...told });
    await terminal.waitForExit();
    await terminal.release();
    await update({ sessionUpdate: "tool_call_update", toolCallId: terminal.id, status: "completed" });
    await text("It ran.");
  },
  async limited(rest, { text, client, sessionId }) {
    const [outputByteLimit, ...command] = rest.split(" ");
    const wish = { sessionId, command: command.join(" "), outputByteLimit: Number(outputByteLimit) };
    const terminal = await client.createTerminal(wish);
    await terminal.waitForExit();
    await text(JSON.stringify(await terminal.currentOutput()));
  },
  /** When it has written something. */
  async kill(command, { text, client, sessionId }) {
    const terminal = await client.createTerminal({ sessionId, command });
    while ((await terminal.currentOutput()).output === "");
    await terminal.kill();
    const { exitCode, signal } = await terminal.waitForExit();
    const { output } = await terminal.currentOutput();
    await text(JSON.stringify({ exitCode, signal, output }));
  },
  /** Its command goes on until somebody ends it. */
  async runs(command, { text, client, sessionId }) {
    const terminal = await client.createTerminal({ sessionId, command });
    await text("It runs.");
    await terminal.waitForExit();
  },
  /** Its command goes on when the turn is stopped: only closing the session ends it. */
  async keeps(command, { update, cancelled, session }) {
    session.command = spawn("/bin/bash", ["-c", command], { stdio: "ignore" });
    const call = { toolCallId: "kept", title: command, kind: "execute", rawInput: { command } };
    await update({ sessionUpdate: "tool_call", ...call, status: "in_progress" });
    await cancelled;
    return "cancelled";
  },
  /** Fails as older codex adapters and goose do: the reason is elsewhere. */
  reason(rest) {
    const [kind, ...words] = rest.split(" ");
    throw new RequestError(
      -32603,
      "Internal error",
      kind === "text" ? words.join(" ") : { message: words.join(" ") },
    );
  },
  /** Runs a command in a terminal of its own, as codex does. */
  async streams(_rest, { text, update }) {
    const call = { toolCallId: "own", terminal_id: "own" };
    const wrote = (data, more = {}) =>
      update({
        sessionUpdate: "tool_call_update",
        toolCallId: call.toolCallId,
        _meta: { terminal_output_delta: { data, terminal_id: call.terminal_id } },
        ...more,
      });
    await update({
      sessionUpdate: "tool_call",
      toolCallId: call.toolCallId,
      title: "ls",
      kind: "execute",
      status: "in_progress",
      rawInput: { command: "ls" },
      content: [{ type: "terminal", terminalId: call.terminal_id }],
      _meta: { terminal_info: { terminal_id: call.terminal_id } },
    });
    await wrote("one\n");
    await wrote("two\n");
    await wrote("", { status: "completed" });
    await text("It ran.");
  },
  async linger(command, { text, client, sessionId }) {
    await client.createTerminal({ sessionId, command });
    await text("left open");
  },
  can: (_rest, { text, clientCapabilities }) => text(JSON.stringify(clientCapabilities)),
  /** What was chosen among its options. */
  chosen: (_rest, { text, session }) => text(`${session.effort ?? "default"} ${session.mode ?? "build"}`),
  /** Works until a message joins the turn; with a tool, if it is told so. */
  async steerable(rest, { text, update, cancelled, session }) {
    await text("I work. ");
    const call = { toolCallId: "busy", title: "Look", kind: "read" };
    if (rest === "tool") await update({ sessionUpdate: "tool_call", ...call, status: "in_progress" });
    const joined = new Promise((resolve) => {
      session.steer = resolve;
    });
    const message = await Promise.race([joined, cancelled]);
    if (rest === "tool") await update({ sessionUpdate: "tool_call_update", ...call, status: "completed" });
    await text(`I heard: ${message}`);
  },
  /** Runs a command, whose output it wraps as claude does. */
  async fenced(rest, { text, update }) {
    const content = (words) => [{ type: "content", content: { type: "text", text: words } }];
    const rawInput = { command: "cat", description: "Shows it" };
    const call = { toolCallId: `fenced-${rest.length}`, title: "cat", kind: "execute", rawInput };
    await update({
      sessionUpdate: "tool_call",
      ...call,
      status: "in_progress",
      content: content("Shows it"),
    });
    await update({ sessionUpdate: "tool_call_update", ...call, status: "completed", content: content(rest) });
    await text("It ran.");
  },
  /** Its model's stream is cut, and it sends the answer again, in other pieces. */
  async resends(rest, { text, thought }) {
    const [first, again] = rest.split("|");
    await thought("I think about it.");
    for (const piece of first.match(/.{1,5}/gs)) await text(piece);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await thought("I think about it.");
    for (const piece of again.match(/.{1,7}/gs)) await text(piece);
  },
  /** Pieces, each a text of its own. */
  async pieces(rest, { text }) {
    for (const piece of JSON.parse(rest)) await text(piece);
  },
  plan: (_rest, { update }) =>
    update({
      sessionUpdate: "plan",
      entries: [
        { content: "Look", status: "completed", priority: "high" },
        { content: "Mend", status: "in_progress", priority: "medium" },
      ],
    }),
  cost: (rest, { update }) => tellCost(Number(rest), update),
  /** As claude-agent-acp tells what is left of a plan: `rest` is the `rate_limit_info`. */
  limits: (rest, { update }) =>
    update({
      ...{ sessionUpdate: "usage_update", used: 1200, size: 200_000 },
      _meta: { "_claude/rateLimit": JSON.parse(rest) },
    }),
  /** Ends with a response that tells tokens, as JSON; with a cost before it, and tools, if there are some. */
  async uses(rest, { text, update }) {
    const { cost, tools = 0, answer = "Done.", ...response } = JSON.parse(rest);
    for (let index = 0; index < tools; index++)
      await update({
        sessionUpdate: "tool_call",
        toolCallId: `used-${index}`,
        title: "Look",
        kind: "read",
        status: "completed",
      });
    if (answer !== "") await text(answer);
    if (cost !== undefined) await tellCost(cost, update);
    return response;
  },
  /** A command of its own, which calls no model. */
  async "/about"(_rest, { text }) {
    await text("An agent for tests.");
    const none = { input_tokens: 0, output_tokens: 0 };
    return { _meta: { quota: { token_count: none, model_usage: [] } } };
  },
  /** When the turn is over. */
  late(rest, { update }) {
    setImmediate(() => void tellCost(Number(rest), update));
  },
  async newer(_rest, { update, text }) {
    await update({ sessionUpdate: "telepathy", content: { type: "thought_waves" } });
    await text("still here");
  },
  async noise(_rest, { text }) {
    process.stdout.write('a stray line\n{"type":"text_delta","delta":"forged"}\n');
    await text("clean");
  },
  async flood(rest, { update }) {
    for (let index = 0; index < Number(rest); index++)
      await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${index} ` } });
  },
  play: (rest, stage) => play(`play ${rest}`, stage),
  blocks: (_rest, { text, prompt }) => text(JSON.stringify(prompt.slice(1))),
  async hang(_rest, { text, cancelled }) {
    await text("waiting");
    await cancelled;
    return "cancelled";
  },
  async "/compact"(_rest, { text, update, cancelled }) {
    await text("What was said so far.");
    if (compactsSlowly()) await cancelled;
    await tellCost(0.125, update);
    return compactsSlowly() ? "cancelled" : "end_turn";
  },
  model: (_rest, { text, session }) => text(session.model ?? "its own"),
  async switch(model, { update, session, configOptions }) {
    session.model = model;
    await update({ sessionUpdate: "config_option_update", configOptions: configOptions(model) });
  },
  refuse: () => "refusal",
  crash: () => process.exit(3),
  fail() {
    throw RequestError.internalError({ details: "401 wrong key" });
  },
  login() {
    throw RequestError.authRequired();
  },
};

/** A question that is asked briefly is taken back. */
const patience = (rest) => (rest === "briefly" ? { cancellationSignal: AbortSignal.timeout(100) } : {});

const tellCost = (dollars, update) => {
  spent += dollars;
  const cost = { amount: spent, currency: "USD" };
  return update({ sessionUpdate: "usage_update", used: 1200, size: 200_000, cost });
};
