// What the thinking levels are called. A level of another agent that is not known here keeps its own name.
import { controlsTexts } from "./texts.ts";

export function thinkingName(level: string): string {
  switch (level) {
    case "off":
      return controlsTexts.off;
    case "minimal":
      return controlsTexts.minimal;
    case "low":
      return controlsTexts.low;
    case "medium":
      return controlsTexts.medium;
    case "high":
      return controlsTexts.high;
    case "xhigh":
      return controlsTexts.veryHigh;
    case "max":
      return controlsTexts.maximum;
    case "default": // of the agent
      return controlsTexts.agentDefault;
    default:
      return level;
  }
}
