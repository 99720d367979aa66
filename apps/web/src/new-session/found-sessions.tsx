// "Continue a session from another program": what zot, pi and omp left in the chosen directory. Closed at first.
import type { FoundSession } from "@patchbay/protocol";
import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "wouter";
import { formatCost } from "../format/money.ts";
import { formatTexts } from "../format/texts.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { newSessionTexts } from "./texts.ts";
import type { FoundSessionList } from "./use-found-sessions.ts";

interface Props {
  found: FoundSessionList;
  chosen: FoundSession | null;
  onChoose(session: FoundSession | null): void;
  /** A session that is here already is opened instead. */
  onLeave(): void;
}

export function FoundSessions({ found: { sessions, problem }, chosen, onChoose, onLeave }: Props) {
  const [open, setOpen] = useState(false);
  const list = useId();
  if (problem !== null) {
    return <p className="text-xs text-faint">{newSessionTexts.otherSessionsFailed(problem)}</p>;
  }
  if (sessions.length === 0) return null;
  return (
    <div className="-mt-1 overflow-hidden rounded-md border border-line">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={list}
        onClick={() => {
          setOpen(!open);
          if (open) onChoose(null);
        }}
        className="flex h-9 w-full items-center gap-2 px-3 text-left text-sm hover:bg-hover phone:h-11"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
        {newSessionTexts.continueHere}
        <span className="ml-auto font-mono text-xs text-faint tabular-nums">{sessions.length}</span>
      </button>
      {open && (
        <div
          id={list}
          role="radiogroup"
          aria-label={newSessionTexts.otherSessions}
          className="max-h-52 overflow-y-auto border-t border-line bg-canvas"
        >
          {sessions.map((session) =>
            session.continued_as === undefined ? (
              <Choice
                key={`${session.program} ${session.session}`}
                session={session}
                isChosen={chosen === session}
                onChoose={onChoose}
              />
            ) : (
              <Link
                key={`${session.program} ${session.session}`}
                href={`/sessions/${session.continued_as}`}
                onClick={onLeave}
                className={`${rowClass} pl-9 hover:bg-hover`}
              >
                <SessionFacts session={session} note={newSessionTexts.alreadyHere} />
              </Link>
            ),
          )}
        </div>
      )}
    </div>
  );
}

const rowClass =
  "flex cursor-pointer items-start gap-3 border-b border-line px-3 py-2 last:border-b-0 phone:py-3";

function Choice({
  session,
  isChosen,
  onChoose,
}: {
  session: FoundSession;
  isChosen: boolean;
  onChoose(session: FoundSession): void;
}) {
  return (
    <label className={`${rowClass} ${isChosen ? "bg-selected" : "hover:bg-hover"}`}>
      <input
        type="radio"
        name="found-session"
        checked={isChosen}
        onChange={() => onChoose(session)}
        className="mt-1 size-3.5 shrink-0 appearance-none rounded-full border border-edge checked:border-4 checked:border-fill"
      />
      <SessionFacts session={session} />
    </label>
  );
}

function agoText(time: string): string {
  const ago = formatAgo(time);
  return ago === formatTexts.now ? ago : newSessionTexts.ago(ago);
}

function SessionFacts({ session, note }: { session: FoundSession; note?: string }) {
  const { title, first_prompt, program, updated_at, message_count, cost_usd, unpriced } = session;
  const facts = [
    program,
    agoText(updated_at),
    ...(message_count === undefined ? [] : [newSessionTexts.messages(message_count)]),
    ...(cost_usd === undefined ? [] : [formatCost({ cost_usd, unpriced })]),
    ...(note === undefined ? [] : [note]),
  ];
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-sm">{title || first_prompt || newSessionTexts.untitled}</span>
      {title !== "" && first_prompt !== "" && first_prompt !== title && (
        <span className="block truncate text-xs text-muted">{first_prompt}</span>
      )}
      <span className="mt-0.5 block truncate text-xs text-faint tabular-nums" title={formatExact(updated_at)}>
        {facts.join(" · ")}
      </span>
    </span>
  );
}
