// Offers to make a home of an earlier version as safe as a new one: its agents are neither confined nor ask. Shown once, in
// the sidebar; "Not now" is kept by the server, so that no other device asks again.
import { ShieldOff } from "lucide-react";
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { readSafety, updateSafety } from "../api/safety.ts";
import { errorMessage } from "../format/error-message.ts";
import { Button } from "../ui/button.tsx";
import { safetyTexts } from "./texts.ts";

export default function SafetyHint() {
  const known = useFetched("safety", readSafety);
  const [answered, setAnswered] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { data } = known;
  if (data === null || !data.hint || answered) return null;
  const answer = (change: { legacy?: false; hint?: false }): void => {
    setProblem(null);
    updateSafety(change).then(
      () => setAnswered(true),
      (error: unknown) => setProblem(errorMessage(error)),
    );
  };
  const [title, text] = data.sandbox.works
    ? [safetyTexts.offerSandbox, safetyTexts.offerSandboxText]
    : [safetyTexts.offerAsking, safetyTexts.offerAskingText];
  return (
    <section
      aria-label={title}
      className="mx-3 mb-3 animate-appear rounded-md border border-edge bg-raised p-3 text-sm phone:mx-4"
    >
      <h2 className="flex items-center gap-2 font-medium">
        <ShieldOff size={14} aria-hidden className="shrink-0 text-accent" /> {title}
      </h2>
      <p className="mt-1 text-xs text-muted">{text}</p>
      {!data.sandbox.works && (
        <p className="mt-1 text-xs text-muted">
          {data.sandbox.problem}. {data.sandbox.remedy}.
        </p>
      )}
      {problem !== null && (
        <p role="alert" className="mt-1 text-xs text-failed">
          {problem}
        </p>
      )}
      <div className="mt-2 flex gap-1.5">
        <Button look="primary" onClick={() => answer({ legacy: false })}>
          {safetyTexts.turnOn}
        </Button>
        <Button look="quiet" onClick={() => answer({ hint: false })}>
          {safetyTexts.notNow}
        </Button>
      </div>
    </section>
  );
}
