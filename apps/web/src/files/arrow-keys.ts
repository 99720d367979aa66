// The arrow keys in a list of files: up and down move between its lines, left and right close and open a directory.
import type { KeyboardEvent } from "react";

export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const at = lines.findIndex((line) => line === document.activeElement);
  const here = lines[at];
  if (here === undefined) return;
  const next = nextLine(event.key, lines, at, here);
  if (next === null) return;
  event.preventDefault();
  if (next === here) here.click();
  else next.focus();
}

/** The line itself: it is opened or closed. Null: the key is not for the list. */
function nextLine(
  key: string,
  lines: readonly HTMLButtonElement[],
  at: number,
  here: HTMLButtonElement,
): HTMLButtonElement | null {
  const expanded = here.getAttribute("aria-expanded");
  switch (key) {
    case "ArrowDown":
      return lines[at + 1] ?? null;
    case "ArrowUp":
      return lines[at - 1] ?? null;
    case "Home":
      return lines[0] ?? null;
    case "End":
      return lines.at(-1) ?? null;
    case "ArrowRight":
      if (expanded === "false") return here;
      return expanded === "true" ? (lines[at + 1] ?? null) : null;
    case "ArrowLeft":
      if (expanded === "true") return here;
      return here.closest("ul")?.parentElement?.querySelector<HTMLButtonElement>(":scope > button") ?? null;
    default:
      return null;
  }
}
