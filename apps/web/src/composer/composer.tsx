// Where prompts are written. Enter sends (or queues, while the agent works), Ctrl+Enter steers, Shift+Enter
// makes a new line, Esc stops; `/` offers commands, `@` files, and `!` runs one in the shell. The text leaves the
// field only once it is in the outbox.
import type { PromptImage } from "@patchbay/protocol";
import { type ClipboardEvent, type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from "react";
import { isAtWork } from "../connection/is-at-work.ts";
import { loadDraft, saveDraft } from "../connection/outgoing/drafts.ts";
import type { SendAs } from "../connection/outgoing/outbox.ts";
import { CommandError } from "../connection/outgoing/pending-commands.ts";
import { useCan } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { enterMeaning } from "../preferences/send-key.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { noAttachments, withTexts } from "./attachments/attachments.ts";
import { DropZone } from "./attachments/drop-zone.tsx";
import { useAttachments } from "./attachments/use-attachments.ts";
import { mentionOf } from "./completion/mention.ts";
import { optionId } from "./completion/option-list.tsx";
import { loadPageCommands, pageCommandIn, withPageCommands } from "./completion/page-commands.ts";
import { PathMenu } from "./completion/path-menu.tsx";
import { SlashMenu } from "./completion/slash-menu.tsx";
import { commandIn, completions, useCommands } from "./completion/use-commands.ts";
import { useMentions } from "./completion/use-mentions.ts";
import { useOptionMenu } from "./completion/use-option-menu.ts";
import { ComposerNotes } from "./composer-notes.tsx";
import { useGrowingField, useRefused } from "./field-hooks.ts";
import { Hints } from "./hints.tsx";
import { type ComposerMode, SendButtons } from "./send-buttons.tsx";
import { useStop } from "./stop.ts";
import { composerTexts } from "./texts.ts";
import { useEditorTexts } from "./use-editor-texts.ts";
import { useHistory } from "./use-history.ts";

const AttachmentList = lazyPart(() => import("./attachments/attachment-list.tsx"));

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
  const field = useGrowingField();
  const menuId = useId();
  // A person's own command does not keep the agent busy.
  const busy = useFeedState(({ session }) => session !== null && isAtWork(session) && session.job !== "bash");
  const session = useFeedState((state) => state.session);
  const canSteer = useCan("steer");
  const canShell = useCan("bash");
  const commands = useCommands(text);
  const slash = useOptionMenu({
    text,
    found: completions(text, withPageCommands(commands, session === null ? null : { session, feed })),
    onChoose: ({ name }, by) => {
      // A command of the page needs no further text; Tab leaves room for one.
      if (by === "enter" && pageCommandIn(`/${name}`, commands) !== null) return runOnPage(`/${name}`);
      setText(`/${name} `);
      field.current?.focus();
    },
    isComplete: ({ name }) => text === `/${name}`,
  });
  const mentions = useMentions(text, field, setText);
  const history = useHistory(text, setText);
  const { attachments, setAttachments, add, putBack } = useAttachments({
    session: feed.id,
    onProblem: setProblem,
    onMention: (path) =>
      setText((now) => `${now}${now === "" || /\s$/.test(now) ? "" : " "}${mentionOf(path)} `),
  });
  const { stop, phase } = useStop(setProblem);
  const editor = useEditorTexts(field, setText, putBack);
  useEffect(() => saveDraft(feed.id, text), [feed.id, text]);
  const writesCommand = text.startsWith("/");
  useEffect(() => {
    if (writesCommand) loadPageCommands().catch(() => {}); // what fails now is tried again when it is run
  }, [writesCommand]);
  useRefused((item, reason) => {
    setText((current) => (current === "" ? item.message : `${item.message}\n\n${current}`));
    putBack(item.images ?? []);
    setProblem(reason);
  });

  const message = text.trim();
  const ofPage = pageCommandIn(message, commands);
  const mode: ComposerMode =
    canShell && message.startsWith("!")
      ? "shell"
      : ofPage !== null || commandIn(message, commands) !== null
        ? "command"
        : "prompt";
  const attached = attachments.images.length + attachments.texts.length > 0;
  const empty = (mode === "shell" ? message.slice(1).trim() : message) === "" && !attached;

  const send = (as: SendAs): void => {
    if (empty) return;
    if (ofPage !== null) return runOnPage(message);
    if (mode === "shell") runInShell(message.slice(1).trim());
    else
      onPrompt(
        withTexts(message, attachments.texts),
        [...attachments.images],
        mode === "command" ? "command" : as,
      );
    setText("");
    setAttachments(noAttachments);
    setProblem(null);
    editor.forget();
  };

  /** What cannot be carried out stays in the field, with the reason. */
  const runOnPage = (command: string): void => {
    if (session === null) return;
    const obstacle = pageCommandIn(command, commands)?.run({ session, feed }) ?? null;
    setProblem(obstacle);
    if (obstacle === null) setText("");
  };

  const runInShell = (command: string): void => {
    feed.ask({ type: "bash", command }, true).catch((error: unknown) => {
      // Back in the field, one Enter would run it a second time.
      if (error instanceof CommandError && error.mayHaveRun) return setProblem(composerTexts.connectionLost);
      setProblem(errorMessage(error));
      setText((current) => (current === "" ? `!${command}` : current));
    });
  };

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (slash.onKey(event) || mentions.menu.onKey(event) || history.onKey(event)) return;
    const meaning = enterMeaning(event, usePreferences.getState().sendKey);
    if (meaning === null) return;
    event.preventDefault();
    send(meaning === "steer" && busy && canSteer ? "steer" : "prompt");
  };

  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };

  const open = slash.found !== null ? slash : mentions.menu.found !== null ? mentions.menu : null;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <DropZone onFiles={add}>
      <SlashMenu id={menuId} menu={slash} />
      {slash.found === null && <PathMenu id={menuId} menu={mentions.menu} />}
      <form
        aria-label={composerTexts.prompt}
        data-mode={mode}
        onSubmit={(event) => {
          event.preventDefault();
          send("prompt");
        }}
        className="rounded-lg border border-edge bg-raised transition-colors focus-within:border-accent"
      >
        <Suspense>
          {attached && <AttachmentList attachments={attachments} onChange={setAttachments} />}
        </Suspense>
        <div className="phone:flex phone:flex-wrap phone:items-end phone:justify-end">
          <textarea
            ref={field}
            rows={1}
            value={text}
            data-composer={feed.id}
            onChange={(event) => {
              setText(event.target.value);
              mentions.moved();
            }}
            onKeyDown={onKey}
            onSelect={mentions.moved}
            onPaste={onPaste}
            aria-label={composerTexts.prompt}
            dir="auto"
            {...(open === null
              ? {}
              : {
                  "aria-controls": menuId,
                  "aria-autocomplete": "list" as const,
                  "aria-activedescendant": optionId(menuId, open.active),
                })}
            placeholder={busy ? composerTexts.followUp : composerTexts.ask}
            className={`block max-h-[calc(var(--seen)*0.4)] w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none phone:min-w-[12rem] phone:flex-1 phone:py-3.5 phone:text-[1rem] ${mode === "shell" ? "font-mono text-sm" : "text-prose"}`}
          />
          <div className="flex min-h-10 items-center gap-2 px-2 pb-2 phone:gap-1.5 phone:p-1">
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
            <SendButtons
              mode={mode}
              busy={busy}
              empty={empty}
              canSteer={canSteer}
              stopping={phase === "stopping"}
              onAttach={() => picker.current?.click()}
              onSteer={() => send("steer")}
              onStop={stop}
            >
              <Hints mode={mode} busy={busy} canSteer={canSteer} />
            </SendButtons>
          </div>
        </div>
        <ComposerNotes problem={problem} phase={phase} replaced={editor.replaced} onUndo={editor.undo} />
      </form>
    </DropZone>
  );
}
