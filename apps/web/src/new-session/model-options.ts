// The models that an agent can be started with, for a combobox.
import type { WorkerInfo } from "@patchbay/protocol";
import type { ComboboxOption } from "../ui/combobox/combobox.tsx";
import { modelValue } from "./start-choices.ts";
import { newSessionTexts } from "./texts.ts";

export const modelOptions = (worker: WorkerInfo | undefined): ComboboxOption[] => [
  { value: "", label: newSessionTexts.defaultModel, detail: "" },
  ...(worker?.models ?? []).map((option) => ({
    value: modelValue(option),
    label: option.id,
    detail: option.provider,
  })),
];

/** What a chosen model is shown as. */
export const modelLabel = (model: string): string =>
  model === "" ? newSessionTexts.defaultModel : model.slice(model.indexOf("/") + 1);
