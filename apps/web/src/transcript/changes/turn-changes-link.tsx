// "3 files changed +12 −4" at the end of a turn. Opens the changes of the session.
import type { Mark } from "@patchbay/protocol";
import { useMemo } from "react";
import { base } from "../../api/http/base.ts";
import { FileLink } from "../../code/file-links.tsx";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { filesAddress, openFiles } from "../../navigation/files-address.ts";
import { transcriptTexts } from "../texts.ts";
import { turnChanges } from "./turn-changes.ts";

export function TurnChangesLink({ mark }: { mark: Extract<Mark, { kind: "turn" }> }) {
  const { id } = useFeed();
  const messages = useFeedState(({ transcript }) => transcript.messages);
  const changes = useMemo(() => turnChanges(messages, mark), [messages, mark]);
  if (changes === null) return null;
  const { files, lines } = changes;
  return (
    <p className="mt-1.5 text-xs" title={transcriptTexts.filesChangedHint}>
      <FileLink target={{ href: base + filesAddress(id), open: () => openFiles(id) }}>
        {transcriptTexts.filesChanged(files)}
        {lines !== null && (
          <span className="font-mono tabular-nums">
            <span className="text-added-ink"> +{lines.added}</span>
            <span className="text-removed-ink"> −{lines.removed}</span>
          </span>
        )}
      </FileLink>
    </p>
  );
}
