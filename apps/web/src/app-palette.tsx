// The palette with the items of every feature, in the order they are shown. A chunk of its own: it is loaded when the
// palette is first opened, and with it the items, so features do not register them when the page starts.
import { useContext } from "react";
import { SlashCommandItem, StopItem } from "./composer/palette-items.tsx";
import { useActiveFeed } from "./connection/open-feeds.ts";
import { FeedContext, useFeedState } from "./connection/use-feed.ts";
import { ControlItems } from "./controls/palette-items.tsx";
import { CostsItems } from "./costs/palette-items.tsx";
import { Palette } from "./palette/palette.tsx";
import { PaletteGroup } from "./palette/palette-item.tsx";
import { AnswerItem, PermissionsItem } from "./questions/palette-items.tsx";
import { SearchHitGroups, SearchItem } from "./search/palette-items.tsx";
import { SessionActionItems } from "./session-actions/palette-items.tsx";
import { NewSessionItem, SessionItems } from "./session-actions/palette-sessions.tsx";
import { SettingsItems } from "./settings/palette-items.tsx";
import { SetupItem } from "./setup/palette-items.tsx";
import { ShortcutsItem } from "./shortcuts/palette-items.tsx";
import { BranchesItem, JumpItem, RetryItem } from "./transcript/palette-items.tsx";

export default function AppPalette({ onClose }: { onClose(): void }) {
  return (
    <FeedContext value={useActiveFeed()}>
      <Palette onClose={onClose}>
        <PaletteGroup title="Sessions">
          <SessionItems />
          <NewSessionItem />
        </PaletteGroup>
        <ActiveSessionGroups />
        <PaletteGroup title="Go to">
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
        <JumpItem />
        <BranchesItem />
        <SessionActionItems />
      </PaletteGroup>
      <PaletteGroup title="How it works">
        <ControlItems />
        <SlashCommandItem />
      </PaletteGroup>
    </>
  );
}
