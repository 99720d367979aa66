// What happened to sessions between two looks at them that somebody elsewhere would want to know. Pure.
import type { Session } from "@patchbay/protocol";

export interface Notice {
  kind: "needs" | "failed" | "done";
  session: Session;
}

export function noticesBetween(before: readonly Session[], after: readonly Session[]): Notice[] {
  const known = new Map(before.map((session) => [session.id, session]));
  return after.flatMap((session) => {
    const was = known.get(session.id);
    const kind = was === undefined ? null : changeOf(was, session);
    return kind === null ? [] : [{ kind, session }];
  });
}

function changeOf(was: Session, is: Session): Notice["kind"] | null {
  const asked = new Set(was.pending.map(({ id }) => id));
  if (is.pending.some(({ id }) => !asked.has(id))) return "needs";
  if (is.state === "failed") return was.state === "failed" ? null : "failed";
  if (is.state !== "idle" || is.job !== null) return null;
  // A short turn may begin and end between two looks: then it is known by what it said.
  const worked = was.job === "prompt" || was.state === "busy" || was.state === "waiting";
  return worked || is.message_count > was.message_count + 1 ? "done" : null;
}

const said: Readonly<Record<Notice["kind"], string>> = {
  needs: "Needs you",
  failed: "Failed",
  done: "Done",
};

/** Title and text of its notification. */
export function noticeWords({ kind, session }: Notice): { title: string; body: string } {
  const question = session.pending[0];
  const body =
    kind === "needs"
      ? (question?.title ?? question?.message ?? "The agent asks something.")
      : kind === "failed"
        ? (session.reason ?? "The worker stopped.")
        : "The agent is done.";
  return { title: `${said[kind]}: ${session.name}`, body: body.slice(0, 300) };
}
