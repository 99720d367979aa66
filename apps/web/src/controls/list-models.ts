// What a model picker lists. Loaded when one is first opened.
import { ModelsData } from "@patchbay/protocol";
import { fetchRates } from "../api/rates.ts";
import { modelOptions } from "../preferences/model-options.ts";
import type { ComboboxOption } from "../ui/combobox/combobox.tsx";
import { controlsTexts } from "./texts.ts";

interface Asking {
  /** The agent's own list. */
  ask(): Promise<unknown>;
  /** Called with the list, and once more when the prices are known. */
  onOptions(options: readonly ComboboxOption[]): void;
}

/** Why the list is empty, for a person. */
export async function listModels({ ask, onOptions }: Asking): Promise<string> {
  const read = ModelsData.safeParse(await ask());
  if (!read.success) return controlsTexts.modelsUnreadable;
  const { models } = read.data;
  onOptions(modelOptions(models, controlsTexts.recentModels));
  onOptions(modelOptions(await fetchRates(models), controlsTexts.recentModels));
  return controlsTexts.modelsNone;
}
