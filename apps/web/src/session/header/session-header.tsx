// The bar above a transcript: name, state, model, how full the context is, what it costs so far.
import type { SessionInfo } from "@patchbay/protocol";
import { Columns2, FileDiff, Users, X } from "lucide-react";
import { Suspense } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { useMay } from "../../connection/use-may.ts";
import { ModelPicker } from "../../controls/model-picker.tsx";
import { ThinkingPicker } from "../../controls/thinking-picker.tsx";
import { formatBounds, formatCost } from "../../format/money.ts";
import { formatTokenFlow } from "../../format/tokens.ts";
import { withKey } from "../../navigation/action-keys.ts";
import { BackToList } from "../../navigation/back-to-list.tsx";
import { toggleFiles, useFilesPlace } from "../../navigation/files-address.ts";
import { showPalettePage } from "../../navigation/overlay.ts";
import { closePane } from "../../navigation/session-address.ts";
import { Sharing } from "../../people/sharing/sharing.ts";
import { showDialog } from "../../session-actions/session-dialogs.tsx";
import { StateDot, stateLabel } from "../../session-actions/state-dot.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { sessionTexts } from "../texts.ts";
import { ContextMeter } from "./context-meter.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { SessionName } from "./session-name.tsx";

export function SessionHeader({ session, split }: { session: SessionInfo; split: boolean }) {
  const drives = useMay(session, "drive");
  return (
    <header className="flex h-12 shrink-0 flex-wrap items-center gap-3 @max-[44rem]/session:gap-2 border-b border-line pr-3 pl-5 phone:h-auto phone:gap-x-1.5 phone:gap-y-0 phone:pt-1.5 phone:pr-1 phone:pl-1">
      <BackToList />
      <div className="flex min-w-40 flex-1 items-center gap-3 phone:min-w-0 phone:flex-col phone:items-start phone:gap-0 phone:pr-2">
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
      {session.owner !== undefined && (
        <Suspense>
          <Sharing session={session} part="badge" onShare={() => showDialog(session.id, "people")} />
        </Suspense>
      )}
      <Viewers />
      {/* Disabled, it disables what is in it. */}
      <fieldset
        disabled={!drives}
        className="flex min-w-0 items-center phone:order-1 phone:w-full phone:pl-[44px]"
      >
        {!split && (
          <span className="shrink-0 text-sm text-faint @max-[54rem]/session:hidden phone:hidden">
            {agentName(session.worker)} ·
          </span>
        )}
        <ModelPicker session={session} />
        {!split && <ThinkingPicker />}
        <span className="ml-auto hidden pr-3 phone:block">
          <ContextMeter />
        </span>
      </fieldset>
      {!split && (
        <span className="@max-[48rem]/session:hidden phone:hidden">
          <ContextMeter />
        </span>
      )}
      <Cost />
      <span className="-mr-1 flex items-center">
        <FilesButton session={session.id} />
        {!split && (
          <span className="phone:hidden">
            <IconButton
              label={sessionTexts.splitView}
              hint={withKey(sessionTexts.splitView, "split")}
              onClick={() => showPalettePage("beside")}
            >
              <Columns2 size={16} aria-hidden />
            </IconButton>
          </span>
        )}
        <SessionMenu session={session} narrow={split} />
        {split && (
          <span className="phone:hidden">
            <IconButton
              label={sessionTexts.closeSplit}
              hint={withKey(sessionTexts.closeSplit, "closeSplit")}
              onClick={() => closePane(session.id)}
            >
              <X size={16} aria-hidden />
            </IconButton>
          </span>
        )}
      </span>
    </header>
  );
}

const agentName = (worker: string): string => (worker === "builtin" ? sessionTexts.builtinAgent : worker);

function FilesButton({ session }: { session: string }) {
  const open = useFilesPlace()?.of === session;
  return (
    <IconButton
      label={sessionTexts.filesAndChanges}
      hint={withKey(sessionTexts.filesAndChanges, "files")}
      aria-expanded={open}
      data-state={open ? "open" : "closed"}
      onClick={() => toggleFiles(session)}
    >
      <FileDiff size={16} aria-hidden />
    </IconButton>
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
  const facts = [
    ...formatTokenFlow(usage),
    formatBounds(usage),
    (usage.unpriced ?? 0) > 0 ? sessionTexts.someUnpriced : "",
  ];
  return (
    <span
      data-cost
      title={sessionTexts.costSoFar(facts.filter(Boolean).join(" · "))}
      className="shrink-0 px-1 text-right font-mono text-sm tabular-nums"
    >
      {formatCost(usage)}
    </span>
  );
}

const Avatars = lazyPart(async () => ({ default: (await import("../../ui/avatars.tsx")).Avatars }));

function Viewers() {
  const viewers = useFeedState((feed) => feed.viewers);
  const people = useFeedState((feed) => feed.people);
  if (people.length > 1)
    return (
      <Suspense>
        <Avatars names={people.map(({ label }) => label)} />
      </Suspense>
    );
  if (viewers < 2) return null;
  const label = sessionTexts.viewers(viewers);
  return (
    <span title={label} className="flex shrink-0 items-center gap-1 text-xs text-faint tabular-nums">
      <Users size={13} aria-hidden />
      <span className="sr-only">{label}</span>
      <span aria-hidden>{viewers}</span>
    </span>
  );
}
