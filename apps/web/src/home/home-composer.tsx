// Starts a session: the prompt, and where and by whom it is worked on. What is written leaves the field only once the session
// is there.
import type { CreateSession } from "@patchbay/protocol";
import { ArrowUp, GitFork, Paperclip } from "lucide-react";
import { type KeyboardEvent, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Workers } from "../api/sessions.ts";
import { withTexts } from "../composer/attachments/attachments.ts";
import { agentName } from "../format/agent-name.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { DirectoryPicker } from "../new-session/directory/directory-picker.tsx";
import { useDirectory } from "../new-session/directory/use-directory.ts";
import { modelLabel, startModelOptions } from "../new-session/model-options.ts";
import {
  modelFor,
  recentDirectories,
  type StartChoice,
  suggestedChoice,
} from "../new-session/start-choices.ts";
import { newSessionTexts } from "../new-session/texts.ts";
import { useStartSession } from "../new-session/use-start-session.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { enterMeaning } from "../preferences/send-key.ts";
import { useSessionList, useSessions } from "../session-list/session-list.ts";
import { Combobox } from "../ui/combobox/combobox.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { homeTexts } from "./texts.ts";
import { useHomeDraft } from "./use-home-draft.ts";

const AttachmentList = lazyPart(() => import("../composer/attachments/attachment-list.tsx"));

/** `known` null: the agents are not known yet, and the prompt can already be written. */
export function HomeComposer({ known }: { known: Workers | null }) {
  const { choice, setChoice, recent } = useChoice(known);
  const [worktree, setWorktree] = useState(false);
  const [lacksDirectory, setLacksDirectory] = useState(false);
  const { text, setText, attachments, setAttachments, add, problem, clear } = useHomeDraft();
  const { start, starting, problem: refusal } = useStartSession();
  const sendKey = usePreferences((preferences) => preferences.sendKey);
  const field = useField();
  const picker = useRef<HTMLInputElement>(null);
  const worker = known?.workers.find(({ name }) => name === choice?.worker);
  const isRepository = useIsRepository(choice?.cwd ?? "");
  const attached = attachments.images.length + attachments.texts.length > 0;
  const empty = text.trim() === "" && !attached;

  const send = (withPrompt: boolean): void => {
    if (choice === null || starting || (withPrompt && empty)) return;
    if (choice.cwd === "") {
      setLacksDirectory(true);
      return document.querySelector<HTMLElement>("[data-home] [data-directory]")?.focus();
    }
    const request: CreateSession = {
      cwd: choice.cwd,
      ...(choice.worker === "" ? {} : { worker: choice.worker }),
      ...(choice.model === "" ? {} : { model: choice.model }),
      ...(worktree && isRepository ? { worktree } : {}),
    };
    const prompt = { message: withTexts(text.trim(), attachments.texts), images: attachments.images };
    if (withPrompt) start(request, prompt, clear);
    else start(request);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || enterMeaning(event, sendKey) === null) return;
    event.preventDefault();
    send(true);
  };
  const shownProblem =
    lacksDirectory && choice?.cwd === "" ? homeTexts.chooseDirectory : (refusal ?? problem);

  return (
    <FileDrop onFiles={add}>
      <form
        data-home
        aria-label={newSessionTexts.newSession}
        onSubmit={(event) => {
          event.preventDefault();
          send(true);
        }}
        className="rounded-lg border border-edge bg-raised transition-colors focus-within:border-accent"
      >
        <Suspense>
          {attached && <AttachmentList attachments={attachments} onChange={setAttachments} />}
        </Suspense>
        <textarea
          ref={field}
          rows={2}
          value={text}
          dir="auto"
          aria-label={homeTexts.ask}
          placeholder={homeTexts.placeholder}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            add(files);
          }}
          className="block max-h-[calc(var(--seen)*0.4)] min-h-[4.25rem] w-full resize-none bg-transparent px-4 pt-3.5 pb-1 text-prose outline-none phone:text-[1rem]"
        />
        <div className="flex min-h-10 flex-wrap items-center gap-x-1 px-2 pb-2">
          {choice !== null && known !== null && (
            <>
              <DirectoryPicker
                look="inline"
                cwd={choice.cwd}
                recent={recent}
                onChoose={(cwd) => {
                  setChoice({ ...choice, cwd });
                  field.current?.focus();
                }}
              />
              {isRepository && <WorktreeSwitch on={worktree} onChange={setWorktree} />}
              <Combobox
                label={newSessionTexts.agent}
                look="inline"
                value={choice.worker}
                shown={agentName(choice.worker)}
                empty={newSessionTexts.noAgent}
                options={known.workers
                  .filter(({ available }) => available)
                  .map(({ name }) => ({ value: name, label: agentName(name), detail: "" }))}
                onChoose={(name) => setChoice({ ...choice, worker: name, model: modelFor(known, name) })}
              />
              {(worker?.models ?? []).length > 0 && (
                <Combobox
                  label={newSessionTexts.model}
                  look="inline"
                  value={choice.model}
                  shown={modelLabel(choice.model)}
                  empty={newSessionTexts.ownModel}
                  options={startModelOptions(worker)}
                  onChoose={(model) => setChoice({ ...choice, model })}
                />
              )}
            </>
          )}
          <span className="ml-auto flex items-center gap-1">
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                add([...(event.target.files ?? [])]);
                event.target.value = "";
              }}
            />
            <IconButton label={homeTexts.attach} onClick={() => picker.current?.click()}>
              <Paperclip size={15} aria-hidden />
            </IconButton>
            <button
              type="submit"
              aria-label={starting ? homeTexts.starting : homeTexts.send}
              title={homeTexts.send}
              disabled={empty || starting || choice === null}
              className="flex size-8 shrink-0 items-center justify-center rounded-md bg-fill text-on-fill hover:bg-fill-hover disabled:bg-selected disabled:text-faint phone:size-11"
            >
              <ArrowUp size={17} aria-hidden className={starting ? "animate-pulse-dot" : ""} />
            </button>
          </span>
        </div>
        {shownProblem !== null && (
          <p
            role="alert"
            className="border-t border-line px-4 py-2 text-sm [overflow-wrap:anywhere] text-failed"
          >
            {shownProblem}
          </p>
        )}
      </form>
      <p className="mt-1.5 flex flex-wrap justify-end gap-x-1 text-xs text-faint">
        <button type="button" className={quiet} onClick={() => showOverlay("new-session")}>
          {homeTexts.moreOptions}
        </button>
        <button
          type="button"
          disabled={starting || choice === null}
          className={quiet}
          onClick={() => send(false)}
        >
          {homeTexts.withoutPrompt}
        </button>
      </p>
    </FileDrop>
  );
}

const quiet = "h-7 rounded-md px-2 hover:bg-hover hover:text-ink disabled:opacity-50 phone:h-11 phone:px-3";

/** Suggested once agents and sessions are known; a list that changes later does not change what the person sees. */
function useChoice(known: Workers | null) {
  const sessions = useSessions();
  const isListed = useSessionList(({ listing }) => listing.state !== "loading");
  const [choice, setChoice] = useState<StartChoice | null>(null);
  if (choice === null && known !== null && isListed) setChoice(suggestedChoice(known, sessions));
  const recent = useMemo(() => recentDirectories(sessions), [sessions]);
  return { choice, setChoice, recent };
}

function useField() {
  const field = useRef<HTMLTextAreaElement>(null);
  // It grows with its text; CSS bounds how far.
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  });
  useEffect(() => {
    // On a phone the keyboard would cover what needs a person.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  return field;
}

function useIsRepository(cwd: string): boolean {
  const known = useDirectory(cwd === "" ? null : cwd);
  return (
    known.state === "ready" && known.list.found?.branch !== undefined && known.list.found.branch !== null
  );
}

const WorktreeSwitch = ({ on, onChange }: { on: boolean; onChange(on: boolean): void }) => (
  <button
    type="button"
    aria-pressed={on}
    title={homeTexts.worktreeTitle}
    onClick={() => onChange(!on)}
    className={`flex h-7 items-center gap-1 rounded-md px-1.5 text-sm phone:h-11 ${on ? "bg-selected text-ink" : "text-faint hover:bg-hover hover:text-ink"}`}
  >
    <GitFork size={13} aria-hidden /> {homeTexts.worktree}
  </button>
);

function FileDrop({
  onFiles,
  children,
}: {
  onFiles(files: readonly File[]): void;
  children: React.ReactNode;
}) {
  const [hovers, setHovers] = useState(false);
  const hasFiles = (event: React.DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- for pointers; files can be attached by the button
    <div
      className="relative"
      onDragOver={(event) => hasFiles(event) && setHovers(true)}
      onDragLeave={() => setHovers(false)}
      onDrop={(event) => {
        setHovers(false);
        if (hasFiles(event)) onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {hovers && (
        <p className="pointer-events-none absolute inset-0 flex items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-canvas/85 text-sm font-medium text-accent">
          <Paperclip size={15} aria-hidden /> {homeTexts.drop}
        </p>
      )}
    </div>
  );
}
