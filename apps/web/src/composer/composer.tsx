// Where prompts are written. Enter sends (or queues, while the agent works), Ctrl+Enter steers, Shift+Enter
// makes a new line, Esc stops; `/` offers commands and `!` runs one in the shell. The text leaves the field
// only once it is in the outbox.
import type { PromptImage } from "@patchbay/protocol";
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { inWords } from "../api/call.ts";
import type { OutboxItem, SendAs } from "../connection/outbox.ts";
import { useCan } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { ComposerNotes } from "./composer-notes.tsx";
import { loadDraft, saveDraft } from "./draft.ts";
import { useEditorTexts } from "./editor-text.ts";
import { Pictures, usePictures } from "./pictures.tsx";
import { type Mode, SendButtons } from "./send-buttons.tsx";
import { optionId, SlashMenu } from "./slash-menu.tsx";
import { useStop } from "./stop.ts";
import { commandIn, useCommands } from "./use-commands.ts";
import { useSlashMenu } from "./use-slash-menu.ts";

interface Props {
  onPrompt(message: string, images: PromptImage[], as: SendAs): void;
}

export function Composer({ onPrompt }: Props) {
  const feed = useFeed();
  const [text, setText] = useState(() => {
    const draft = loadDraft(feed.id);
    return draft === "" ? feed.takeAbandonedText() : draft;
  });
  const [problem, setProblem] = useState<string | null>(null);
  const { images, setImages, onPaste, putBack } = usePictures(setProblem);
  const field = useGrowingField();
  const menuId = useId();
  // A person's own command keeps nobody from prompting.
  const busy = useFeedState(
    ({ session }) => (session?.state === "busy" || session?.state === "waiting") && session.job !== "bash",
  );
  const canSteer = useCan("steer");
  const canShell = useCan("bash");
  const commands = useCommands();
  const slash = useSlashMenu(text, commands, (completed) => {
    setText(completed);
    field.current?.focus();
  });
  const stop = useStop(setProblem);
  const editor = useEditorTexts(field, setText);
  useEffect(() => saveDraft(feed.id, text), [feed.id, text]);
  useRefused((item, reason) => {
    setText((current) => (current === "" ? item.message : `${item.message}\n\n${current}`));
    putBack(item.images ?? []);
    setProblem(reason);
  });

  const message = text.trim();
  const mode: Mode =
    canShell && message.startsWith("!")
      ? "shell"
      : commandIn(message, commands) !== null
        ? "command"
        : "prompt";
  const empty = (mode === "shell" ? message.slice(1).trim() : message) === "" && images.length === 0;

  const send = (as: SendAs): void => {
    if (empty) return;
    if (mode === "shell") runInShell(message.slice(1).trim());
    else onPrompt(message, [...images], mode === "command" ? "command" : as);
    setText("");
    setImages([]);
    setProblem(null);
    editor.forget();
  };

  const runInShell = (command: string): void => {
    feed.ask({ type: "bash", command }, true).catch((error: unknown) => {
      setProblem(inWords(error));
      setText((current) => (current === "" ? `!${command}` : current));
    });
  };

  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || slash.onKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send((event.ctrlKey || event.metaKey) && busy && canSteer ? "steer" : "prompt");
  };

  return (
    <div className="relative">
      {slash.found !== null && (
        <SlashMenu
          id={menuId}
          commands={slash.found}
          active={slash.active}
          onPoint={slash.point}
          onChoose={slash.choose}
        />
      )}
      <form
        aria-label="Prompt"
        data-mode={mode}
        onSubmit={(event) => {
          event.preventDefault();
          send("prompt");
        }}
        className="rounded-lg border border-edge bg-raised transition-colors focus-within:border-accent"
      >
        <Pictures images={images} onChange={setImages} />
        <div className="phone:flex phone:flex-wrap phone:items-end phone:justify-end">
          <textarea
            ref={field}
            rows={1}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKey}
            onPaste={onPaste}
            aria-label="Prompt"
            {...(slash.found === null
              ? {}
              : {
                  "aria-controls": menuId,
                  "aria-autocomplete": "list" as const,
                  "aria-activedescendant": optionId(menuId, slash.active),
                })}
            placeholder={busy ? "Write what comes next" : "Ask for something to be done"}
            className={`block max-h-[40vh] w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none phone:min-w-[12rem] phone:flex-1 phone:py-3.5 phone:text-[1rem] ${mode === "shell" ? "font-mono text-sm" : "text-prose"}`}
          />
          <div className="flex min-h-10 items-center gap-2 px-2 pb-2 pl-3.5 phone:gap-1.5 phone:p-1">
            <Hints mode={mode} busy={busy} canSteer={canSteer} />
            <SendButtons
              mode={mode}
              busy={busy}
              empty={empty}
              canSteer={canSteer}
              onSteer={() => send("steer")}
              onStop={stop}
            />
          </div>
        </div>
        <ComposerNotes problem={problem} replaced={editor.replaced} onUndo={editor.undo} />
      </form>
    </div>
  );
}

interface HintsProps {
  mode: Mode;
  busy: boolean;
  canSteer: boolean;
}

function Hints({ mode, busy, canSteer }: HintsProps) {
  const enter = mode === "shell" || mode === "command" ? "Run" : busy ? "Queue" : "Send";
  const steers = busy && canSteer && mode === "prompt";
  const canShell = useCan("bash");
  const offered = [...(useCan("commands") ? ["/ commands"] : []), ...(canShell ? ["! shell"] : [])];
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
      <span>{enter} ⏎</span>
      {steers ? <span>Steer ⌃⏎</span> : <span>New line ⇧⏎</span>}
      {busy && <span>Stop Esc</span>}
    </p>
  );
}

/** The field grows with its text; CSS bounds how far. */
function useGrowingField(): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  });
  useEffect(() => {
    // On a phone the keyboard would cover half of what one came to read.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  return field;
}

/** A prompt that the server refused comes back into the field, with the reason beside it. */
function useRefused(onRefused: (item: OutboxItem, reason: string) => void): void {
  const feed = useFeed();
  const refused = useFeedState((state) => state.refused);
  useEffect(() => {
    if (refused === null) return;
    onRefused(refused.item, refused.reason);
    feed.clearRefused();
  });
}
