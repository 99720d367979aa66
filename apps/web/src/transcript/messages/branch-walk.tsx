// Where the conversation went on in more than one way: which way is shown, and the steps to the others.
import type { BranchPoint } from "@patchbay/protocol";
import { ChevronLeft, ChevronRight, GitBranch } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { transcriptTexts } from "../texts.ts";

export function BranchWalk({ point }: { point: BranchPoint }) {
  const feed = useFeed();
  // A stopped worker has not reported what it can: switching starts it.
  const can = useFeedState(
    ({ session }) => session?.capabilities.length === 0 || session?.capabilities.includes("branch") === true,
  );
  const atRest = useFeedState(({ session }) => session?.state === "idle" || session?.state === "stopped");
  const [problem, setProblem] = useState<string | null>(null);
  const walk = (branch: string | undefined): void => {
    if (branch === undefined) return;
    setProblem(null);
    feed.ask({ type: "switch_branch", branch }).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  if (!can) return null;
  const { branches, chosen } = point;
  return (
    <span
      role="group"
      aria-label={transcriptTexts.branches}
      className="inline-flex items-center gap-0.5 text-xs text-muted"
    >
      <GitBranch size={12} aria-hidden className="mr-0.5 text-faint" />
      <Step
        label={transcriptTexts.earlierBranch}
        disabled={!atRest || chosen <= 0}
        onClick={() => walk(branches[chosen - 1])}
      >
        <ChevronLeft size={14} aria-hidden />
      </Step>
      <span className="tabular-nums">{transcriptTexts.branchOf(chosen + 1, branches.length)}</span>
      <Step
        label={transcriptTexts.laterBranch}
        disabled={!atRest || chosen >= branches.length - 1}
        onClick={() => walk(branches[chosen + 1])}
      >
        <ChevronRight size={14} aria-hidden />
      </Step>
      {problem !== null && (
        <span role="alert" className="ml-1 text-failed">
          {problem}
        </span>
      )}
    </span>
  );
}

interface StepProps {
  label: string;
  disabled: boolean;
  onClick(): void;
  children: ReactNode;
}

const Step = ({ label, disabled, onClick, children }: StepProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={onClick}
    className="flex size-5 items-center justify-center rounded-sm hover:bg-hover hover:text-ink disabled:opacity-40 phone:size-11"
  >
    {children}
  </button>
);
