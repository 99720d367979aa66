// What came of testing a key, in a sentence that says what to do.
import type { KeyTest } from "@patchbay/protocol";
import { CircleAlert, CircleCheck } from "lucide-react";
import { setupTexts } from "./texts.ts";

export function TestResult({ result, keyless }: { result: KeyTest; keyless: boolean }) {
  const Icon = result.outcome === "works" ? CircleCheck : CircleAlert;
  const color =
    result.outcome === "works" ? "text-done" : result.outcome === "unchecked" ? "text-accent" : "text-failed";
  return (
    <p role="status" data-outcome={result.outcome} className="mt-1 flex gap-1.5 text-ink">
      <Icon size={14} aria-hidden className={`mt-[3px] shrink-0 ${color}`} />
      {sentenceOf(result, keyless)}
    </p>
  );
}

function sentenceOf({ outcome, host, status = 0, models }: KeyTest, keyless: boolean): string {
  switch (outcome) {
    case "works":
      return keyless ? setupTexts.worksWithout(host, models ?? 0) : setupTexts.works(host);
    case "unchecked":
      return setupTexts.unchecked(host, status);
    case "refused":
      return setupTexts.refused(host, status);
    case "failed":
      return setupTexts.failed(host, status);
    case "unreachable":
      return setupTexts.unreachable(host);
    case "slow":
      return setupTexts.slow(host);
    case "strange":
      return setupTexts.strange(host);
  }
}
