// An ACP agent for tests, made with the official SDK: acts out one behaviour per prompt. Sessions are kept in files, so
// that another process can load them. Its arguments say what kind of agent it is:
// compacts (has a command for it), resumes (without telling what was said), models (tells them as agents did before there
// were options), plain (no models, and takes no files).
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { actions } from "./acp-actions.mjs";

const kept = join(process.env.HOME ?? "/tmp", ".acp-sessions");
const pathOf = (id) => join(kept, `${id}.json`);
const sessions = new Map();
const kinds = new Set(process.argv.slice(2));

const modes = (currentModeId) => ({
  currentModeId,
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
});
const configOptions = (currentValue = "small") => [
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

/** As this kind of agent tells it. */
const models = ({ model = "small" } = {}) => {
  if (kinds.has("plain")) return {};
  const availableModels = ["small", "large"].map((modelId) => ({ modelId, name: modelId }));
  return kinds.has("models")
    ? { models: { currentModelId: model, availableModels } }
    : { configOptions: configOptions(model) };
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
    agentCapabilities: {
      loadSession: !kinds.has("resumes"),
      promptCapabilities: { image: true, embeddedContext: !kinds.has("plain") },
      ...(kinds.has("resumes") ? { sessionCapabilities: { resume: {} } } : {}),
    },
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
            ...(kinds.has("compacts") ? [{ name: "compact", description: "Sums up" }] : []),
          ],
        },
      });
    });
    return { sessionId, modes: modes("ask"), ...models() };
  })
  .onRequest("session/load", async ({ params: { sessionId }, client }) => {
    if (kinds.has("resumes")) throw RequestError.methodNotFound("session/load");
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
    return { modes: modes("code"), ...models() };
  })
  .onRequest("session/resume", ({ params: { sessionId } }) => {
    open(sessionId).messages = JSON.parse(readFileSync(pathOf(sessionId), "utf8"));
    return { modes: modes("code"), ...models() };
  })
  .onRequest("session/set_mode", ({ params }) => {
    sessions.get(params.sessionId).mode = params.modeId;
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => {
    sessions.get(params.sessionId).model = params.value;
    return { configOptions: configOptions(params.value) };
  })
  .onRequest(
    "session/set_model",
    (params) => params,
    ({ params }) => {
      sessions.get(params.sessionId).model = params.modelId;
      return {};
    },
  )
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
      session,
      configOptions,
    });
    return { stopReason: typeof stopReason === "string" ? stopReason : "end_turn" };
  })
  .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.cancel());

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
