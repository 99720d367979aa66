// A command that a person ran in the session's directory: live while it runs, with a way to stop it, and a
// card like a tool's afterwards.
import { type BashRun, bashOutput, type Message, type PersonCommand } from "@patchbay/protocol";
import { ChevronRight, Square } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { useFeed } from "../../connection/use-feed.ts";
import { useElapsed } from "../../device/use-elapsed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { formatClock, formatDuration } from "../../format/time.ts";
import { CardFrame, Note, Terminal } from "../tools/card-parts.tsx";
import { useOpenCards } from "../tools/open-cards.ts";
import { toolsTexts as texts } from "../tools/texts.ts";

export const SettledCommand = memo(function SettledCommand({ message }: { message: Message }) {
  const { bash } = message;
  if (bash === undefined) return null;
  return (
    <Card id={bash.id} command={bash.command} time={message.time} end={<Ending bash={bash} />}>
      <Output text={bashOutput(message)} running={false} note={noteOf(bash)} />
    </Card>
  );
});

/** Not a message yet: it runs, or it waits for the turn beside which it ran. */
export function RunningCommand({ run }: { run: BashRun }) {
  const end = run.ended === null ? <Running since={run.time} /> : <Ending bash={run.ended} />;
  return (
    <Card id={run.id} command={run.command} time={run.time} end={end}>
      <Output
        text={run.output}
        running={run.ended === null}
        note={run.ended === null ? "" : noteOf(run.ended)}
      />
    </Card>
  );
}

interface CardProps {
  id: string;
  command: string;
  time: string;
  end: ReactNode;
  children: ReactNode;
}

function Card({ id, command, time, end, children }: CardProps) {
  const open = useOpenCards((cards) => cards.chosen.get(id)) ?? true;
  const choose = useOpenCards((cards) => cards.choose);
  const [first = "", ...more] = command.split("\n");
  return (
    <article aria-label={texts.yourCommand} data-command={id} className="relative mt-5 mb-2 min-w-0">
      <span aria-hidden className="absolute inset-y-0.5 -left-4 w-0.5 rounded-full bg-fill phone:-left-3" />
      <header className="flex items-baseline gap-2 text-xs text-faint">
        <span className="font-medium text-muted">{texts.you}</span>
        <span className="tabular-nums">{formatClock(time)}</span>
      </header>
      <div className="flex min-h-8 items-center gap-2 phone:min-h-11">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => choose(id, !open)}
          className="-ml-2 flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover phone:min-h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={`shrink-0 text-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
          />
          <span className="shrink-0 font-mono text-accent">$</span>
          <span className="min-w-0 truncate font-mono">{first}</span>
          {more.length > 0 && (
            <span className="shrink-0 text-xs text-faint">{texts.moreLines(more.length)}</span>
          )}
        </button>
        {end}
      </div>
      {open && <div className="mb-2 ml-[1.375rem] animate-appear">{children}</div>}
    </article>
  );
}

const Output = ({ text, running, note }: { text: string; running: boolean; note: string }) => (
  <CardFrame copy={text}>
    <Terminal text={text} waiting={running} />
    {note !== "" && <Note>{note}</Note>}
  </CardFrame>
);

function noteOf({ truncated, full_output_path }: PersonCommand): string {
  if (!truncated) return "";
  return full_output_path === undefined ? texts.outputCut : texts.outputCutTo(full_output_path);
}

function Ending({ bash }: { bash: PersonCommand }) {
  const outcome = bash.cancelled
    ? texts.stopped
    : bash.exit_code === 0
      ? texts.done
      : texts.exit(String(bash.exit_code ?? texts.exitUnknown));
  const isGood = !bash.cancelled && bash.exit_code === 0;
  return (
    <span className={`shrink-0 text-xs tabular-nums ${isGood ? "text-faint" : "text-failed"}`}>
      {outcome}
    </span>
  );
}

function Running({ since }: { since: string }) {
  const feed = useFeed();
  const elapsed = useElapsed(true, since);
  const [problem, setProblem] = useState<string | null>(null);
  const stop = (): void => {
    feed.ask({ type: "abort_bash" }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <span className="flex shrink-0 items-center gap-2 text-xs text-working tabular-nums">
      {problem !== null && (
        <span role="alert" className="text-failed">
          {problem}
        </span>
      )}
      <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-working" />
      {texts.running}
      {elapsed >= 1_000 && ` · ${formatDuration(Math.floor(elapsed / 1_000) * 1_000)}`}
      <button
        type="button"
        onClick={stop}
        aria-label={texts.stopCommand}
        title={texts.stopCommand}
        className="flex size-7 items-center justify-center rounded-md border border-edge text-ink hover:bg-hover phone:size-11"
      >
        <Square size={11} fill="currentColor" aria-hidden />
      </button>
    </span>
  );
}
