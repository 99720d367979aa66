// What a session that belongs to somebody shows of it: one chunk, with one way in, because the first load pays for each.
import type { SessionInfo } from "@patchbay/protocol";
import { lazyPart } from "../../ui/lazy-part.ts";
import { SessionBadge } from "./session-badge.tsx";
import { Watching } from "./watching.tsx";

/** Its controls are not part of what a session needs to be shown. */
const ShareDialog = lazyPart(() => import("./share-dialog.tsx"));

export interface SharingProps {
  session: SessionInfo;
  part: "badge" | "dialog" | "watching";
  /** Opens or closes the dialog. */
  onShare?: () => void;
}

export default function SharingParts({ session, part, onShare = () => {} }: SharingProps) {
  if (part === "badge") return <SessionBadge session={session} onShare={onShare} />;
  if (part === "dialog") return <ShareDialog session={session} onClose={onShare} />;
  return <Watching session={session} />;
}
