// The state of the list of commands above the composer: what it offers, which is active, and the keys that
// move in it. Esc closes it until the text changes.
import { type KeyboardEvent, useState } from "react";
import { completions, type SlashCommand } from "./use-commands.ts";

interface SlashMenuState {
  /** Null: closed. */
  found: readonly SlashCommand[] | null;
  active: number;
  point(index: number): void;
  choose(command: SlashCommand): void;
  /** True: the key was meant for the menu. */
  onKey(event: KeyboardEvent): boolean;
}

export function useSlashMenu(
  text: string,
  commands: readonly SlashCommand[],
  onComplete: (text: string) => void,
): SlashMenuState {
  const [at, setAt] = useState({ text, index: 0, closed: false });
  // Another text is another list, from its top.
  const place = at.text === text ? at : { text, index: 0, closed: false };
  const found = place.closed ? null : completions(text, commands);
  const active = found === null ? 0 : Math.min(place.index, Math.max(0, found.length - 1));
  const choose = (command: SlashCommand): void => onComplete(`/${command.name} `);
  return {
    found,
    active,
    point: (index) => setAt({ ...place, index }),
    choose,
    onKey(event) {
      if (found === null) return false;
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const chosen = found[active];
      if (event.key === "Escape") setAt({ ...place, closed: true });
      else if (step !== 0 && found.length > 0)
        setAt({ ...place, index: (active + step + found.length) % found.length });
      else if (event.key === "Tab" && chosen !== undefined) choose(chosen);
      // Enter completes, and runs what is already written in full
      else if (event.key === "Enter" && !event.shiftKey && chosen !== undefined && text !== `/${chosen.name}`)
        choose(chosen);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
