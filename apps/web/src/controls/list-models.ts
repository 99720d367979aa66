// What a model picker lists. Loaded when one is first opened.
import { ModelsData } from "@patchbay/protocol";
import { fetchRates } from "../api/rates.ts";
import { modelOptions } from "../preferences/model-options.ts";
import type { ComboboxOption } from "../ui/combobox/combobox.tsx";
import { controlsTexts } from "./texts.ts";

/**
 * `data` is the agent's own list. Calls back with the options, and once more when the prices are known. Resolves with what is
 * shown where there is none.
 */
export async function listModels(
  data: unknown,
  onOptions: (options: readonly ComboboxOption[]) => void,
): Promise<string> {
  const read = ModelsData.safeParse(data);
  if (!read.success) return controlsTexts.modelsUnreadable;
  const { models } = read.data;
  onOptions(modelOptions(models, controlsTexts.recentModels));
  onOptions(modelOptions(await fetchRates(models), controlsTexts.recentModels));
  return controlsTexts.modelsNone;
}
