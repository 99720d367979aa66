// The slash commands that may be meant, above the composer.

import type { SlashCommandInfo } from "@patchbay/protocol";
import { composerTexts } from "../texts.ts";
import { OptionList } from "./option-list.tsx";
import type { OptionMenu } from "./use-option-menu.ts";

export const SlashMenu = ({ id, menu }: { id: string; menu: OptionMenu<SlashCommandInfo> }) =>
  menu.found === null ? null : (
    <OptionList
      id={id}
      label={composerTexts.commands}
      options={menu.found}
      keyOf={({ name }) => name}
      active={menu.active}
      onPoint={menu.point}
      onChoose={menu.choose}
      empty={composerTexts.noCommand}
      renderOption={(command) => (
        <>
          <span className="max-w-[60%] shrink-0 truncate font-mono">
            <span className="text-accent">/</span>
            {command.name}
            {command.hint !== undefined && <span className="text-faint"> {command.hint}</span>}
          </span>
          <span className="min-w-0 flex-1 truncate text-muted">{command.description}</span>
          <span className="shrink-0 text-xs text-faint phone:hidden">{command.source}</span>
        </>
      )}
    />
  );
