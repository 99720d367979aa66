// That a directory is in a git repository, and the branch that is checked out.
import { GitBranch } from "lucide-react";
import { directoryTexts } from "./texts.ts";

/** `branch` as of `DirectoryList`: null without a repository, empty when it is not known. */
export function BranchBadge({ branch }: { branch: string | null }) {
  if (branch === null) return null;
  return (
    <span
      title={branch === "" ? directoryTexts.repository : directoryTexts.onBranch(branch)}
      className="flex min-w-0 shrink items-center gap-1 text-xs text-faint"
    >
      <GitBranch size={12} aria-hidden className="shrink-0" />
      <span className="max-w-32 truncate">{branch === "" ? directoryTexts.git : branch}</span>
    </span>
  );
}
