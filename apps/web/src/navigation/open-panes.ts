// The sessions whose pane is open, kept in the browser.
import * as z from "zod/mini";

const key = "patchbay.panes";
/** The oldest are forgotten. */
const most = 50;

const Sessions = z.array(z.string());

function read(): string[] {
  try {
    const known = Sessions.safeParse(JSON.parse(localStorage.getItem(key) ?? "[]"));
    return known.success ? known.data : [];
  } catch {
    return []; // storage is forbidden here, or holds something else
  }
}

export const hasOpenPane = (session: string): boolean => read().includes(session);

export function keepPaneOpen(session: string, open: boolean): void {
  const known = read();
  if (open && known.at(-1) === session) return;
  const others = known.filter((id) => id !== session);
  try {
    localStorage.setItem(key, JSON.stringify((open ? [...others, session] : others).slice(-most)));
  } catch {
    // Then it is closed after the next page load.
  }
}
