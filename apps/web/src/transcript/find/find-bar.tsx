// Finds a text in the session, also where it is not on the page: rows that are not mounted, folded cards, evicted answers.
import { ChevronDown, ChevronUp, X } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { grouped } from "../../format/number.ts";
import { resultsOf, type TranscriptEntry } from "../entries/entries.ts";
import type { Matches } from "../message-link/match-context.ts";
import type { RowList } from "../rows/row-list.ts";
import { transcriptTexts } from "../texts.ts";
import { useOpenCards } from "../tools/open-cards.ts";
import { EvictedParts } from "./evicted-parts.ts";
import { EntryFinder, type FindMatch, findTerm, isSameMatch, mostMatches } from "./find-matches.ts";
import { showMatches } from "./show-match.ts";

/** The row that the reader went to, for what it folds. */
export interface SoughtRow {
  key: string;
  matches: Matches;
}

interface Props {
  entries: readonly TranscriptEntry[];
  list: RowList;
  scroller: RefObject<HTMLElement | null>;
  onSought(row: SoughtRow | null): void;
  onClose(): void;
}

export default function FindBar({ entries, list, scroller, onSought, onClose }: Props) {
  const { id } = useFeed();
  const [query, setQuery] = useState(selectedText);
  /** The match that the reader went to; before that, the first one below where the reader was. */
  const [picked, setPicked] = useState<FindMatch | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const term = useMemo(() => findTerm(query), [query]);
  const { matches, loading, failed } = useMatches(entries, term);
  const field = useFocus();
  const at = currentAt(matches, picked, from ?? 0);
  useShownMatch({ term, current: matches[at] ?? null, list, scroller, onSought });

  const change = (text: string): void => {
    setQuery(text);
    setPicked(null);
    setFrom(firstRowInView(scroller.current, entries));
  };
  const step = (by: 1 | -1): void => {
    if (matches.length > 0) setPicked(matches[(at + by + matches.length) % matches.length] ?? null);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isInField = event.target === field.current;
    const isNext = (event.key === "g" || event.key === "G") && (event.ctrlKey || event.metaKey);
    if (event.key === "Escape") onClose();
    else if ((event.key === "Enter" && isInField) || isNext) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation(); // Esc would also stop the agent
  };
  return (
    <div
      role="search"
      data-find={id}
      className="absolute top-2 right-3 z-20 flex h-10 max-w-[calc(100%-1.5rem)] animate-appear items-center gap-0.5 rounded-md border border-edge bg-raised pr-1 pl-3 shadow-float phone:inset-x-2 phone:top-1 phone:h-12 phone:max-w-none"
    >
      <input
        ref={field}
        type="text"
        value={query}
        onChange={({ target }) => change(target.value)}
        onKeyDown={key}
        aria-label={transcriptTexts.find}
        placeholder={transcriptTexts.findPlaceholder}
        spellCheck={false}
        autoComplete="off"
        className="w-56 min-w-0 flex-1 bg-transparent text-sm outline-none"
      />
      <span
        role="status"
        className="shrink-0 px-1.5 text-xs text-muted tabular-nums"
        title={loading ? transcriptTexts.findLoading : failed ? transcriptTexts.findFailed : undefined}
      >
        {term !== null && countText(at, matches.length, loading)}
        {failed && <span className="text-failed"> !</span>}
      </span>
      <Step
        label={transcriptTexts.findPrevious}
        onKeyDown={key}
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      >
        <ChevronUp size={16} aria-hidden />
      </Step>
      <Step
        label={transcriptTexts.findNext}
        onKeyDown={key}
        disabled={matches.length === 0}
        onClick={() => step(1)}
      >
        <ChevronDown size={16} aria-hidden />
      </Step>
      <Step label={transcriptTexts.findClose} onKeyDown={key} disabled={false} onClick={onClose}>
        <X size={15} aria-hidden />
      </Step>
    </div>
  );
}

function countText(at: number, count: number, loading: boolean): string {
  if (count === 0) return loading ? "…" : transcriptTexts.findNone;
  const all = `${grouped(count)}${loading || count >= mostMatches ? "+" : ""}`;
  return transcriptTexts.findCount(grouped(at + 1), all);
}

interface StepProps {
  label: string;
  disabled: boolean;
  onClick(): void;
  onKeyDown(event: KeyboardEvent): void;
  children: ReactNode;
}

const Step = ({ label, disabled, onClick, onKeyDown, children }: StepProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={onClick}
    onKeyDown={onKeyDown}
    className="flex size-7 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-ink disabled:opacity-40 phone:size-11"
  >
    {children}
  </button>
);

/** Which of the matches is the current one; -1 where there are none. */
function currentAt(matches: readonly FindMatch[], picked: FindMatch | null, from: number): number {
  const at = picked === null ? -1 : matches.findIndex((match) => isSameMatch(match, picked));
  if (at !== -1 || matches.length === 0) return at;
  return Math.max(
    0,
    matches.findIndex(({ row }) => row >= from),
  );
}

interface ShownMatch {
  term: RegExp | null;
  current: FindMatch | null;
  list: RowList;
  scroller: RefObject<HTMLElement | null>;
  onSought(row: SoughtRow | null): void;
}

/** Opens what holds the match, brings it into view, and highlights it and the others. */
function useShownMatch({ term, current, list, scroller, onSought }: ShownMatch): void {
  const { key = "", call = null, group = null, nth = 0 } = current ?? {};
  useEffect(() => {
    if (key === "" || term === null) return onSought(null);
    const { choose } = useOpenCards.getState();
    if (group !== null) choose(group, true);
    if (call !== null) choose(call, true);
    onSought({ key, matches: { terms: [term], call } });
    const isMounted = scroller.current?.querySelector(`[data-row="${CSS.escape(key)}"]`) instanceof Element;
    if (!isMounted) list.show(key);
  }, [term, key, call, group, list, scroller, onSought]);
  useEffect(() => {
    if (scroller.current === null || term === null) return;
    const match = key === "" ? null : { key, call, nth };
    return showMatches(scroller.current, term, match, (place) => list.bring(place));
  }, [scroller, term, key, call, nth, list]);
  useEffect(() => () => onSought(null), [onSought]);
}

/** The field has the focus when the bar is opened, and gives it back. */
function useFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [before]);
  return field;
}

interface Found {
  matches: readonly FindMatch[];
  /** Evicted answers are still being fetched. */
  loading: boolean;
  failed: boolean;
}

function useMatches(entries: readonly TranscriptEntry[], term: RegExp | null): Found {
  const { id } = useFeed();
  const messages = useFeedState(({ transcript }) => transcript.messages);
  const [evicted] = useState(() => new EvictedParts(id));
  const [edition, setEdition] = useState(0);
  const [state, setState] = useState<"loading" | "ready" | "failed">("ready");
  const finder = useMemo(() => (term === null ? null : new EntryFinder(term)), [term]);
  const newest = useRef(entries);
  newest.current = entries;
  const missing = entries.filter(
    (entry) => entry.kind === "evicted" && evicted.of(entry) === undefined,
  ).length;
  const wanted = finder !== null && missing > 0;
  useEffect(() => {
    if (!wanted) return;
    setState("loading");
    evicted
      .load(newest.current, () => setEdition((count) => count + 1))
      .then(
        () => setState("ready"),
        () => setState("failed"),
      );
  }, [wanted, evicted]);
  useEffect(() => () => evicted.cancel(), [evicted]);
  const matches = useMemo(
    () => (finder === null ? [] : finder.find(entries, resultsOf(messages), (entry) => evicted.of(entry))),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `edition` says that more was fetched
    [finder, entries, messages, evicted, edition],
  );
  return { matches, loading: wanted && state === "loading", failed: state === "failed" };
}

/** What is selected is what people look for. */
function selectedText(): string {
  const text = getSelection()?.toString().trim() ?? "";
  return text.length > 200 || text.includes("\n") ? "" : text;
}

function firstRowInView(scroller: HTMLElement | null, entries: readonly TranscriptEntry[]): number {
  if (scroller === null) return 0;
  const edge = scroller.getBoundingClientRect().top;
  const rows = [...scroller.querySelectorAll<HTMLElement>("[data-row]")];
  const first = rows.find((row) => row.getBoundingClientRect().bottom > edge)?.dataset["row"];
  return Math.max(
    0,
    entries.findIndex(({ key }) => key === first),
  );
}
