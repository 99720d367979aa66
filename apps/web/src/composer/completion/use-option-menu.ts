// A list of options above the composer, whose keys the composer has: which one is active, and what each key
// does. Esc closes it until the text changes.
import { type KeyboardEvent, useState } from "react";

export interface OptionMenu<T> {
  /** Null: closed. */
  found: readonly T[] | null;
  active: number;
  point(index: number): void;
  /** By a click. */
  choose(option: T): void;
  /** True: the key was meant for the menu. */
  onKey(event: KeyboardEvent): boolean;
}

interface Options<T> {
  /** Another text is another list, from its top. */
  text: string;
  found: readonly T[] | null;
  /** Tab completes; Enter and a click may do more. */
  onChoose(option: T, by: "tab" | "enter"): void;
  /** It is written completely: Enter is not for the menu. */
  isComplete(option: T): boolean;
}

export function useOptionMenu<T>({ text, found: offered, onChoose, isComplete }: Options<T>): OptionMenu<T> {
  const [at, setAt] = useState({ text, index: 0, closed: false });
  const place = at.text === text ? at : { text, index: 0, closed: false };
  const found = place.closed ? null : offered;
  const active = found === null ? 0 : Math.min(place.index, Math.max(0, found.length - 1));
  return {
    found,
    active,
    point: (index) => setAt({ ...place, index }),
    choose: (option) => onChoose(option, "enter"),
    onKey(event) {
      if (found === null) return false;
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const chosen = found[active];
      if (event.key === "Escape") setAt({ ...place, closed: true });
      else if (step !== 0 && found.length > 0)
        setAt({ ...place, index: (active + step + found.length) % found.length });
      else if (event.key === "Tab" && !event.shiftKey && chosen !== undefined) onChoose(chosen, "tab");
      else if (event.key === "Enter" && !event.shiftKey && chosen !== undefined && !isComplete(chosen))
        onChoose(chosen, "enter");
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
