// Search over the transcripts of all sessions: by words and phrases, narrowed to a directory and to a kind of message.
// The address holds the query, so that going back shows it again.
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "wouter";
import type { TranscriptHit } from "../api/search.ts";
import { shortDirectory } from "../format/path.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { BackToList } from "../navigation/back-to-list.tsx";
import { messageAddress } from "../navigation/message-address.ts";
import { usePageTitle } from "../navigation/page-title.ts";
import { useSessions } from "../session-list/session-list.ts";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { Select } from "../ui/select.tsx";
import { Snippet } from "./snippet.tsx";
import { searchTexts } from "./texts.ts";
import { shortest, useSearch } from "./use-search.ts";

const kinds = [
  ["", "everything"],
  ["prompt", "prompts"],
  ["answer,summary", "answers"],
  ["tool,output,command", "tools"],
] as const;

export default function SearchPage() {
  const [params, setParams] = useSearchParams();
  const request = { q: params.get("q") ?? "", cwd: params.get("cwd") ?? "", kind: params.get("kind") ?? "" };
  const change = (name: keyof typeof request, value: string): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    usePageTitle.setState({ title: `${searchTexts.search} · Patchbay` });
    return () => usePageTitle.setState({ title: "Patchbay" });
  }, []);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="sr-only">{searchTexts.title}</h1>
      <header className="shrink-0 border-b border-line">
        <div className="mx-auto flex w-full max-w-[884px] items-center gap-2 px-8 pt-6 phone:px-2 phone:pt-2">
          <BackToList />
          <div className="relative min-w-0 flex-1">
            <Search size={16} aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-faint" />
            <input
              ref={field}
              role="searchbox"
              aria-label={searchTexts.title}
              placeholder={searchTexts.placeholder}
              value={request.q}
              onChange={(event) => change("q", event.target.value)}
              className="h-10 w-full rounded-md border border-edge bg-canvas pr-3 pl-9 text-[0.9375rem] outline-offset-0 phone:h-11 phone:text-[1rem]"
            />
          </div>
        </div>
        <div className="mx-auto flex w-full max-w-[884px] flex-wrap items-center gap-2 px-8 py-3 phone:px-3">
          <div className="flex min-w-0 gap-1 overflow-x-auto" role="group" aria-label={searchTexts.kind}>
            {kinds.map(([kind, label]) => (
              <button
                key={kind}
                type="button"
                aria-pressed={request.kind === kind}
                onClick={() => change("kind", kind)}
                className="h-7 shrink-0 rounded-md px-2.5 text-sm text-muted hover:bg-hover aria-pressed:bg-selected aria-pressed:text-ink phone:h-11"
              >
                {searchTexts[label]}
              </button>
            ))}
          </div>
          <div className="ml-auto w-56 max-w-full phone:ml-0 phone:w-full">
            <Directories value={request.cwd} onChange={(cwd) => change("cwd", cwd)} />
          </div>
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[884px] px-8 pt-4 pb-10 phone:px-3">
          <Results request={request} />
        </div>
      </div>
    </div>
  );
}

function Directories({ value, onChange }: { value: string; onChange(cwd: string): void }) {
  const directories = [...new Set(useSessions().map(({ cwd }) => cwd))].sort();
  return (
    <Select
      aria-label={searchTexts.directory}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{searchTexts.allDirectories}</option>
      {directories.map((cwd) => (
        <option key={cwd} value={cwd}>
          {shortDirectory(cwd)}
        </option>
      ))}
    </Select>
  );
}

function Results({ request }: { request: { q: string; cwd: string; kind: string } }) {
  const searched = useSearch({ ...request, limit: 100 });
  if (searched.state === "failed") {
    return (
      <p role="alert" className="text-sm text-failed">
        {searched.message}
      </p>
    );
  }
  if (searched.state === "idle") {
    return (
      <p className="max-w-[60ch] text-muted">
        {searchTexts.intro} {request.q !== "" && searchTexts.tooShort(shortest)}
      </p>
    );
  }
  if (searched.found === null) return <Loading />;
  const { hits, more } = searched.found;
  return (
    <>
      <p role="status" className="mb-3 text-xs text-faint">
        {hits.length === 0
          ? searchTexts.none
          : searchTexts.found(hits.length, new Set(hits.map(({ session }) => session)).size, more)}
      </p>
      {bySession(hits).map(([first, ...rest]) => (
        <section key={first.session} aria-label={first.name} className="mb-6">
          <h2 className="mb-1 flex items-baseline gap-2">
            <Link
              href={`/sessions/${first.session}`}
              className="min-w-0 truncate font-medium hover:underline"
            >
              {first.name}
            </Link>
            <span className="min-w-0 truncate font-mono text-2xs text-faint">
              {shortDirectory(first.cwd)}
            </span>
          </h2>
          <ul className="divide-y divide-line border-y border-line">
            {[first, ...rest].map((hit) => (
              <HitRow key={`${hit.seq} ${hit.part}`} hit={hit} find={request.q} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const HitRow = ({ hit, find }: { hit: TranscriptHit; find: string }) => (
  <li>
    <Link
      href={messageAddress(hit.session, hit.time, find)}
      className="grid grid-cols-[84px_1fr_auto] gap-x-4 px-2 py-2 text-sm hover:bg-hover phone:grid-cols-[1fr_auto] phone:gap-y-0.5 phone:py-3"
    >
      <span className={`text-xs leading-5 ${hit.kind === "prompt" ? "text-accent" : "text-faint"}`}>
        {searchTexts[`kind_${hit.kind}`]}
        {hit.branch !== "main" && <span className="block text-faint">{searchTexts.onBranch}</span>}
      </span>
      <span
        className={`min-w-0 [overflow-wrap:anywhere] text-muted phone:order-3 phone:col-span-2 ${hit.kind === "output" || hit.kind === "tool" ? "font-mono text-xs leading-5" : ""}`}
      >
        <Snippet pieces={hit.snippet} prose={hit.kind === "answer" || hit.kind === "summary"} />
      </span>
      <time
        dateTime={hit.time}
        title={formatExact(hit.time)}
        className="text-xs leading-5 text-faint tabular-nums"
      >
        {formatAgo(hit.time)}
      </time>
    </Link>
  </li>
);

/** The session with the newest hit first. */
function bySession(hits: readonly TranscriptHit[]): [TranscriptHit, ...TranscriptHit[]][] {
  const groups = new Map<string, [TranscriptHit, ...TranscriptHit[]]>();
  for (const hit of hits) {
    const group = groups.get(hit.session);
    if (group === undefined) groups.set(hit.session, [hit]);
    else group.push(hit);
  }
  return [...groups.values()];
}

const Loading = () => (
  <div role="status" aria-label={searchTexts.searching} className="flex flex-col gap-3">
    <Skeleton className="h-4 w-1/3" />
    <Skeleton className="h-9" />
    <Skeleton className="h-9" />
  </div>
);
