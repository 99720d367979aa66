// The list of a directory picker, loaded when one is first opened: recent directories, and once a path is typed, the
// directories on the server that it may mean. The focus stays in the field; → and Tab open the active directory.
import type { DirectoryList } from "@patchbay/protocol";
import { ChevronRight, CornerDownLeft, Folder, FolderGit2, History } from "lucide-react";
import { Popover } from "radix-ui";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { shortDirectory } from "../../format/path.ts";
import { PathText } from "../../format/path-text.tsx";
import { BranchBadge } from "./branch-badge.tsx";
import { type DirectoryOption, directoryOptions, isWrittenPath } from "./directory-options.ts";
import { directoryTexts } from "./texts.ts";
import { type DirectoryAnswer, useDirectory } from "./use-directory.ts";

export interface DirectoryPopupProps {
  button: ComponentProps<"button">;
  cwd: string;
  recent: readonly string[];
  onChoose(path: string): void;
  look: "field" | "inline";
}

export default function DirectoryPopup({ button, cwd, recent, onChoose, look }: DirectoryPopupProps) {
  // It is rendered because the button was just pressed.
  const [open, setOpen] = useState(true);
  const chosen = useRef(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger {...button} type="button" />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={directoryTexts.directory}
          onCloseAutoFocus={(event) => {
            // Beside a prompt, the prompt has the focus after a choice.
            if (chosen.current && look === "inline") event.preventDefault();
            chosen.current = false;
          }}
          className="z-50 flex max-h-[var(--radix-popover-content-available-height)] w-[min(480px,calc(100vw-16px))] animate-appear flex-col overflow-hidden rounded-md bg-panel shadow-float"
        >
          <Chooser
            cwd={cwd}
            recent={recent}
            onChoose={(path) => {
              chosen.current = true;
              setOpen(false);
              onChoose(path);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Chooser({ cwd, recent, onChoose }: Pick<DirectoryPopupProps, "cwd" | "recent" | "onChoose">) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const answer = useDirectory(isWrittenPath(query) ? query : null);
  const latest = useLatest(answer);
  const options = directoryOptions(query, recent, latest);
  const current = options[active];

  const write = (text: string): void => {
    setQuery(text);
    setActive(0);
    field.current?.focus();
  };
  const openDirectory = (path: string): void => {
    const home = latest?.home;
    const short =
      home !== undefined && `${path}/`.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
    write(`${short.replace(/\/$/, "")}/`);
  };
  const choose = (option: DirectoryOption | undefined): void => {
    // The list may not be about what was just typed.
    if (isWrittenPath(query) && answer.state === "loading") onChoose(query.trim());
    else if (option?.kind === "browse") openDirectory(option.path);
    else if (option !== undefined) onChoose(option.path);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const atEnd = event.currentTarget.selectionStart === query.length;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && options.length > 0) setActive((active + step + options.length) % options.length);
    else if (event.key === "Enter") choose(current);
    else if (
      current !== undefined &&
      ((event.key === "Tab" && !event.shiftKey) || (event.key === "ArrowRight" && atEnd))
    )
      openDirectory(current.path);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        role="combobox"
        aria-label={directoryTexts.directory}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : `${list}-${active}`}
        placeholder={directoryTexts.typePath}
        value={query}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKey}
        className="h-9 w-full shrink-0 border-b border-line bg-transparent px-3 font-mono text-sm outline-none phone:h-12 phone:text-[1rem]"
      />
      <div
        id={list}
        role="listbox"
        aria-label={directoryTexts.directories}
        aria-busy={answer.state === "loading" && isWrittenPath(query)}
        className="max-h-80 min-h-0 overflow-y-auto p-1"
      >
        {options.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
          <div
            key={`${option.kind} ${option.path}`}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={option.path === cwd && option.kind !== "browse"}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(option)}
            className={`flex min-h-8 cursor-pointer items-center gap-2 rounded-sm pl-2 text-sm phone:min-h-12 ${index === active ? "bg-hover" : ""}`}
          >
            <OptionFace option={option} />
            {option.kind !== "browse" && (
              // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- for pointers; the keys are → and Tab
              <span
                aria-hidden
                title={directoryTexts.openDirectory}
                onClick={(event) => {
                  event.stopPropagation();
                  openDirectory(option.path);
                }}
                className="flex h-8 w-8 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-selected hover:text-ink phone:h-12 phone:w-12"
              >
                <ChevronRight size={14} />
              </span>
            )}
          </div>
        ))}
        <Note query={query} answer={answer} count={options.length} />
      </div>
      <p className="flex shrink-0 items-center gap-3 border-t border-line px-3 py-1.5 text-2xs text-faint phone:hidden">
        <span className="flex items-center gap-1">
          <CornerDownLeft size={11} aria-hidden /> {directoryTexts.choosesIt}
        </span>
        <span>→ {directoryTexts.opensIt}</span>
        {latest?.more === true && <span className="ml-auto">{directoryTexts.moreDirectories}</span>}
      </p>
    </>
  );
}

/** Until an answer to what is typed is there, the one before it stays in sight. */
function useLatest(answer: DirectoryAnswer) {
  const [latest, setLatest] = useState<DirectoryList | null>(null);
  if (answer.state === "ready" && answer.list !== latest) setLatest(answer.list);
  return answer.state === "ready" ? answer.list : latest;
}

function OptionFace({ option }: { option: DirectoryOption }): ReactNode {
  switch (option.kind) {
    case "recent":
      return <Recent path={option.path} />;
    case "browse":
      return <Face icon={<Folder size={14} aria-hidden />} text={directoryTexts.browse} />;
    case "named":
      return (
        <Face
          icon={<CornerDownLeft size={14} aria-hidden className="text-accent" />}
          text={<PathText path={shortDirectory(option.path)} />}
          badge={<BranchBadge branch={option.branch} />}
        />
      );
    case "entry":
      return (
        <Face
          icon={option.git ? <FolderGit2 size={14} aria-hidden /> : <Folder size={14} aria-hidden />}
          text={option.name}
          badge={option.git && <span className="shrink-0 text-xs text-faint">{directoryTexts.git}</span>}
        />
      );
  }
}

function Recent({ path }: { path: string }) {
  const known = useDirectory(path);
  const found = known.state === "ready" ? known.list.found : undefined;
  return (
    <Face
      icon={<History size={14} aria-hidden />}
      text={<PathText path={shortDirectory(path)} />}
      badge={
        found === null ? (
          <span className="shrink-0 text-xs text-failed">{directoryTexts.notFound}</span>
        ) : (
          found !== undefined && <BranchBadge branch={found.branch} />
        )
      }
    />
  );
}

const Face = ({ icon, text, badge }: { icon: ReactNode; text: ReactNode; badge?: ReactNode }) => (
  <>
    <span className="shrink-0 text-faint">{icon}</span>
    <span className="min-w-0 flex-1 truncate font-mono text-xs">{text}</span>
    {badge}
  </>
);

function Note({ query, answer, count }: { query: string; answer: DirectoryAnswer; count: number }) {
  const text =
    isWrittenPath(query) && answer.state === "failed"
      ? answer.message
      : count > 0 || (isWrittenPath(query) && answer.state === "loading")
        ? null
        : isWrittenPath(query)
          ? directoryTexts.noDirectory
          : directoryTexts.noRecent;
  return text === null ? null : <p className="px-2 py-3 text-sm text-faint">{text}</p>;
}
