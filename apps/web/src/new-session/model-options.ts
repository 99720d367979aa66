// The models that an agent can be started with, its default first.
import type { WorkerInfo } from "@patchbay/protocol";
import { modelOptions } from "../preferences/model-options.ts";
import type { ComboboxOption } from "../ui/combobox/combobox.tsx";
import { newSessionTexts } from "./texts.ts";

export const startModelOptions = (worker: WorkerInfo | undefined): ComboboxOption[] => [
  { value: "", label: newSessionTexts.defaultModel, detail: "" },
  ...modelOptions(worker?.models ?? [], newSessionTexts.recentModels),
];

/** What a chosen model is shown as. */
export const modelLabel = (model: string): string =>
  model === "" ? newSessionTexts.defaultModel : model.slice(model.indexOf("/") + 1);
