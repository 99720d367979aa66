// Prompts that are being edited in their place. Kept outside of the rows, so that scrolling away loses nothing.
import type { PromptImage } from "@patchbay/protocol";
import { create } from "zustand";

export interface EditedPrompt {
  text: string;
  images: readonly PromptImage[];
}

interface EditedPrompts {
  /** By the entry of the prompt. */
  edited: ReadonlyMap<string, EditedPrompt>;
  /** Null: it is no longer edited. */
  change(entryId: string, prompt: EditedPrompt | null): void;
}

export const useEditedPrompts = create<EditedPrompts>((set) => ({
  edited: new Map(),
  change: (entryId, prompt) =>
    set(({ edited }) => {
      const next = new Map(edited);
      if (prompt === null) next.delete(entryId);
      else next.set(entryId, prompt);
      return { edited: next };
    }),
}));
