// The bar above a transcript: name, state, model, how full the context is, what it costs so far.
import type { SessionInfo } from "@patchbay/protocol";
import { FileDiff, Users, X } from "lucide-react";
import { Link } from "wouter";
import { useFeedState } from "../../connection/use-feed.ts";
import { ModelPicker } from "../../controls/model-picker.tsx";
import { ThinkingPicker } from "../../controls/thinking-picker.tsx";
import { formatCost } from "../../format/money.ts";
import { plural } from "../../format/plural.ts";
import { formatTokenFlow } from "../../format/tokens.ts";
import { BackToList } from "../../navigation/back-to-list.tsx";
import { closePane } from "../../navigation/session-address.ts";
import { StateDot, stateLabel } from "../../session-actions/state-dot.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ContextMeter } from "./context-meter.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { SessionName } from "./session-name.tsx";

export function SessionHeader({ session, split }: { session: SessionInfo; split: boolean }) {
  return (
    <header className="flex h-12 shrink-0 flex-wrap items-center gap-3 border-b border-line pr-3 pl-5 phone:h-auto phone:gap-x-1.5 phone:gap-y-0 phone:pt-1.5 phone:pr-1 phone:pl-1">
      <BackToList />
      <div className="flex min-w-0 flex-1 items-center gap-3 phone:flex-col phone:items-start phone:gap-0 phone:pr-2">
        <SessionName session={session} />
        <ExtensionTitle />
        <span
          data-session-state={session.state}
          className="flex shrink-0 items-center gap-1.5 text-xs text-muted"
        >
          <StateDot session={session} />
          {stateLabel(session)}
        </span>
      </div>
      <Viewers />
      <div className="flex min-w-0 items-center phone:order-1 phone:w-full phone:pl-[44px]">
        {!split && <span className="shrink-0 text-sm text-faint phone:hidden">{session.worker} ·</span>}
        <ModelPicker session={session} />
        {!split && <ThinkingPicker />}
        <span className="ml-auto hidden pr-3 phone:block">
          <ContextMeter />
        </span>
      </div>
      {!split && (
        <span className="phone:hidden">
          <ContextMeter />
        </span>
      )}
      <Cost />
      <Link
        href={`/sessions/${session.id}/files`}
        aria-label="Files and changes"
        title="Files and changes"
        className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink phone:size-11"
      >
        <FileDiff size={16} aria-hidden />
      </Link>
      <SessionMenu session={session} narrow={split} />
      {split && (
        <span className="-ml-2 phone:hidden">
          <IconButton label="Close this pane" onClick={() => closePane(session.id)}>
            <X size={16} aria-hidden />
          </IconButton>
        </span>
      )}
    </header>
  );
}

/** What an extension calls the session at the moment, beside the name a person gave it. */
function ExtensionTitle() {
  const title = useFeedState((feed) => feed.transcript.surface.title);
  if (title === null) return null;
  return (
    <span title={title} className="min-w-0 shrink truncate text-sm text-muted phone:max-w-full">
      {title}
    </span>
  );
}

function Cost() {
  const usage = useFeedState((feed) => feed.transcript.usage);
  const flow = formatTokenFlow(usage).join(" · ");
  const unpriced = (usage.unpriced ?? 0) > 0 ? " · some calls have no known price" : "";
  return (
    <span
      data-cost
      title={`This session so far: ${flow}${unpriced}`}
      className="shrink-0 px-1 text-right font-mono text-sm tabular-nums"
    >
      {formatCost(usage)}
    </span>
  );
}

function Viewers() {
  const viewers = useFeedState((feed) => feed.viewers);
  if (viewers < 2) return null;
  const label = `${plural(viewers, "viewer")} on this session`;
  return (
    <span title={label} className="flex shrink-0 items-center gap-1 text-xs text-faint tabular-nums">
      <Users size={13} aria-hidden />
      <span className="sr-only">{label}</span>
      <span aria-hidden>{viewers}</span>
    </span>
  );
}
