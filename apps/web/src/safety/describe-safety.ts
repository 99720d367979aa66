// How the built-in agent of a new session is set, in words.
import type { SafetyInfo } from "@patchbay/protocol";
import { safetyTexts } from "./texts.ts";

/** In a sentence or two. */
export const describeSafety = ({ jail, approvals, sandbox }: SafetyInfo): string => {
  const isConfined = jail !== "off" && sandbox.works;
  // A jail that cannot hold asks about every command, whatever the mode.
  const mode = approvals === "full" && jail === "on" && !sandbox.works ? "auto-edit" : approvals;
  const asks = mode === "full" ? safetyTexts.full : mode === "ask" ? safetyTexts.ask : safetyTexts.autoEdit;
  return `${isConfined ? safetyTexts.confined : safetyTexts.unconfined} ${asks}`;
};
