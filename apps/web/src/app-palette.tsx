// The palette with the items of every feature, in the order they are shown. A chunk of its own: it is loaded when the
// palette is first opened, and with it the items, so features do not register them when the page starts.
import { useContext, useMemo } from "react";
import { SlashCommandItem, StopItem } from "./composer/palette-items.tsx";
import { useActiveFeed } from "./connection/open-feeds.ts";
import { FeedContext, useFeedState } from "./connection/use-feed.ts";
import { approvalsPage, ControlItems, modelPage, thinkingPage } from "./controls/palette-items.tsx";
import { CostsItems } from "./costs/palette-items.tsx";
import { type PalettePageName, usePalettePage } from "./navigation/overlay.ts";
import { Palette } from "./palette/palette.tsx";
import type { PalettePage } from "./palette/palette-context.ts";
import { PaletteGroup } from "./palette/palette-item.tsx";
import { paletteTexts } from "./palette/texts.ts";
import { AnswerItem, PermissionsItem } from "./questions/palette-items.tsx";
import { SearchHitGroups, SearchItem } from "./search/palette-items.tsx";
import { exportPage, SessionActionItems } from "./session-actions/palette-items.tsx";
import { besidePage, NewSessionItem, SessionItems } from "./session-actions/palette-sessions.tsx";
import { SettingsItems } from "./settings/palette-items.tsx";
import { SetupItem } from "./setup/palette-items.tsx";
import { ShortcutsItem } from "./shortcuts/palette-items.tsx";
import { BranchesItem, FindItem, JumpItem, RetryItem } from "./transcript/palette-items.tsx";

/** All of them are about the session that is worked in. */
const pages: Readonly<Record<PalettePageName, () => PalettePage>> = {
  model: modelPage,
  thinking: thinkingPage,
  approvals: approvalsPage,
  export: () => exportPage,
  beside: () => besidePage,
};

export default function AppPalette({ onClose }: { onClose(): void }) {
  const feed = useActiveFeed();
  const page = usePalettePage();
  const start = useMemo(() => (page === null || feed === null ? null : pages[page]()), [page, feed]);
  return (
    <FeedContext value={feed}>
      <Palette onClose={onClose} start={start}>
        <PaletteGroup title={paletteTexts.sessions}>
          <SessionItems />
          <NewSessionItem />
        </PaletteGroup>
        <ActiveSessionGroups />
        <PaletteGroup title={paletteTexts.goTo}>
          <SearchItem />
          <CostsItems />
          <SetupItem />
          <SettingsItems />
          <PermissionsItem />
          <ShortcutsItem />
        </PaletteGroup>
        <SearchHitGroups />
      </Palette>
    </FeedContext>
  );
}

/** Items of the session that is worked in; none where no session is open. */
const ActiveSessionGroups = () => (useContext(FeedContext) === null ? null : <SessionGroups />);

function SessionGroups() {
  const name = useFeedState(({ session }) => session?.name);
  if (name === undefined) return null;
  return (
    <>
      <PaletteGroup title={name}>
        <AnswerItem />
        <StopItem />
        <RetryItem />
        <FindItem />
        <JumpItem />
        <BranchesItem />
        <SessionActionItems />
      </PaletteGroup>
      <PaletteGroup title={paletteTexts.settingsOfSession}>
        <ControlItems />
        <SlashCommandItem />
      </PaletteGroup>
    </>
  );
}
