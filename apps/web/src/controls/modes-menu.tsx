// How messages reach an agent that works: modes that are rarely changed, behind one button.
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useFeed } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { Menu, MenuChoice } from "../ui/menu/menu.tsx";
import { controlsTexts } from "./texts.ts";
import { useModes } from "./use-modes.ts";

export function ModesMenu() {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const modes = useModes();
  const ask = (type: string, mode: string): void => {
    setProblem(null);
    feed.ask({ type, mode }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  if (modes.length === 0) return null;
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover phone:h-11"
          >
            <SlidersHorizontal size={14} aria-hidden className="text-faint" />
            <span className="phone:sr-only">{controlsTexts.modes}</span>
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
      </Menu>
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}
