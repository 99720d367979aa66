// What can be done with what is written. While the agent works the choice is explicit: queue it for
// afterwards, or steer, which reaches the agent in the middle of its turn.
import { ArrowUp, CornerDownRight, ListPlus, Paperclip, Square, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { useSendKeyNames } from "../preferences/send-key.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { composerTexts } from "./texts.ts";

export type ComposerMode = "prompt" | "command" | "shell";

interface Props {
  mode: ComposerMode;
  busy: boolean;
  empty: boolean;
  canSteer: boolean;
  /** It was asked to stop, and has not yet. */
  stopping: boolean;
  onAttach(): void;
  onSteer(): void;
  onStop(): void;
  /** Between what is on the left and what is on the right. */
  children: ReactNode;
}

export function SendButtons(props: Props) {
  const { mode, busy, empty, canSteer, stopping, onAttach, onSteer, onStop, children } = props;
  const keys = useSendKeyNames();
  const queues = busy && mode === "prompt";
  const steers = queues && canSteer && !empty;
  return (
    <>
      <IconButton label={composerTexts.attach} onClick={onAttach}>
        <Paperclip size={15} aria-hidden />
      </IconButton>
      {children}
      {busy && (
        <button
          type="button"
          onClick={onStop}
          aria-label={composerTexts.stop}
          aria-busy={stopping}
          title={stopping ? composerTexts.stopping : composerTexts.stopByKey}
          className="flex size-8 shrink-0 items-center justify-center rounded-md border border-edge text-ink hover:bg-hover phone:size-11"
        >
          <Square
            size={12}
            fill="currentColor"
            aria-hidden
            className={stopping ? "animate-pulse-dot text-faint" : ""}
          />
        </button>
      )}
      {steers && (
        <button
          type="button"
          onClick={onSteer}
          title={composerTexts.steerDetail(keys.steer)}
          className="flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-edge px-2.5 text-sm text-ink hover:bg-hover phone:h-11"
        >
          <CornerDownRight size={15} aria-hidden className="text-accent" /> {composerTexts.steer}
        </button>
      )}
      {(!busy || !empty) && (
        <Submit disabled={empty} label={labelOf(mode, queues)} sendKey={keys.send} wide={steers}>
          {mode === "shell" ? (
            <SquareTerminal size={16} aria-hidden />
          ) : queues ? (
            <ListPlus size={17} aria-hidden />
          ) : (
            <ArrowUp size={17} aria-hidden />
          )}
        </Submit>
      )}
    </>
  );
}

const labelOf = (mode: ComposerMode, queues: boolean): string =>
  mode === "shell"
    ? composerTexts.runCommand
    : queues
      ? composerTexts.queue
      : mode === "command"
        ? composerTexts.run
        : composerTexts.send;

interface SubmitProps {
  disabled: boolean;
  label: string;
  sendKey: string;
  /** Beside another way to send it, it says what it does. */
  wide: boolean;
  children: ReactNode;
}

const Submit = ({ disabled, label, sendKey, wide, children }: SubmitProps) => (
  <button
    type="submit"
    disabled={disabled}
    aria-label={label}
    title={`${label} (${sendKey})`}
    className={`flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md bg-fill text-sm font-medium text-on-fill hover:bg-fill-hover disabled:bg-selected disabled:text-faint phone:h-11 ${wide ? "px-2.5" : "w-8 phone:w-11"}`}
  >
    {children}
    {wide && label}
  </button>
);
