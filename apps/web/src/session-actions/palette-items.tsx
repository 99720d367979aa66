// What can be done with the open session as a whole. What it cannot do now, or its agent cannot at all, is not offered.
import {
  Archive,
  CircleStop,
  Columns2,
  Download,
  Eraser,
  FileDiff,
  FoldVertical,
  Gauge,
  Link2,
  Pencil,
  Pin,
  Trash2,
  X,
} from "lucide-react";
import { exportFormats, exportSession } from "../api/sessions.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { isPhone } from "../device/is-phone.ts";
import { actionKeys } from "../navigation/action-keys.ts";
import { toggleFiles } from "../navigation/files-address.ts";
import { closePane, currentPlace } from "../navigation/session-address.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { sharingTexts } from "../sharing/texts.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { archive, pin, remove, rename, stop } from "./actions.ts";
import { compactContext, useCanCompact } from "./compact-context.ts";
import { formatNames } from "./export-format-names.ts";
import { besidePage } from "./palette-sessions.tsx";
import { showDialog } from "./session-dialogs.tsx";
import { sessionActionsTexts } from "./texts.ts";

export function SessionActionItems() {
  const feed = useFeed();
  const canCompact = useCanCompact();
  const { run, open } = usePalette();
  const session = useFeedState((state) => state.session);
  if (session === null) return null;
  const asleep = session.state === "stopped" || session.state === "failed";
  const act = (action: () => Promise<unknown>) => () => run(() => attempt(action()));
  return (
    <>
      <PaletteItem
        id="rename"
        label={sessionActionsTexts.rename}
        keywords={sessionActionsTexts.keywordsRename.split(" ")}
        icon={<Pencil size={15} />}
        shortcut={actionKeys.rename}
        onSelect={() => run(() => rename(session))}
      />
      <PaletteItem
        id="pin"
        label={session.pinned === true ? sessionActionsTexts.unpin : sessionActionsTexts.pin}
        icon={<Pin size={15} />}
        onSelect={act(() => pin(session))}
      />
      <PaletteItem
        id="archive"
        label={session.archived === true ? sessionActionsTexts.unarchive : sessionActionsTexts.archive}
        icon={<Archive size={15} />}
        onSelect={act(() => archive(session))}
      />
      {/* A phone shows one */}
      {!isPhone() && (
        <PaletteItem
          id="beside"
          label={sessionActionsTexts.openBesideOf}
          keywords={sessionActionsTexts.keywordsBeside.split(" ")}
          icon={<Columns2 size={15} />}
          shortcut={actionKeys.split}
          onSelect={() => open(besidePage)}
        />
      )}
      {currentPlace().beside !== null && (
        <PaletteItem
          id="close pane"
          label={sessionActionsTexts.closePane}
          keywords={sessionActionsTexts.keywordsPane.split(" ")}
          icon={<X size={15} />}
          shortcut={actionKeys.closeSplit}
          onSelect={() => run(() => closePane(session.id))}
        />
      )}
      <PaletteItem
        id="details"
        label={sessionActionsTexts.details}
        keywords={sessionActionsTexts.keywordsDetails.split(" ")}
        icon={<Gauge size={15} />}
        shortcut={actionKeys.details}
        onSelect={() => run(() => showDialog(session.id, "details"))}
      />
      <PaletteItem
        id="files"
        label={sessionActionsTexts.files}
        keywords={sessionActionsTexts.keywordsFiles.split(" ")}
        icon={<FileDiff size={15} />}
        shortcut={actionKeys.files}
        onSelect={() => run(() => toggleFiles(session.id))}
      />
      <PaletteItem
        id="export"
        label={sessionActionsTexts.export}
        keywords={sessionActionsTexts.keywordsExport.split(" ")}
        icon={<Download size={15} />}
        shortcut={actionKeys.export}
        onSelect={() => open(exportPage)}
      />
      <PaletteItem
        id="share link"
        label={sessionActionsTexts.shareLink}
        keywords={sharingTexts.keywords.split(" ")}
        icon={<Link2 size={15} />}
        onSelect={() => run(() => showDialog(session.id, "links"))}
      />
      {canCompact && (
        <PaletteItem
          id="compact"
          label={sessionActionsTexts.compact}
          icon={<FoldVertical size={15} />}
          shortcut={actionKeys.compact}
          onSelect={() => run(() => compactContext(feed))}
        />
      )}
      {session.state !== "busy" && (
        <PaletteItem
          id="clear"
          label={sessionActionsTexts.clear}
          keywords={sessionActionsTexts.keywordsClear.split(" ")}
          icon={<Eraser size={15} />}
          onSelect={() => run(() => showDialog(session.id, "clear"))}
        />
      )}
      {!asleep && (
        <PaletteItem
          id="stop worker"
          label={sessionActionsTexts.stopAgent}
          keywords={sessionActionsTexts.keywordsStop.split(" ")}
          icon={<CircleStop size={15} />}
          onSelect={act(() => stop(session))}
        />
      )}
      <PaletteItem
        id="delete"
        label={sessionActionsTexts.deleteSession}
        keywords={sessionActionsTexts.keywordsDelete.split(" ")}
        icon={<Trash2 size={15} />}
        onSelect={act(() => remove(session))}
      />
    </>
  );
}

function Exports() {
  const feed = useFeed();
  const { run } = usePalette();
  return exportFormats.map((format) => (
    <PaletteItem
      key={format}
      id={format}
      label={formatNames[format]}
      icon={<Download size={15} />}
      onSelect={() => run(() => attempt(exportSession(feed.id, format)))}
    />
  ));
}

export const exportPage: PalettePage = {
  get title() {
    return sessionActionsTexts.exportTitle;
  },
  get placeholder() {
    return sessionActionsTexts.exportAs;
  },
  Items: Exports,
};
