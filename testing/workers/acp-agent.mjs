// An ACP agent for tests, made with the official SDK: acts out one behaviour per prompt. Sessions are kept in files, so
// that another process can load them. Its arguments say what kind of agent it is:
// compacts (has a command for it), resumes (without telling what was said), models (tells them as agents did before there
// were options), plain (no models, and takes no files), options (a thinking level and a mode among its options), steers (takes
// messages into the running turn), closes (its sessions), locked (wants a login with the key of OPENAI_API_KEY).
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

const select = (id, category, currentValue, values) => ({
  ...{ id, name: id, category, type: "select", currentValue },
  options: values.map((value) => ({ value, name: `The ${value}` })),
});
/** As opencode and codex have them, beside the model. */
const moreOptions = ({ effort = "default", mode = "build" } = {}) =>
  kinds.has("options")
    ? [
        select("effort", "thought_level", effort, ["default", "none", "low", "high"]),
        select("mode", "mode", mode, ["build", "plan"]),
      ]
    : [];

/** As this kind of agent tells it. */
const models = (session = {}) => {
  const { model = "small" } = session;
  if (kinds.has("plain")) return {};
  const availableModels = ["small", "large"].map((modelId) => ({ modelId, name: modelId }));
  return kinds.has("models")
    ? { models: { currentModelId: model, availableModels } }
    : { configOptions: [...configOptions(model), ...moreOptions(session)] };
};

let isLoggedIn = !kinds.has("locked");
let clientCapabilities;
/** The modes apart from the options, as earlier agents have them. */
const apart = (mode) => (kinds.has("options") ? {} : { modes: modes(mode) });

const open = (id) => {
  const session = { messages: [], cancel: () => {} };
  sessions.set(id, session);
  return session;
};

const initialized = () => ({
  protocolVersion: Number(process.env.ACP_VERSION ?? 1),
  agentInfo: { name: "fixture", version: "1.2.3" },
  agentCapabilities: {
    loadSession: !kinds.has("resumes"),
    promptCapabilities: { image: true, embeddedContext: !kinds.has("plain") },
    ...(kinds.has("resumes") ? { sessionCapabilities: { resume: {} } } : {}),
    ...(kinds.has("closes") ? { sessionCapabilities: { resume: {}, close: {} } } : {}),
  },
  authMethods: [
    {
      ...{ id: "key", name: "An API key" },
      ...(kinds.has("locked") ? { _meta: { "api-key": { provider: "openai" } } } : {}),
    },
  ],
  ...(kinds.has("steers") ? { _meta: { steering: { supported: true } } } : {}),
});

const app = agent({ name: "acp-fixture" })
  .onRequest("initialize", ({ params }) => {
    ({ clientCapabilities } = params);
    return initialized();
  })
  .onRequest("authenticate", ({ params }) => {
    if (params.methodId !== "key" || (process.env.OPENAI_API_KEY ?? "") === "wrong")
      throw RequestError.internalError({ details: "401 wrong key" });
    isLoggedIn = true;
    return {};
  })
  .onRequest("session/new", async ({ client }) => {
    if (!isLoggedIn) throw RequestError.authRequired();
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
    return { sessionId, ...apart("ask"), ...models() };
  })
  .onRequest(
    "_session/steering",
    (params) => params,
    ({ params: { sessionId, prompt, _meta } }) => {
      const session = sessions.get(sessionId);
      if (_meta?.steering?.idleBehavior !== "promptRequired") throw RequestError.invalidParams();
      if (session.steer === undefined) return { outcome: "promptRequired", reason: "noRunningTurn" };
      session.steer(prompt.find((block) => block.type === "text")?.text ?? "");
      return { outcome: "injected" };
    },
  )
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
    return { ...apart("code"), ...models() };
  })
  .onRequest("session/resume", ({ params: { sessionId } }) => {
    open(sessionId).messages = JSON.parse(readFileSync(pathOf(sessionId), "utf8"));
    return { ...apart("code"), ...models() };
  })
  .onRequest("session/close", ({ params: { sessionId } }) => {
    sessions.get(sessionId)?.command?.kill();
    sessions.delete(sessionId);
    return {};
  })
  .onRequest("session/set_mode", ({ params }) => {
    sessions.get(params.sessionId).mode = params.modeId;
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => {
    const session = sessions.get(params.sessionId);
    session[params.configId] = params.value;
    return { configOptions: [...configOptions(session.model), ...moreOptions(session)] };
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
      clientCapabilities,
    });
    session.steer = undefined;
    // An action may tell more than why it stopped: tokens, say.
    if (typeof stopReason === "object") return { stopReason: "end_turn", ...stopReason };
    return { stopReason: typeof stopReason === "string" ? stopReason : "end_turn" };
  })
  .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.cancel());

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
