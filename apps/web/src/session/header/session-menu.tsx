// What can be done with a session as a whole.
import type { SessionInfo } from "@patchbay/protocol";
import { Copy, Download, Ellipsis, Eraser, FileDown, FoldVertical, Gauge, Users } from "lucide-react";
import { exportFormats, exportSession } from "../../api/sessions.ts";
import { useCan, useSwitch } from "../../connection/use-can.ts";
import { useFeed } from "../../connection/use-feed.ts";
import { useMay } from "../../connection/use-may.ts";
import { withKey } from "../../navigation/action-keys.ts";
import { compactContext, useCanCompact } from "../../session-actions/compact-context.ts";
import { formatNames } from "../../session-actions/export-format-names.ts";
import { SessionDialogs, showDialog } from "../../session-actions/session-dialogs.tsx";
import { EndItems, PlaceItems } from "../../session-actions/session-menu-items.tsx";
import { sessionActionsTexts } from "../../session-actions/texts.ts";
import { attempt } from "../../ui/feedback/attempt.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuLine, MenuSwitch, Submenu } from "../../ui/menu/menu.tsx";
import { sessionTexts } from "../texts.ts";

export function SessionMenu({ session, narrow }: { session: SessionInfo; narrow: boolean }) {
  const feed = useFeed();
  const offersCompact = useCan("compact");
  const drives = useMay(session, "drive");
  const owns = useMay(session, "own");
  const canCompact = useCanCompact() && drives;
  return (
    <>
      {offersCompact && !narrow && (
        <span className="@max-[48rem]/session:hidden phone:hidden">
          <IconButton
            label={sessionTexts.compact}
            hint={withKey(sessionTexts.compact, "compact")}
            onClick={() => compactContext(feed)}
            disabled={!canCompact}
          >
            <FoldVertical size={15} aria-hidden />
          </IconButton>
        </span>
      )}
      <Menu
        trigger={
          <IconButton label={sessionTexts.menu} hint={withKey(sessionTexts.menu, "menu")} data-session-menu>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <PlaceItems session={session} attempt={attempt} />
        {session.owner !== undefined && (
          <MenuItem icon={<Users size={14} />} onSelect={() => showDialog(session.id, "people")}>
            {sessionTexts.share}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon={<Gauge size={14} />} onSelect={() => showDialog(session.id, "details")}>
          {sessionTexts.details}
        </MenuItem>
        {owns && (
          <MenuItem icon={<Copy size={14} />} onSelect={() => showDialog(session.id, "links")}>
            {sessionActionsTexts.shareLink}
          </MenuItem>
        )}
        {offersCompact && (
          <MenuItem
            icon={<FoldVertical size={14} />}
            disabled={!canCompact}
            onSelect={() => compactContext(feed)}
          >
            {sessionTexts.compact}
          </MenuItem>
        )}
        <MenuItem
          icon={<Eraser size={14} />}
          disabled={session.state === "busy" || !drives}
          onSelect={() => showDialog(session.id, "clear")}
        >
          {sessionTexts.clear}
        </MenuItem>
        <Submenu icon={<Download size={14} />} label={sessionTexts.export}>
          {exportFormats.map((format) => (
            <MenuItem
              key={format}
              icon={<FileDown size={14} />}
              onSelect={() => attempt(exportSession(session.id, format))}
            >
              {formatNames[format]}
            </MenuItem>
          ))}
        </Submenu>
        {drives && <Automatisms onAsk={(command) => attempt(feed.ask(command))} />}
        <MenuLine />
        <EndItems session={session} attempt={attempt} />
      </Menu>
      <SessionDialogs session={session} />
    </>
  );
}

interface AutomatismsProps {
  onAsk(command: { type: string; enabled: boolean }): void;
}

/** What the worker does by itself, where it reports whether it does. */
function Automatisms({ onAsk }: AutomatismsProps) {
  const compaction = useSwitch("auto_compaction");
  const retry = useSwitch("auto_retry");
  const compacts = useCan("auto_compaction") && compaction !== undefined;
  const canRetry = useCan("auto_retry") && retry !== undefined;
  if (!compacts && !canRetry) return null;
  return (
    <>
      <MenuLine />
      {compacts && (
        <MenuSwitch on={compaction} onChange={(enabled) => onAsk({ type: "set_auto_compaction", enabled })}>
          {sessionTexts.autoCompact}
        </MenuSwitch>
      )}
      {canRetry && (
        <MenuSwitch on={retry} onChange={(enabled) => onAsk({ type: "set_auto_retry", enabled })}>
          {sessionTexts.autoRetry}
        </MenuSwitch>
      )}
    </>
  );
}
