// What the formats of an export are called.
import { sessionActionsTexts } from "./texts.ts";

export const formatNames = {
  get html() {
    return sessionActionsTexts.html;
  },
  get md() {
    return sessionActionsTexts.md;
  },
  get jsonl() {
    return sessionActionsTexts.jsonl;
  },
};
