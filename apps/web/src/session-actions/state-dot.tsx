// A session's state as a dot and as a label. Each colour means one thing everywhere.
import type { SessionInfo } from "@patchbay/protocol";
import { sessionActionsTexts } from "./texts.ts";

const looks: Readonly<Record<SessionInfo["state"], string>> = {
  starting: "bg-working animate-pulse-dot",
  busy: "bg-working animate-pulse-dot",
  waiting: "bg-fill",
  failed: "bg-failed",
  idle: "border-[1.5px] border-faint",
  // A dash, not a fainter dot: it has to be recognised without colours.
  stopped: "bg-faint [clip-path:inset(36%_0_round_1px)]",
};

/** Half a dot: its turn was cut off. */
const interruptedLook = "border-[1.5px] border-failed [clip-path:inset(0_50%_0_0)]";

/** The server ended during its last turn, and nothing has been done since. */
const isInterrupted = ({ interrupted, state }: SessionInfo): boolean =>
  interrupted === true && (state === "stopped" || state === "idle");

export function stateLabel(session: SessionInfo, unread = false): string {
  if (unread) return sessionActionsTexts.unread;
  if (isInterrupted(session)) return sessionActionsTexts.interrupted;
  if (session.state === "busy" && session.job === "compact") return sessionActionsTexts.compacting;
  return sessionActionsTexts[session.state];
}

export function StateDot({ session, unread = false }: { session: SessionInfo; unread?: boolean }) {
  const dot = unread ? "bg-done" : isInterrupted(session) ? interruptedLook : looks[session.state];
  return <span aria-hidden className={`inline-block size-2 shrink-0 rounded-full ${dot}`} />;
}
