// The pane beside a session: tabs, and what they show. A further tab (a terminal, a preview) is one more entry of `tabs`.
import type { SessionInfo } from "@patchbay/protocol";
import { ArrowLeft, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useFeedState } from "../connection/use-feed.ts";
import { ChangesFacts } from "../files/changes/changes-facts.tsx";
import { ChangesView } from "../files/changes/changes-view.tsx";
import { SendComments } from "../files/changes/send-comments.tsx";
import { useSessionChanges } from "../files/changes/use-session-changes.ts";
import { FileTree } from "../files/file-tree.tsx";
import { closeFiles, type FilesPlace, openFiles, type PaneTab } from "../navigation/files-address.ts";
import { focusField } from "../shortcuts/regions.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Tabs, tabId, tabPanelId } from "../ui/tabs.tsx";
import { sessionTexts } from "./texts.ts";

export default function SidePane({ place }: { place: FilesPlace }) {
  const session = useFeedState((feed) => feed.session);
  return session === null ? null : <Shown session={session} place={place} />;
}

interface Tab {
  value: PaneTab;
  label: string;
  count?: number;
  content: ReactNode;
}

function Shown({ session, place }: { session: SessionInfo; place: FilesPlace }) {
  const id = useId();
  const { changes, edition, refresh } = useSessionChanges(session);
  const path = withinDirectory(place.path, session.cwd);
  const show = (tab: PaneTab, path = ""): void => openFiles(session.id, { tab, path });
  const tabs: readonly Tab[] = [
    {
      value: "changes",
      label: sessionTexts.changes,
      count: changes.data?.files.length ?? 0,
      content: (
        <ChangesView
          session={session}
          changes={changes}
          edition={edition}
          path={path}
          onChoose={(file) => show("changes", file)}
          onShowFile={(file) => show("files", file)}
        />
      ),
    },
    {
      value: "files",
      label: sessionTexts.files,
      content: (
        <FileTree
          session={session.id}
          edition={edition}
          path={path}
          line={place.line}
          changed={changes.data?.files.some((file) => file.path === path) ?? false}
          onChoose={(file) => show("files", file)}
          onShowChanges={(file) => show("changes", file)}
        />
      ),
    },
  ];
  const pane = useRef<HTMLDivElement>(null);
  useFocusWhenCovering(pane, () => document.getElementById(tabId(id, place.tab)));
  const close = (): void => {
    const hadFocus = pane.current?.contains(document.activeElement) === true;
    closeFiles();
    if (hadFocus) focusField(session.id);
  };
  return (
    <div ref={pane} className="flex h-full min-h-0 flex-col bg-canvas">
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-3 pl-2 phone:h-14 phone:px-1">
        <span className="hidden @max-3xl/main:block">
          <IconButton label={sessionTexts.backToSession} onClick={close}>
            <ArrowLeft size={17} aria-hidden />
          </IconButton>
        </span>
        <Tabs
          id={id}
          label={sessionTexts.sidePane}
          value={place.tab}
          tabs={tabs}
          onChoose={(tab) => show(tab, path)}
        />
        <span className="ml-auto @max-3xl/main:hidden">
          <IconButton label={sessionTexts.closePane} onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </span>
      </header>
      <ChangesFacts session={session} changes={changes.data} onRefresh={refresh} />
      {tabs.map(({ value, content }) => (
        <div
          key={value}
          id={tabPanelId(id, value)}
          role="tabpanel"
          aria-labelledby={tabId(id, value)}
          hidden={value !== place.tab}
          className={value === place.tab ? "flex min-h-0 flex-1 flex-col" : undefined}
        >
          {value === place.tab && content}
        </div>
      ))}
      <SendComments session={session.id} onSent={() => isCovering(pane.current) && close()} />
    </div>
  );
}

/** A link may name the file by its whole path. */
function withinDirectory(path: string, cwd: string): string {
  const root = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(?:\.\/)+/, "");
}

/** There is no room for both: the session is not visible. */
const isCovering = (pane: HTMLElement | null): boolean => {
  const aside = pane?.closest("aside") ?? null;
  return aside !== null && getComputedStyle(aside).position === "absolute";
};

/** The focus would stay in what is covered. */
function useFocusWhenCovering(pane: { current: HTMLElement | null }, target: () => HTMLElement | null): void {
  useEffect(() => {
    if (isCovering(pane.current) && pane.current?.contains(document.activeElement) !== true)
      target()?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- when it is opened
  }, []);
}
