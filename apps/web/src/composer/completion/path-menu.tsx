// The files of the session's directory that an @ may mean, above the composer.
import { File, Folder } from "lucide-react";
import type { PathSuggestion } from "../../api/search.ts";
import { formatBytes } from "../../format/bytes.ts";
import { composerTexts } from "../texts.ts";
import { OptionList } from "./option-list.tsx";
import type { OptionMenu } from "./use-option-menu.ts";

export const PathMenu = ({ id, menu }: { id: string; menu: OptionMenu<PathSuggestion> }) =>
  menu.found === null ? null : (
    <OptionList
      id={id}
      label={composerTexts.files}
      options={menu.found}
      keyOf={({ path }) => path}
      active={menu.active}
      onPoint={menu.point}
      onChoose={menu.choose}
      empty={composerTexts.noFile}
      renderOption={({ path, bytes }) => {
        const bare = path.replace(/\/$/, "");
        const slash = bare.lastIndexOf("/");
        const Icon = path.endsWith("/") ? Folder : File;
        return (
          <>
            <Icon size={14} aria-hidden className="shrink-0 text-faint" />
            <span className="min-w-0 flex-1 truncate font-mono text-xs">
              <span className="text-faint">{bare.slice(0, slash + 1)}</span>
              {path.slice(slash + 1)}
            </span>
            {bytes !== undefined && (
              <span className="shrink-0 text-xs text-faint tabular-nums">{formatBytes(bytes)}</span>
            )}
          </>
        );
      }}
    />
  );
