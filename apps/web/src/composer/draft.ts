// What was written and not sent, per session; survives a reload.
const key = (session: string): string => `patchbay.draft.${session}`;

export function loadDraft(session: string): string {
  try {
    return localStorage.getItem(key(session)) ?? "";
  } catch {
    return "";
  }
}

export function saveDraft(session: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(key(session));
    else localStorage.setItem(key(session), text);
  } catch {
    // Storage is full or forbidden: the draft lasts as long as the page.
  }
}
