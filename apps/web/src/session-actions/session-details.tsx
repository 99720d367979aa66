// What a session is made of right now: its worker as a process, where it works, what it has used. Kept
// up to date by the session's socket while it is open.
import type { SessionInfo } from "@patchbay/protocol";
import type { ReactNode } from "react";
import { useFeedState } from "../connection/use-feed.ts";
import { agentName } from "../format/agent-name.ts";
import { formatBytes } from "../format/bytes.ts";
import { formatBounds, formatCost } from "../format/money.ts";
import { formatTexts } from "../format/texts.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { formatTokenFlow } from "../format/tokens.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { StateDot, stateLabel } from "./state-dot.tsx";
import { sessionActionsTexts } from "./texts.ts";

interface Props {
  session: SessionInfo;
  onClose(): void;
}

export function SessionDetails({ session, onClose }: Props) {
  return (
    <Dialog open onOpenChange={onClose} title={sessionActionsTexts.sessionDetails}>
      <Facts session={session} />
    </Dialog>
  );
}

function Facts({ session }: { session: SessionInfo }) {
  const usage = useFeedState((feed) => feed.transcript.usage);
  const ago = formatAgo(session.updated_at);
  const changed =
    ago === formatTexts.now ? sessionActionsTexts.changedNow : sessionActionsTexts.changedAgo(ago);
  const asleep = session.state === "stopped" || session.state === "failed";
  return (
    <dl className="text-sm">
      <Fact name={sessionActionsTexts.state}>
        <span className="inline-flex items-center gap-2">
          <StateDot session={session} /> {stateLabel(session)}
        </span>
        {session.reason !== undefined && <p className="mt-1 text-muted">{session.reason}</p>}
      </Fact>
      <Process session={session} asleep={asleep} />
      <Fact name={sessionActionsTexts.agent}>
        {agentName(session.worker)}{" "}
        <span className="text-faint">· {sessionActionsTexts.speaks(session.dialect)}</span>
      </Fact>
      <Fact name={sessionActionsTexts.model}>
        {session.model === "" ? sessionActionsTexts.notKnownYet : session.model}
        {session.provider !== "" && <span className="text-faint"> · {session.provider}</span>}
      </Fact>
      <Fact name={sessionActionsTexts.directory}>
        <Copied text={session.cwd} label={sessionActionsTexts.copyDirectory} />
      </Fact>
      {session.branch !== undefined && <Fact name={sessionActionsTexts.branch}>{session.branch}</Fact>}
      {session.project !== undefined && <Fact name={sessionActionsTexts.project}>{session.project}</Fact>}
      <Fact name={sessionActionsTexts.used}>
        {formatCost(usage)}{" "}
        <span className="text-faint">
          · {[formatBounds(usage), ...formatTokenFlow(usage)].filter(Boolean).join(" · ")}
        </span>
      </Fact>
      <Fact name={sessionActionsTexts.started}>
        {formatExact(session.created_at)} <span className="text-faint">· {changed}</span>
      </Fact>
      <Fact name={sessionActionsTexts.id}>
        <Copied text={session.id} label={sessionActionsTexts.copyId} />
      </Fact>
    </dl>
  );
}

function Process({ session, asleep }: { session: SessionInfo; asleep: boolean }) {
  if (asleep) return <Fact name={sessionActionsTexts.process}>{sessionActionsTexts.noProcess}</Fact>;
  const { pid, resources } = session;
  if (pid === undefined && resources === undefined && session.state !== "starting")
    return <Fact name={sessionActionsTexts.process}>{sessionActionsTexts.foreignProcess}</Fact>;
  return (
    <>
      {pid !== undefined && <Fact name={sessionActionsTexts.process}>{pid}</Fact>}
      <Fact name={sessionActionsTexts.cpu}>
        {resources === undefined ? sessionActionsTexts.measuring : `${Math.round(resources.cpu_percent)} %`}
      </Fact>
      <Fact name={sessionActionsTexts.memory}>
        {resources === undefined ? sessionActionsTexts.measuring : formatBytes(resources.memory_bytes)}
      </Fact>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-4 border-t border-line py-2 first:border-t-0">
    <dt className="w-24 shrink-0 text-faint">{name}</dt>
    <dd className="min-w-0 flex-1 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="-my-0.5 flex items-center gap-2">
    <span className="min-w-0 flex-1 font-mono text-xs leading-5">{text}</span>
    <CopyButton text={text} label={label} />
  </span>
);
