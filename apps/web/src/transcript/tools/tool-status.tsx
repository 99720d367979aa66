// The right end of a tool's line: working with its time, how it ended, how long it took.

import { useElapsed } from "../../device/use-elapsed.ts";
import { formatDuration, isNoticeable } from "../../format/time.ts";
import type { ToolState } from "./tool-state.ts";

export function ToolStatus({ state, exit }: { state: ToolState; exit: number | null }) {
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-2 text-xs tabular-nums">
      {state.state === "writing" && <Working activity="writing" />}
      {state.state === "running" && <Working activity="running" />}
      {state.state === "lost" && <span className="text-faint">no result</span>}
      {state.state === "done" && <Done failed={state.failed} exit={exit} duration={state.duration} />}
    </span>
  );
}

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
    exit !== null && exit !== 0 ? (exit < 0 ? "stopped" : `exit ${exit}`) : failed ? "failed" : null;
  return (
    <>
      {failure !== null && <span className="text-failed">{failure}</span>}
      {failure !== null && took !== null && <span className="text-faint">·</span>}
      {took !== null && <span className="text-faint">{took}</span>}
      {failure === null && duration === null && <span className="text-faint">done</span>}
    </>
  );
}
