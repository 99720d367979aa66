// Takes the conversation back to before a prompt, whose text comes into the composer to be written anew. Both
// ways on are kept.
import type { ImageBlock } from "@patchbay/protocol";
import { Pencil } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { useCan } from "../../connection/use-can.ts";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { errorMessage } from "../../format/error-message.ts";

const BranchData = z.looseObject({ text: z.string() });

interface Props {
  entryId: string;
  /** Its pictures come back with its text. */
  images: readonly ImageBlock[];
}

export function EditPrompt({ entryId, images }: Props) {
  const feed = useFeed();
  const can = useCan("branch");
  const atRest = useFeedState(({ session }) => session?.state === "idle");
  const [problem, setProblem] = useState<string | null>(null);
  if (!can) return null;
  const edit = (): void => {
    setProblem(null);
    feed.ask({ type: "branch", entryId }).then(
      (data) => {
        const read = BranchData.safeParse(data);
        const back = images.flatMap(({ mime_type, data, mention }) =>
          data === undefined || mention !== undefined ? [] : [{ mime_type, data }],
        );
        if (read.success) feed.replaceText(read.data.text, "Going back", back);
      },
      (error: unknown) => setProblem(errorMessage(error)),
    );
  };
  return (
    <>
      <button
        type="button"
        disabled={!atRest}
        onClick={edit}
        aria-label="Edit prompt"
        title={
          atRest
            ? "Go back to before this prompt and write it anew; what follows is kept as a branch"
            : "Once the agent is done"
        }
        className="flex h-5 items-center gap-1 rounded-sm px-1 text-faint group-hover:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 pointer-fine:opacity-0 phone:h-11 phone:px-2"
      >
        <Pencil size={12} aria-hidden /> Edit
      </button>
      {problem !== null && (
        <span role="alert" className="text-failed">
          {problem}
        </span>
      )}
    </>
  );
}
