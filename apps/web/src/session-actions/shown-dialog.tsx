// The dialogs over a session, in a chunk of their own: none of them is on the first screen.
import type { SessionInfo } from "@patchbay/protocol";
import { useFeed } from "../connection/use-feed.ts";
import { Sharing } from "../people/sharing/sharing.ts";
import { Confirm } from "../ui/confirm.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { SessionDetails } from "./session-details.tsx";
import { sessionActionsTexts } from "./texts.ts";

const ShareLinks = lazyPart(() => import("../sharing/share-links.tsx"));

interface Props {
  session: SessionInfo;
  dialog: "clear" | "details" | "people" | "links";
  onClose(): void;
}

export default function ShownDialog({ session, dialog, onClose }: Props) {
  const feed = useFeed();
  switch (dialog) {
    case "details":
      return <SessionDetails session={session} onClose={onClose} />;
    case "people":
      return <Sharing session={session} part="dialog" onShare={onClose} />;
    case "links":
      return <ShareLinks session={session} onClose={onClose} />;
    case "clear":
      return (
        <Confirm
          title={sessionActionsTexts.clearTitle}
          description={sessionActionsTexts.clearText}
          verb={sessionActionsTexts.clearVerb}
          onClose={onClose}
          onConfirm={() => feed.ask({ type: "clear" })}
        />
      );
  }
}
