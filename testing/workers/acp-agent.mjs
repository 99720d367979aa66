// An ACP agent for tests, made with the official SDK: acts out one behaviour per prompt. Sessions are kept in files, so
// that another process can load them.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { play } from "./acp-player.mjs";

const kept = join(process.env.HOME ?? "/tmp", ".acp-sessions");
const pathOf = (id) => join(kept, `${id}.json`);
const sessions = new Map();
let spent = 0;

const modes = (currentModeId) => ({
  currentModeId,
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
});
const configOptions = (currentValue) => [
  {
    id: "model",
    name: "Model",
    category: "model",
    type: "select",
    currentValue,
    options: [
      { value: "small", name: "Small" },
      { value: "large", name: "Large" },
    ],
  },
];

const actions = {
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
  async permit(_rest, { text, client, sessionId }) {
    const { outcome } = await client.request("session/request_permission", {
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
    });
    await text(JSON.stringify(outcome));
  },
  async form(_rest, { text, client, sessionId }) {
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
    await text(JSON.stringify(await client.request("elicitation/create", asked)));
  },
  async read(path, { text, client, sessionId }) {
    const { content } = await client.request("fs/read_text_file", { sessionId, path });
    await text(content);
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
  async linger(command, { text, client, sessionId }) {
    await client.createTerminal({ sessionId, command });
    await text("left open");
  },
  plan: (_rest, { update }) =>
    update({
      sessionUpdate: "plan",
      entries: [
        { content: "Look", status: "completed", priority: "high" },
        { content: "Mend", status: "in_progress", priority: "medium" },
      ],
    }),
  async cost(rest, { update }) {
    spent += Number(rest);
    await update({
      sessionUpdate: "usage_update",
      used: 1200,
      size: 200_000,
      cost: { amount: spent, currency: "USD" },
    });
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
  "/compact": (_rest, { text }) => text("What was said so far."),
  refuse: () => "refusal",
  crash: () => process.exit(3),
  fail() {
    throw RequestError.internalError({ details: "401 wrong key" });
  },
  login() {
    throw RequestError.authRequired();
  },
};

const open = (id) => {
  const session = { messages: [], cancel: () => {} };
  sessions.set(id, session);
  return session;
};

const app = agent({ name: "acp-fixture" })
  .onRequest("initialize", () => ({
    protocolVersion: Number(process.env.ACP_VERSION ?? 1),
    agentInfo: { name: "fixture", version: "1.2.3" },
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
    authMethods: [{ id: "key", name: "An API key" }],
  }))
  .onRequest("session/new", async ({ client }) => {
    const sessionId = randomUUID();
    open(sessionId);
    setImmediate(() => {
      void client.notify("session/update", {
        sessionId,
        update: {
          sessionUpdate: "available_commands_update",
          availableCommands: [
            { name: "review", description: "Reviews", input: { hint: "what" } },
            ...(process.env.ACP_COMPACTS ? [{ name: "compact", description: "Sums up" }] : []),
          ],
        },
      });
    });
    return { sessionId, modes: modes("ask"), configOptions: configOptions("small") };
  })
  .onRequest("session/load", async ({ params: { sessionId }, client }) => {
    if (!existsSync(pathOf(sessionId))) throw RequestError.resourceNotFound(sessionId);
    const session = open(sessionId);
    session.messages = JSON.parse(readFileSync(pathOf(sessionId), "utf8"));
    for (const text of session.messages)
      await client.notify("session/update", {
        sessionId,
        update: {
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text: `replayed ${String(text)}` },
        },
      });
    return { modes: modes("code") };
  })
  .onRequest("session/set_mode", ({ params }) => {
    sessions.get(params.sessionId).mode = params.modeId;
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => ({ configOptions: configOptions(params.value) }))
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
    const session = sessions.get(sessionId);
    const message = prompt.find((block) => block.type === "text")?.text ?? "";
    const update = (value) => client.notify("session/update", { sessionId, update: value });
    const chunk = (sessionUpdate) => (text) => update({ sessionUpdate, content: { type: "text", text } });
    const text = chunk("agent_message_chunk");
    const cancelled = new Promise((resolve) => {
      session.cancel = resolve;
    });
    if (message === "recall") await text(`${session.mode ?? "no mode"}; ${session.messages.join(", ")}`);
    session.messages.push(message);
    mkdirSync(kept, { recursive: true });
    writeFileSync(pathOf(sessionId), JSON.stringify(session.messages));
    const [word, ...rest] = message.split(" ");
    const stopReason = await actions[word]?.(rest.join(" "), {
      text,
      thought: chunk("agent_thought_chunk"),
      update,
      client,
      sessionId,
      prompt,
      cancelled,
    });
    return { stopReason: typeof stopReason === "string" ? stopReason : "end_turn" };
  })
  .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.cancel());

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
