// How messages that come while the agent works reach it, and what it can reach itself: the modes that a session
// rarely changes, behind one button.
import { Lock, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { inWords } from "../api/call.ts";
import { useFeed } from "../connection/use-feed.ts";
import { Menu, MenuChoice, MenuLine, MenuNote, MenuSwitch } from "../ui/menu.tsx";
import { useJail, useModes } from "./use-modes.ts";

export function Modes() {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const modes = useModes();
  const jail = useJail();
  const ask = (type: string, mode: string): void => {
    setProblem(null);
    feed.ask({ type, mode }).catch((error: unknown) => setProblem(inWords(error)));
  };
  if (modes.length === 0 && jail === undefined) return null;
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover phone:h-11"
          >
            <SlidersHorizontal size={14} aria-hidden className="text-faint" /> Modes
          </button>
        }
      >
        {modes.map(({ title, command, value, choices }) => (
          <MenuChoice
            key={command}
            staysOpen
            title={title}
            value={value}
            choices={choices}
            onChoose={(mode) => ask(command, mode)}
          />
        ))}
        {jail !== undefined && (
          <>
            {modes.length > 0 && <MenuLine />}
            {jail === "enforced" ? (
              <MenuNote icon={<Lock size={14} />}>Jailed by the server</MenuNote>
            ) : (
              <MenuSwitch on={jail === "on"} onChange={(on) => ask("set_jail", on ? "on" : "off")}>
                Jail: only this directory
              </MenuSwitch>
            )}
          </>
        )}
      </Menu>
      {jail !== undefined && jail !== "off" && (
        <span
          title="The agent's tools reach this directory only"
          className="flex shrink-0 items-center gap-1 text-xs text-faint"
        >
          <Lock size={12} aria-hidden /> jailed
        </span>
      )}
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}
