// What can be done with a prompt: copy it, send it again, edit it. They come with the pointer or the focus; on a phone they
// are always there.
import { type Message, messageText } from "@patchbay/protocol";
import { Pencil, RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { useMay } from "../../connection/use-may.ts";
import { errorMessage } from "../../format/error-message.ts";
import { CopyButton } from "../../ui/feedback/copy-button.tsx";
import { transcriptTexts } from "../texts.ts";
import { useEditedPrompts } from "./edited-prompts.ts";
import { promptOf, usePromptAgain } from "./prompt-again.ts";

export function PromptActions({ message }: { message: Message }) {
  const { branches, ready, send } = usePromptAgain(message.entry_id);
  const drives = useMay(useFeedState(({ session }) => session) ?? {}, "drive");
  const [problem, setProblem] = useState<string | null>(null);
  const change = useEditedPrompts((store) => store.change);
  const prompt = promptOf(message);
  const retry = (): void => {
    if (prompt === null) return;
    setProblem(null);
    send(prompt.text, prompt.images).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  const edit = (): void => {
    if (message.entry_id === undefined) return;
    change(message.entry_id, { text: messageText(message), images: prompt?.images ?? [] });
  };
  return (
    <>
      <span className="flex items-center gap-0.5 group-hover:opacity-100 focus-within:opacity-100 pointer-fine:opacity-0 phone:!opacity-100">
        <CopyButton text={messageText(message)} label={transcriptTexts.copyPrompt} />
        {drives && prompt !== null && message.steering !== true && (
          <Action
            label={transcriptTexts.retryPrompt}
            title={branches ? transcriptTexts.retryOnBranch : transcriptTexts.retryAtEnd}
            ready={ready}
            onClick={retry}
          >
            <RotateCw size={12} aria-hidden /> {transcriptTexts.retry}
          </Action>
        )}
        {drives && branches && (
          <Action
            label={transcriptTexts.editPrompt}
            title={transcriptTexts.editHint}
            ready={ready}
            onClick={edit}
          >
            <Pencil size={12} aria-hidden /> {transcriptTexts.edit}
          </Action>
        )}
      </span>
      {problem !== null && (
        <span role="alert" className="text-failed">
          {problem}
        </span>
      )}
    </>
  );
}

interface ActionProps {
  label: string;
  title: string;
  ready: boolean;
  onClick(): void;
  children: ReactNode;
}

const Action = ({ label, title, ready, onClick, children }: ActionProps) => (
  <button
    type="button"
    disabled={!ready}
    onClick={onClick}
    aria-label={label}
    title={ready ? title : transcriptTexts.whenIdle}
    className="flex h-6 items-center gap-1 rounded-sm px-1.5 text-faint hover:bg-hover hover:text-ink disabled:opacity-40 phone:h-11 phone:px-2"
  >
    {children}
  </button>
);
