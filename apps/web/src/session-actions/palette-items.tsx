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
  MessageSquareText,
  Pencil,
  Pin,
  Trash2,
  X,
} from "lucide-react";
import { exportFormats, exportSession } from "../api/sessions.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { isPhone } from "../device/is-phone.ts";
import { closePane, currentPlace, go, sessionAddress, showsFiles } from "../navigation/session-address.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { attempt } from "../ui/feedback/attempt.ts";
import { archive, pin, remove, rename, stop } from "./actions.ts";
import { formatNames } from "./export-format-names.ts";
import { besidePage } from "./palette-sessions.tsx";
import { showDialog } from "./session-dialogs.tsx";
import { sessionActionsTexts } from "./texts.ts";

export function SessionActionItems() {
  const feed = useFeed();
  const { run, open } = usePalette();
  const session = useFeedState((state) => state.session);
  if (session === null) return null;
  const files = showsFiles();
  const asleep = session.state === "stopped" || session.state === "failed";
  const act = (action: () => Promise<unknown>) => () => run(() => attempt(action()));
  return (
    <>
      <PaletteItem
        id="rename"
        label={sessionActionsTexts.rename}
        keywords={[sessionActionsTexts.keywordsRename]}
        icon={<Pencil size={15} />}
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
      {!files && !isPhone() && (
        <PaletteItem
          id="beside"
          label={sessionActionsTexts.openBesideOf}
          keywords={[sessionActionsTexts.keywordsBeside]}
          icon={<Columns2 size={15} />}
          onSelect={() => open(besidePage)}
        />
      )}
      {currentPlace().beside !== null && (
        <PaletteItem
          id="close pane"
          label={sessionActionsTexts.closePane}
          keywords={[sessionActionsTexts.keywordsPane]}
          icon={<X size={15} />}
          onSelect={() => run(() => closePane(session.id))}
        />
      )}
      <PaletteItem
        id="details"
        label={sessionActionsTexts.details}
        keywords={[sessionActionsTexts.keywordsDetails]}
        icon={<Gauge size={15} />}
        onSelect={() => run(() => showDialog(session.id, "details"))}
      />
      {files ? (
        <PaletteItem
          id="transcript"
          label={sessionActionsTexts.backToSession}
          keywords={[sessionActionsTexts.keywordsTranscript]}
          icon={<MessageSquareText size={15} />}
          onSelect={() => run(() => go(sessionAddress(session.id)))}
        />
      ) : (
        <PaletteItem
          id="files"
          label={sessionActionsTexts.files}
          keywords={[sessionActionsTexts.keywordsFiles]}
          icon={<FileDiff size={15} />}
          onSelect={() => run(() => go(`${sessionAddress(session.id)}/files`))}
        />
      )}
      <PaletteItem
        id="export"
        label={sessionActionsTexts.export}
        keywords={[sessionActionsTexts.keywordsExport]}
        icon={<Download size={15} />}
        onSelect={() => open(exportPage)}
      />
      {session.capabilities.includes("compact") && (
        <PaletteItem
          id="compact"
          label={sessionActionsTexts.compact}
          icon={<FoldVertical size={15} />}
          onSelect={act(() => feed.ask({ type: "compact" }))}
        />
      )}
      {session.state !== "busy" && (
        <PaletteItem
          id="clear"
          label={sessionActionsTexts.clear}
          keywords={[sessionActionsTexts.keywordsClear]}
          icon={<Eraser size={15} />}
          onSelect={() => run(() => showDialog(session.id, "clear"))}
        />
      )}
      {!asleep && (
        <PaletteItem
          id="stop worker"
          label={sessionActionsTexts.stopAgent}
          keywords={[sessionActionsTexts.keywordsStop]}
          icon={<CircleStop size={15} />}
          onSelect={act(() => stop(session))}
        />
      )}
      <PaletteItem
        id="delete"
        label={sessionActionsTexts.deleteSession}
        keywords={[sessionActionsTexts.keywordsDelete]}
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

const exportPage: PalettePage = {
  get title() {
    return sessionActionsTexts.exportTitle;
  },
  get placeholder() {
    return sessionActionsTexts.exportAs;
  },
  Items: Exports,
};
