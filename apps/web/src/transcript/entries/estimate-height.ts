// How tall an entry probably is before it was rendered. Only the scroll bar depends on it: a reader is kept in
// place however wrong it is.
import type { ContentBlock, Mark, Message } from "@patchbay/protocol";

const line = 25;
const charactersPerLine = 84;
const card = 32;
const promptFrame = 52;
/** A long prompt shows its first lines. */
const foldedPrompt = 12 * line + 32;

const textHeight = (text: string): number =>
  Math.min(200_000, Math.ceil(text.length / charactersPerLine) * line + 12);

function contentHeight(content: readonly ContentBlock[]): number {
  let height = 0;
  for (const block of content) {
    if (block.type === "text") height += block.text === "" ? 0 : textHeight(block.text);
    else if (block.type === "thinking" || block.type === "tool_call") height += card;
  }
  return height;
}

/** Of an answer with so much text and so many cards. */
export const answerHeight = ({ characters, cards }: { characters: number; cards: number }): number =>
  cards * card + (characters === 0 ? 0 : Math.ceil(characters / charactersPerLine) * line + 12);

export function messageHeight({ role, content, bash }: Message): number {
  if (role !== "user") return contentHeight(content);
  if (bash !== undefined) return promptFrame + 120;
  return promptFrame + Math.min(foldedPrompt, contentHeight(content));
}

export function markHeight(mark: Mark): number {
  if (mark.kind === "unkept") return contentHeight(mark.content) + 30;
  if (mark.kind === "worker_exit") return 160;
  if (mark.kind === "error" || (mark.kind === "turn" && mark.error !== null)) return 100;
  return 34;
}
