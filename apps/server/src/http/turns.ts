// Routes for programs that send prompts without a socket: begin a turn, once per idempotency key, and ask how it stands.
import { createHash } from "node:crypto";
import { CreateSession, PatchbayError, PromptImage } from "@patchbay/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { columns } from "../costs/usage/usage-csv.ts";
import { submitPrompt } from "../session/commands/submit-prompt.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { Session } from "../session/session.ts";
import type { TurnRecord } from "../session/turns/turn-states.ts";
import { noSums } from "../store/ledger-types.ts";
import type { Store } from "../store/store.ts";
import { parse } from "./requests/parse.ts";

/** Seconds. Proxies and the server itself close connections on which nothing happens for longer. */
const maxWait = 240;
const Wait = z.number().check(z.int(), z.nonnegative(), z.maximum(maxWait));
/** Visible ASCII, as a header may hold it. Long enough for a URL of a CI run. */
const Key = z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)));

const Id = z.object({ id: z.string() });
const TurnParams = z.object({ id: z.string(), turn: z.string() });
const TurnQuery = z.object({
  wait: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(maxWait)), 0),
});
const prompt = { images: z.optional(z.array(PromptImage).check(z.maxLength(100))), wait: z.optional(Wait) };
const PromptCall = z.strictObject({ prompt: z.string(), ...prompt });
const CreateCall = z.extend(CreateSession, { prompt: z.optional(z.string()), ...prompt });

interface TurnRoutes {
  hub: Hub;
  store: Pick<Store, "turnSpend">;
  /** The namespace of the caller's keys. */
  senderOf(request: FastifyRequest): string;
  /** Prompts may be as long as on the socket. */
  maxBytes: number;
}

export function turnRoutes(app: FastifyInstance, { hub, store, senderOf, maxBytes }: TurnRoutes): void {
  /** Submits the prompt, waits as long as the caller wants, and answers with the turn. */
  const begin = async (
    { request, reply, session }: { request: FastifyRequest; reply: FastifyReply; session: Session },
    { prompt: message = "", images = [], wait = 0 }: z.infer<typeof PromptCall>,
    call: object,
    made: { status: number; body: () => object },
  ) => {
    if (session.record.deletes_at !== null)
      throw new PatchbayError(
        "session_deleted",
        "This session is being deleted. Restore it first, or use another one.",
      );
    const key = keyOf(request);
    const receipt = await submitPrompt(session, {
      ...{ sender: senderOf(request), key, content: digest(call), message, images },
    });
    await ended(request, session, receipt.turn, wait);
    const turn = await turnView(session, store, receipt.turn);
    if (turn === null) throw new PatchbayError("no_such_turn"); // its receipt outlived it
    return reply
      .code(isEnded(turn.state) ? made.status : 202)
      .header("location", `/api/sessions/${session.id}/turns/${receipt.turn}`)
      .send({ ...made.body(), turn });
  };

  app.post("/api/sessions", async (request, reply) => {
    const call = parse(CreateCall, request.body);
    const { prompt: message, images, wait, ...create } = call;
    if (message === undefined) {
      const needless = Object.entries({ images, wait, "Idempotency-Key": keyOf(request) });
      const [given] = needless.find(([, value]) => value !== undefined) ?? [];
      if (given !== undefined)
        throw new PatchbayError(
          "bad_request",
          `${given} is only for calls with a prompt. Add one, or leave ${given} out.`,
        );
      const session = await hub.create(create);
      return reply.code(201).send({ session: session.view() });
    }
    checkPrompt(message, images);
    const key = keyOf(request);
    const session =
      key === undefined
        ? await hub.create(create)
        : await hub.createOnce(sessionIdFor(senderOf(request), key), create);
    const made = { status: 201, body: () => ({ session: session.view() }) };
    return begin({ request, reply, session }, { prompt: message, images, wait }, withoutWait(call), made);
  });

  app.post("/api/sessions/:id/prompts", { bodyLimit: maxBytes }, async (request, reply) => {
    const { id } = parse(Id, request.params);
    const call = parse(PromptCall, request.body);
    checkPrompt(call.prompt, call.images);
    keyOf(request); // a wrong one is 400 before the session is opened
    const session = await hub.open(id);
    return begin({ request, reply, session }, call, withoutWait(call), { status: 200, body: () => ({}) });
  });

  app.get("/api/sessions/:id/turns/:turn", async (request) => {
    const { id, turn } = parse(TurnParams, request.params);
    const { wait } = parse(TurnQuery, request.query);
    const session = await hub.open(id);
    if ((await turnView(session, store, turn)) === null) throw new PatchbayError("no_such_turn");
    await ended(request, session, turn, wait);
    return { turn: await turnView(session, store, turn) };
  });
}

/** Resolves when the turn has ended, when the caller has waited long enough, or when it has gone. */
async function ended(
  request: FastifyRequest,
  session: Session,
  turn: string,
  seconds: number,
): Promise<void> {
  if (seconds === 0) return;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const timer = setTimeout(leave, seconds * 1_000);
  request.raw.socket.once("close", leave);
  await session.turnStates.ended(turn, gone.signal);
  clearTimeout(timer);
  request.raw.socket.off("close", leave);
}

type TurnState = "queued" | TurnRecord["state"];

const isEnded = (state: TurnState): boolean => state !== "queued" && state !== "running";

/** Null: no turn of this id was begun over HTTP, or it is too old. */
async function turnView(session: Session, store: Pick<Store, "turnSpend">, id: string) {
  await session.shown();
  await session.projections.spending.written();
  const { place, task } = session.turns.find(id) ?? {};
  const record = session.turnStates.find(id);
  const queued_at = record?.queued_at ?? (task?.tracked === undefined ? undefined : task.queued_at);
  if (queued_at === undefined) return null;
  const state = stateOf(place, record);
  const prompt = record?.prompt ?? null;
  const usage = columns(prompt === null ? noSums : await store.turnSpend(session.id, prompt));
  return {
    id,
    session: session.id,
    state,
    queued_at,
    started_at: record?.started_at ?? null,
    ended_at: record?.ended_at ?? null,
    prompt,
    text: record?.text ?? null,
    error: place === "unknown" ? unknownFate : (record?.error ?? null),
    pending: state === "running" ? session.view().pending : [],
    usage: { ...usage, certainty: certaintyOf(usage, state) },
  };
}

/** What is in the queue counts more than the log: a person may have a prompt of unknown fate run again. */
function stateOf(
  place: "queued" | "given" | "unknown" | undefined,
  record: TurnRecord | undefined,
): TurnState {
  if (place === "queued") return "queued";
  if (place === "unknown") return "interrupted";
  return record?.state ?? "running"; // a worker is being started for it
}

const unknownFate =
  "The agent ended after it was given the prompt and before it showed it: it may have begun. A person decides in the session's queue.";

function certaintyOf({ unpriced, estimated }: { unpriced: number; estimated: number }, state: TurnState) {
  if (!isEnded(state)) return "so_far";
  if (unpriced > 0) return "incomplete";
  return estimated > 0 ? "estimated" : "exact";
}

function checkPrompt(message: string, images: readonly PromptImage[] = []): void {
  if (message.trim() === "" && images.length === 0)
    throw new PatchbayError("bad_request", "The prompt is empty. Enter a text, or attach an image.");
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const read = Key.safeParse(headers["idempotency-key"]);
  if (read.success) return read.data;
  throw new PatchbayError(
    "bad_request",
    "Invalid Idempotency-Key: use 1 to 255 visible ASCII characters, for example a UUID.",
  );
}

/** How long a caller waits does not change what it asks for. */
const withoutWait = ({ wait: _wait, ...call }: { wait?: number | undefined }): object => call;

const digest = (call: object): string => createHash("sha256").update(JSON.stringify(call)).digest("hex");

/** The same key makes the same session, so its receipts know the prompt, and no second memory of keys is needed. */
const sessionIdFor = (sender: string, key: string): string =>
  createHash("sha256")
    .update(JSON.stringify([sender, key]))
    .digest("hex")
    .slice(0, 16);
