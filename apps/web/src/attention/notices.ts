// Changes between two states of the session list that are worth a notification. Pure.
import type { SessionInfo } from "@patchbay/protocol";
import { attentionTexts } from "./texts.ts";

export interface SessionNotice {
  kind: "needs" | "failed" | "stopped" | "done";
  session: SessionInfo;
}

export function noticesBetween(
  before: readonly SessionInfo[],
  after: readonly SessionInfo[],
): SessionNotice[] {
  const known = new Map(before.map((session) => [session.id, session]));
  return after.flatMap((session) => {
    const was = known.get(session.id);
    // The first that is heard of a new session may be that it asks.
    const kind = was === undefined ? newlyNeeds(session) : changeOf(was, session);
    return kind === null ? [] : [{ kind, session }];
  });
}

const newlyNeeds = ({ pending }: SessionInfo): SessionNotice["kind"] | null =>
  pending.length > 0 ? "needs" : null;

function changeOf(was: SessionInfo, is: SessionInfo): SessionNotice["kind"] | null {
  const asked = new Set(was.pending.map(({ id }) => id));
  if (is.pending.some(({ id }) => !asked.has(id))) return "needs";
  if (is.state === "failed") return was.state === "failed" ? null : "failed";
  if (is.state !== "idle" || is.job !== null) return null;
  // A short turn may begin and end between two states: then it is known by its new messages.
  const worked = was.job === "prompt" || was.state === "busy" || was.state === "waiting";
  return worked || is.message_count > was.message_count + 1 ? (is.last_turn ?? "done") : null;
}

/** Title and text of its notification. */
export function noticeText({ kind, session }: SessionNotice): { title: string; body: string } {
  const question = session.pending[0];
  const bodies: Readonly<Record<SessionNotice["kind"], string>> = {
    needs: question?.title ?? question?.message ?? attentionTexts.needsText,
    // A worker that died has a reason; that of a failed turn is in the transcript.
    failed:
      session.reason ??
      (session.state === "failed" ? attentionTexts.agentStopped : attentionTexts.failedText),
    stopped: attentionTexts.stoppedText,
    done: attentionTexts.doneText,
  };
  return { title: `${attentionTexts[kind]}: ${session.name}`, body: bodies[kind].slice(0, 300) };
}
