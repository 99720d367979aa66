// Moves the focus to a session's question: opens it again if it was put off.

/** On the cards, and on what stands for one that was put off. */
export const questionMark = (session: string) => ({ "data-question-of": session });

const cardOf = (session: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-question-of="${CSS.escape(session)}"]`);

export function focusQuestion(session: string): void {
  const card = cardOf(session);
  if (card instanceof HTMLButtonElement) {
    card.click();
    requestAnimationFrame(() => focusIn(cardOf(session)));
  } else focusIn(card);
}

/** Where one answers; what can only be read is passed over. An approval has its keys on the card itself. */
const focusIn = (card: HTMLElement | null): void => {
  const field = card?.querySelector<HTMLElement>("[data-answers] :is(input,textarea,[role=listbox],button)");
  const hasKeys = (card?.querySelector('[data-answers="keys"]') ?? null) !== null;
  (hasKeys && field instanceof HTMLButtonElement ? card : field)?.focus();
};
