// A session's state as a dot and as a label. Each colour means one thing everywhere.
import type { SessionInfo } from "@patchbay/protocol";

const looks: Readonly<Record<SessionInfo["state"], { label: string; dot: string }>> = {
  starting: { label: "starting", dot: "bg-working animate-pulse-dot" },
  busy: { label: "working", dot: "bg-working animate-pulse-dot" },
  waiting: { label: "needs you", dot: "bg-fill" },
  failed: { label: "failed", dot: "bg-failed" },
  idle: { label: "idle", dot: "border-[1.5px] border-faint" },
  // A dash, not a fainter dot: it has to be recognised without colours.
  stopped: { label: "stopped", dot: "bg-faint [clip-path:inset(36%_0_round_1px)]" },
};

export const stateLabel = (session: SessionInfo): string =>
  session.state === "busy" && session.job === "compact" ? "compacting" : looks[session.state].label;

export function StateDot({ session, unread = false }: { session: SessionInfo; unread?: boolean }) {
  const dot = unread ? "bg-done" : looks[session.state].dot;
  return <span aria-hidden className={`inline-block size-2 shrink-0 rounded-full ${dot}`} />;
}
