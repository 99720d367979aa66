// Thinking levels. The catalog has the supported levels of each model; an unsupported level becomes the nearest
// supported one.
import { clampThinkingLevel, getSupportedThinkingLevels } from "@earendil-works/pi-ai";
import { type ThinkingLevel, thinkingLevels } from "@patchbay/protocol";
import type { Model } from "./catalog.ts";

export function thinkingLevelsOf(model: Model): ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  if (model.entry === null) return thinkingLevels.filter((level) => level !== "xhigh" && level !== "max");
  const supported = new Set<string>(getSupportedThinkingLevels(model.entry));
  return thinkingLevels.filter((level) => supported.has(level));
}

/** The level a model uses when this one is requested. */
export function thinkingLevelOf(model: Model, requested: ThinkingLevel): ThinkingLevel {
  const levels = thinkingLevelsOf(model);
  if (levels.includes(requested)) return requested;
  const nearest = model.entry === null ? undefined : clampThinkingLevel(model.entry, requested);
  return levels.find((level) => level === nearest) ?? levels.at(-1) ?? "off";
}
