// Drafts: text that was written and not sent, per session (or question); survives a reload.
const key = (session: string): string => `patchbay.draft.${session}`;

/** The key of the draft of an answer, or of the reason for a denial. */
export const answerDraft = (question: string): string => `question.${question}`;

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
