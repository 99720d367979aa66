// Routes for programs that send prompts without a socket: begin a turn, once per idempotency key, and ask how it stands.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateSession, PatchbayError, PromptImage } from "@patchbay/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { commandDetail, note } from "../../access/audit/audited.ts";
import { actorOf } from "../../access/guard.ts";
import { keptOwner } from "../../access/people.ts";
import { type Action, may } from "../../access/policy.ts";
import type { Rights } from "../../access/rights.ts";
import { columns } from "../../costs/usage/usage-csv.ts";
import { submitPrompt } from "../../session/commands/submit-prompt.ts";
import type { Hub } from "../../session/hub/hub.ts";
import { KeyedSessions } from "../../session/hub/keyed-sessions.ts";
import type { Session } from "../../session/session.ts";
import { unknownFate } from "../../session/turns/turn-states.ts";
import { noSums } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { parse } from "../requests/parse.ts";
import type { OpenCalls } from "./open-calls.ts";

/** Seconds. Longer than any proxy keeps a connection on which nothing happens. */
const maxWait = 240;
/** Milliseconds. A write takes a few. */
const longestWrite = 5_000;
const Wait = z.number().check(z.int(), z.nonnegative(), z.maximum(maxWait));
/** Visible ASCII, as a header may hold it. Long enough for a URL of a CI run. */
const Key = z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)));

const Id = z.object({ id: z.string() });
const TurnParams = z.object({ id: z.string(), turn: z.string() });
/** Number("") is 0, and "1e2" is no number of seconds. */
const TurnQuery = z.object({
  wait: z.optional(z.string().check(z.regex(/^\d{1,3}$/, "expected whole seconds"))),
});
const prompt = { images: z.optional(z.array(PromptImage).check(z.maxLength(100))), wait: z.optional(Wait) };
const PromptCall = z.strictObject({ prompt: z.string(), ...prompt });
const CreateCall = z.extend(CreateSession, { prompt: z.optional(z.string()), ...prompt });

interface TurnRoutes {
  hub: Hub;
  rights: Rights;
  store: Pick<Store, "turnSpend" | "sessionOfKey" | "forgetKeyOf">;
  calls: OpenCalls;
  /** The namespace of the caller's keys. */
  senderOf(request: FastifyRequest): string;
  /** Asked after a wait: why the caller may no longer do this in the session; null: it may. */
  refusalOf(request: FastifyRequest, action: Action, session: string): PatchbayError | null;
  /** Prompts may be as long as on the socket. */
  maxBytes: number;
  /** The operator wants prompts in the audit as they are. */
  auditsText: boolean;
  /** The path of this server behind a reverse proxy. */
  base: string;
}

interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  /** What the caller does in the session. A token that may only drive is told what became of its own prompt. */
  action: Action;
}

export function turnRoutes(app: FastifyInstance, options: TurnRoutes): void {
  const { hub, store, calls, rights, senderOf, refusalOf, maxBytes, base, auditsText } = options;
  const keyed = new KeyedSessions(hub, store);

  /** Submits the prompt. Rejects when nothing was begun. */
  const begin = async (
    { request }: Call,
    session: Session,
    { wait: _wait, ...content }: z.infer<typeof CreateCall>,
  ): Promise<string> => {
    if (session.record.deletes_at !== null)
      throw new PatchbayError(
        "session_deleted",
        "This session is being deleted. Restore it first, or use another one.",
      );
    const { prompt: message = "", images = [] } = content;
    note(request, commandDetail({ type: "prompt", message, images }, auditsText) ?? {});
    const { turn } = await submitPrompt(session, {
      ...{ sender: senderOf(request), key: keyOf(request), message, images },
      author: actorOf(request).author,
      content: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
    });
    return turn;
  };

  /** The turn when it has ended or waits for a person, or as it stands after so many seconds. */
  const turnAfter = async (
    seconds: number,
    { request, reply, action }: Call,
    session: Session,
    id: string,
  ): Promise<Turn> => {
    if (seconds > 0) {
      const over = new AbortController();
      const leave = (): void => over.abort();
      const timer = setTimeout(leave, seconds * 1_000);
      reply.raw.once("close", leave); // the caller is gone
      await session.turnStates.until(() => !isUnderWay(stateOf(session, id)), over.signal);
      clearTimeout(timer);
      reply.raw.off("close", leave);
      hub.view(session.id); // it was deleted meanwhile: 404
      const refusal = refusalOf(request, action, session.id);
      if (refusal !== null) throw refusal;
    }
    const turn = await turnView(session, store, id);
    if (turn === null) throw new PatchbayError("no_such_turn");
    return turn;
  };

  const locate = (reply: FastifyReply, { id, session, state }: Turn, ended: number): FastifyReply => {
    const isOver = state !== "waiting" && !isUnderWay(state);
    return reply.code(isOver ? ended : 202).header("location", `${base}/api/sessions/${session}/turns/${id}`);
  };

  /** Calls that wait are counted before anything has begun. */
  const counted = async <Answer>(wait: number, answer: () => Promise<Answer>): Promise<Answer> => {
    const left = wait > 0 ? calls.enter() : () => {};
    return answer().finally(left);
  };

  app.post("/api/sessions", may("sessions.create"), async (request, reply) => {
    const actor = actorOf(request);
    const owner = keptOwner(actor.person);
    const call = { request, reply, action: "session.drive" } as const;
    const content = parse(CreateCall, request.body);
    const { prompt, images, wait, ...requested } = content;
    const key = keyOf(request);
    if (prompt === undefined) {
      refuseWithoutPrompt({ images, wait, "Idempotency-Key": key });
      const session = await hub.create(requested, owner);
      return reply.code(201).send({ session: session.view() });
    }
    checkPrompt(prompt, images);
    return counted(wait ?? 0, async () => {
      const { session, isNew } =
        key === undefined
          ? { session: await hub.create(requested, owner), isNew: true }
          : await keyed.create({ sender: senderOf(request), key }, requested, owner);
      if (!isNew) rights.check(actor, "session.drive", session.id);
      // Its receipts are those of the newest commands: this key must not begin a second turn in a session that has forgotten the first.
      if (!isNew && key !== undefined && !session.receipts.knows(senderOf(request), key))
        if (session.view().message_count > 0) throw new PatchbayError("key_reused", forgottenKey);
      // Without this, a cron line would leave an empty session behind each time a budget refuses it.
      const id = await begin(call, session, content).catch(async (error: unknown) => {
        if (isNew) await keyed.discard(session);
        throw error;
      });
      const turn = await turnAfter(wait ?? 0, call, session, id);
      return locate(reply, turn, 201).send({ session: session.view(), turn });
    });
  });

  const prompting = { bodyLimit: maxBytes, ...may("session.drive") };
  app.post("/api/sessions/:id/prompts", prompting, async (request, reply) => {
    const call = { request, reply, action: "session.drive" } as const;
    const { id } = parse(Id, request.params);
    const content = parse(PromptCall, request.body);
    const { wait = 0 } = content;
    checkPrompt(content.prompt, content.images);
    keyOf(request); // a wrong one is 400 before the session is opened
    return counted(wait, async () => {
      const session = await hub.open(id);
      const turn = await turnAfter(wait, call, session, await begin(call, session, content));
      return locate(reply, turn, 200).send({ turn });
    });
  });

  app.get("/api/sessions/:id/turns/:turn", may("session.watch"), async (request, reply) => {
    const { id, turn } = parse(TurnParams, request.params);
    const wait = Number(parse(TurnQuery, request.query).wait ?? 0);
    parse(z.object({ wait: Wait }), { wait });
    const call = { request, reply, action: "session.watch" } as const;
    return counted(wait, async () => ({ turn: await turnAfter(wait, call, await hub.open(id), turn) }));
  });
}

const forgottenKey =
  "This Idempotency-Key has created a session, which has been used so much since that the call is forgotten. Use a new key.";

type Turn = NonNullable<Awaited<ReturnType<typeof turnView>>>;

const isUnderWay = (state: string | null): boolean => state === "queued" || state === "running";

/**
 * What is in the queue counts more than the log: a person may have a prompt of unknown fate run again. Null: no turn of this id was
 * begun over HTTP, or it is too old.
 */
function stateOf({ turns, turnStates, pending }: Session, id: string) {
  const { place, task } = turns.find(id) ?? {};
  const record = turnStates.find(id);
  if (record === undefined && task?.tracked === undefined) return null;
  if (place === "queued") return "queued";
  if (place === "unknown") return "interrupted";
  const state = record?.state ?? "running"; // a worker is being started for it
  return state === "running" && pending.length > 0 ? "waiting" : state;
}

async function turnView(session: Session, store: Pick<Store, "turnSpend">, id: string) {
  await written(session);
  const state = stateOf(session, id);
  if (state === null) return null;
  const { place, task } = session.turns.find(id) ?? {};
  const record = session.turnStates.find(id);
  const prompt = record?.prompt ?? null;
  const usage = columns(prompt === null ? noSums : await store.turnSpend(session.id, prompt));
  return {
    id,
    session: session.id,
    state,
    queued_at: record?.queued_at ?? task?.queued_at ?? null,
    started_at: record?.started_at ?? null,
    ended_at: record?.ended_at ?? null,
    prompt,
    text: record?.text ?? null,
    error:
      place === "unknown"
        ? `${unknownFate} A person decides in the session's queue.`
        : (record?.error ?? null),
    held: place === "queued" ? session.turns.heldBecause() : null,
    pending: state === "waiting" ? session.pending : [],
    usage: { ...usage, certainty: certaintyOf(usage, state) },
  };
}

/** Resolves when the log and the ledger have what the turn shows. While the disk is full they cannot: the caller is answered anyway. */
async function written(session: Session): Promise<void> {
  const timer = new AbortController();
  await Promise.race([
    Promise.all([session.shown(), session.projections.spending.written()]),
    sleep(longestWrite, undefined, { ref: false, signal: timer.signal }).catch(() => {}),
  ]);
  timer.abort();
}

function certaintyOf({ unpriced, estimated }: { unpriced: number; estimated: number }, state: string) {
  if (state === "waiting" || isUnderWay(state)) return "so_far";
  if (unpriced > 0) return "incomplete";
  return estimated > 0 ? "estimated" : "exact";
}

function checkPrompt(message: string, images: readonly PromptImage[] = []): void {
  if (message.trim() === "" && images.length === 0)
    throw new PatchbayError("bad_request", "The prompt is empty. Enter a text, or attach an image.");
}

function refuseWithoutPrompt(fields: Record<string, unknown>): void {
  const [given] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new PatchbayError(
    "bad_request",
    `${given} is only for calls with a prompt. Add one, or leave ${given} out.`,
  );
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const read = Key.safeParse(headers["idempotency-key"]);
  if (read.success) return read.data;
  throw new PatchbayError(
    "bad_request",
    "Invalid Idempotency-Key: use 1 to 255 visible ASCII characters, for example a UUID.",
  );
}
