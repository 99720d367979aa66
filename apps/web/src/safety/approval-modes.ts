// What an agent may do without asking: the same choices below the composer, in the palette and in the settings.
import type { Choice } from "../ui/menu/menu.tsx";
import { safetyTexts } from "./texts.ts";

export const approvalModes = (): readonly Choice[] => [
  { value: "ask", label: safetyTexts.modeAsk, detail: safetyTexts.modeAskDetail },
  { value: "auto-edit", label: safetyTexts.modeAutoEdit, detail: safetyTexts.modeAutoEditDetail },
  { value: "full", label: safetyTexts.modeFull, detail: safetyTexts.modeFullDetail },
];
