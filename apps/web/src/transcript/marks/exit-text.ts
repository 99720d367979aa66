// The exit of an agent as a heading and an advice. The server's reason is a few sentences; the first says what
// happened. What it leaves out (other servers, older logs) is added here.
import { marksTexts as texts } from "./texts.ts";

export interface ExitText {
  title: string;
  advice: string;
}

/** The server's sentences that are the same for every exit; logs of earlier versions have other words for the first. */
const pointer = /Its last (output is|words are) below\./;
const next = /Send a prompt to start it again\./;

export function exitText(reason: string, stderr: string): ExitText {
  const [, first = reason, rest = ""] = /^(.*?[.!?])\s+(.*)$/s.exec(reason.trim()) ?? [];
  const title = /[.!?]$/.test(first) ? first : `${first}.`;
  const isSilent = stderr.trim() === "";
  // Missing output is mentioned only where the reason promises output: a killed server could not read it.
  const output = isSilent ? (pointer.test(rest) ? texts.noErrorOutput : "") : texts.outputBelow;
  const own = rest.replace(pointer, "").replace(next, "").trim();
  const sentences = [output, own, own.includes("Send a prompt") ? "" : texts.startAgain];
  return { title, advice: sentences.filter((sentence) => sentence !== "").join(" ") };
}
