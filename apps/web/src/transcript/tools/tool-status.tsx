// The right end of a tool's line: working with its time, how it ended, how long it took.

import { useElapsed } from "../../device/use-elapsed.ts";
import { formatDuration, isNoticeable } from "../../format/time.ts";
import { toolsTexts as texts } from "./texts.ts";
import type { ToolState } from "./tool-state.ts";

export function ToolStatus({ state, exit }: { state: ToolState; exit: number | null }) {
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-2 text-xs tabular-nums">
      {state.state === "writing" && <Working key="writing" activity={texts.writing} />}
      {state.state === "running" && <Working key="running" activity={texts.running} />}
      {state.state === "waiting" && <Waiting />}
      {state.state === "lost" && <span className="text-faint">{texts.noResult}</span>}
      {state.state === "done" && state.ended !== null && (
        <span className="text-muted">{texts[state.ended]}</span>
      )}
      {state.state === "done" && state.ended === null && (
        <Done failed={state.failed} exit={exit} duration={state.duration} />
      )}
    </span>
  );
}

const Waiting = () => (
  <>
    <span aria-hidden className="size-1.5 rounded-full bg-accent" />
    <span className="text-accent">{texts.waiting}</span>
  </>
);

function Working({ activity }: { activity: string }) {
  const elapsed = useElapsed(true);
  return (
    <>
      <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-working" />
      <span className="text-working">
        {activity}
        {elapsed >= 1_000 && ` · ${formatDuration(Math.floor(elapsed / 1000) * 1000)}`}
      </span>
    </>
  );
}

function Done({ failed, exit, duration }: { failed: boolean; exit: number | null; duration: number | null }) {
  const took = duration === null || !isNoticeable(duration) ? null : formatDuration(duration);
  const failure =
    exit !== null && exit !== 0
      ? exit < 0
        ? texts.stopped
        : texts.exit(String(exit))
      : failed
        ? texts.failed
        : null;
  return (
    <>
      {failure !== null && <span className="text-failed">{failure}</span>}
      {failure !== null && took !== null && <span className="text-faint">·</span>}
      {took !== null && <span className="text-faint">{took}</span>}
      {failure === null && duration === null && <span className="text-faint">{texts.done}</span>}
    </>
  );
}
