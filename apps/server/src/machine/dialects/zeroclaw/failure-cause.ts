// Why a turn failed. When a model cannot be called, the daemon ends the turn with a sentence that names no cause; its log has it.
import * as z from "zod/mini";
import type { DaemonClient } from "./rpc-client.ts";

const text = z.catch(z.optional(z.string()), undefined);
const LogPage = z.looseObject({
  /** Newest first. */
  events: z.array(
    z.looseObject({
      zeroclaw: z.catch(z.looseObject({ session_key: text }), {}),
      attributes: z.catch(z.looseObject({ session_id: text, error: text, e: text }), {}),
    }),
  ),
});

/** The end of the sentence that lists no cause. */
const withoutCause = /failure event\(s\)\. Events:\s*$/;
/** The daemon's number for a warning. */
const warning = 13;
/** Of the newest records, which are all sessions'. */
const maxRecords = 50;
const maxCause = 2_000;

/** Returns the daemon's sentence, or the cause that its log has for this session. Never rejects. */
export async function failureCause(
  client: DaemonClient,
  { sentence, session, since }: { sentence: string; session: string | undefined; since: number },
): Promise<string> {
  if (!withoutCause.test(sentence)) return sentence;
  try {
    const query = { since_ts: new Date(since).toISOString(), severity_min: warning, limit: maxRecords };
    const { events } = LogPage.parse(await client.call("logs/query", query));
    const cause = events
      .filter(
        ({ zeroclaw, attributes }) => (zeroclaw.session_key ?? attributes.session_id ?? session) === session,
      )
      .map(({ attributes }) => attributes.error ?? attributes.e ?? "")
      .find((error) => error.trim() !== "" && !withoutCause.test(error));
    return cause === undefined ? sentence : `turn failed: ${cause.trim().slice(0, maxCause)}`;
  } catch {
    return sentence; // it keeps no log, or the connection broke, which is handled elsewhere
  }
}
