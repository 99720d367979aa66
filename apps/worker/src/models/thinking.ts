// How hard a model can think. The catalog knows per model which levels there are; a level that it has
// not becomes the nearest one it has.
import { clampThinkingLevel, getSupportedThinkingLevels } from "@earendil-works/pi-ai";
import { type ThinkingLevel, thinkingLevels } from "@patchbay/protocol";
import type { Model } from "./catalog.ts";

export function thinkingLevelsOf(model: Model): ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  if (model.entry === null) return thinkingLevels.filter((level) => level !== "xhigh");
  const supported = new Set<string>(getSupportedThinkingLevels(model.entry));
  return thinkingLevels.filter((level) => supported.has(level));
}

/** The level a model gets when this one is wished for. */
export function thinkingLevelOf(model: Model, wished: ThinkingLevel): ThinkingLevel {
  const levels = thinkingLevelsOf(model);
  if (levels.includes(wished)) return wished;
  const nearest = model.entry === null ? "off" : clampThinkingLevel(model.entry, wished);
  // The library knows one level more than the protocol.
  return levels.find((level) => level === nearest) ?? levels.at(-1) ?? "off";
}
