// The keys that mean something now, in the composer's last line.
import { useCan } from "../connection/use-can.ts";
import { useSendKeyNames } from "../preferences/send-key.ts";
import type { ComposerMode } from "./send-buttons.tsx";
import { composerTexts } from "./texts.ts";

interface Props {
  mode: ComposerMode;
  busy: boolean;
  canSteer: boolean;
}

export function Hints({ mode, busy, canSteer }: Props) {
  const enter =
    mode === "shell" || mode === "command"
      ? composerTexts.run
      : busy
        ? composerTexts.queue
        : composerTexts.send;
  const steers = busy && canSteer && mode === "prompt";
  const canShell = useCan("bash");
  const keys = useSendKeyNames();
  const offered = [
    composerTexts.hintCommands,
    composerTexts.hintFiles,
    ...(canShell ? [composerTexts.hintShell] : []),
  ];
  return (
    <p
      aria-hidden
      className="flex min-w-0 flex-1 justify-end gap-3 truncate pr-1 text-xs text-faint phone:hidden"
    >
      <span className="mr-auto truncate">
        {mode === "shell" ? composerTexts.shellNote : offered.join(" · ")}
      </span>
      <span>
        {enter} {keys.send}
      </span>
      {steers ? (
        <span>
          {composerTexts.steer} {keys.steer}
        </span>
      ) : (
        <span>
          {composerTexts.newLine} {keys.newLine}
        </span>
      )}
      {busy && <span>{composerTexts.stop} Esc</span>}
    </p>
  );
}
