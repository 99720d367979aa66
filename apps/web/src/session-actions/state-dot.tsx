// A session's state as a dot, and in words. Each colour means one thing everywhere.
import type { Session } from "@patchbay/protocol";

const looks: Readonly<Record<Session["state"], { word: string; dot: string }>> = {
  starting: { word: "starting", dot: "bg-working animate-pulse-dot" },
  busy: { word: "working", dot: "bg-working animate-pulse-dot" },
  waiting: { word: "needs you", dot: "bg-fill" },
  failed: { word: "failed", dot: "bg-failed" },
  idle: { word: "idle", dot: "border-[1.5px] border-faint" },
  // A dash, and no fainter dot: it has to be seen, also by who tells no colours apart.
  stopped: { word: "stopped", dot: "bg-faint [clip-path:inset(36%_0_round_1px)]" },
};

export const stateLabel = (session: Session): string =>
  session.state === "busy" && session.job === "compact" ? "compacting" : looks[session.state].word;

export function StateDot({ session, unread = false }: { session: Session; unread?: boolean }) {
  const dot = unread ? "bg-done" : looks[session.state].dot;
  return <span aria-hidden className={`inline-block size-2 shrink-0 rounded-full ${dot}`} />;
}
