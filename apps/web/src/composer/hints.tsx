// The keys that mean something now, in the composer's last line.
import { useCan } from "../connection/use-can.ts";
import { useSendKeyNames } from "../preferences/send-key.ts";
import type { ComposerMode } from "./send-buttons.tsx";

interface Props {
  mode: ComposerMode;
  busy: boolean;
  canSteer: boolean;
}

export function Hints({ mode, busy, canSteer }: Props) {
  const enter = mode === "shell" || mode === "command" ? "Run" : busy ? "Queue" : "Send";
  const steers = busy && canSteer && mode === "prompt";
  const canShell = useCan("bash");
  const keys = useSendKeyNames();
  const offered = [
    ...(useCan("commands") ? ["/ commands"] : []),
    "@ files",
    ...(canShell ? ["! shell"] : []),
  ];
  return (
    <p
      aria-hidden
      className="flex min-w-0 flex-1 justify-end gap-3 truncate pr-1 text-xs text-faint phone:hidden"
    >
      <span className="mr-auto truncate">
        {mode === "shell"
          ? "Runs in the session's directory; the agent sees the output"
          : offered.join(" · ")}
      </span>
      <span>
        {enter} {keys.send}
      </span>
      {steers ? <span>Steer {keys.steer}</span> : <span>New line {keys.newLine}</span>}
      {busy && <span>Stop Esc</span>}
    </p>
  );
}
