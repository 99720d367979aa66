// The sandbox on the setup page: whether there is one, how new sessions use it, and what to do where there is none.
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { readSafety, updateSafety } from "../api/safety.ts";
import { errorMessage } from "../format/error-message.ts";
import { describeSafety } from "../safety/describe-safety.ts";
import { safetyTexts } from "../safety/texts.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";

export function SetupSafety() {
  const { data, error, refetch } = useFetched("safety", readSafety);
  const [problem, setProblem] = useState<string | null>(null);
  const turnOn = (): void => {
    setProblem(null);
    updateSafety({ legacy: false }).then(refetch, (failure: unknown) => setProblem(errorMessage(failure)));
  };
  if (data === null)
    return error === null ? (
      <Skeleton className="mb-10 h-16 w-full" />
    ) : (
      <p role="alert" className="mb-10 text-failed">
        {error}
      </p>
    );
  const { sandbox, legacy, configured } = data;
  return (
    <section aria-label={safetyTexts.title} className="mb-10">
      <h2 className="text-lg font-semibold tracking-[-0.01em]">{safetyTexts.title}</h2>
      <div className="mt-3 flex items-start gap-x-4 gap-y-2 border-y border-line py-3 phone:flex-wrap">
        <span
          aria-hidden
          className={`mt-1.5 size-2 shrink-0 rounded-full ${sandbox.works ? "bg-done" : "border border-edge"}`}
        />
        <div className="min-w-0 flex-1 phone:basis-[calc(100%-1.5rem)]">
          <p className="font-medium">{sandbox.works ? safetyTexts.works : safetyTexts.missing}</p>
          {!sandbox.works && (
            <p className="text-sm text-muted">
              {sentence(sandbox.problem)} {sentence(sandbox.remedy)}
            </p>
          )}
          <p className="text-sm text-muted">
            {describeSafety(data)} {configured && safetyTexts.configured} {legacy && safetyTexts.legacy}
          </p>
          {problem !== null && (
            <p role="alert" className="text-sm text-failed">
              {problem}
            </p>
          )}
        </div>
        {legacy && !configured && (
          <Button look="primary" onClick={turnOn}>
            {safetyTexts.turnOn}
          </Button>
        )}
      </div>
    </section>
  );
}

/** With a capital letter and a full stop. */
const sentence = (text = ""): string => (text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}.`);
