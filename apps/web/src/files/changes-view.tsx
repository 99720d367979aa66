// What this session has changed: the tree on one side, one file's difference on the other.
import type { SessionInfo } from "@patchbay/protocol";
import { ChevronLeft } from "lucide-react";
import { useMemo, useState } from "react";
import type { Fetched } from "../api/http/use-fetched.ts";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { type ChangeEntry, readDiff, type SessionChanges } from "./api.ts";
import { ChangeTree, Lines } from "./change-tree.tsx";
import { useComments } from "./comments.ts";
import { DiffReview } from "./diff-review.tsx";
import { filesInTree, treeOf } from "./tree.ts";
import { useRefetched } from "./use-refetched.ts";

interface Props {
  session: SessionInfo;
  changes: Fetched<SessionChanges>;
  /** Changes when the files were looked at again. */
  look: number;
}

export function ChangesView({ session, changes: { data, error }, look }: Props) {
  const tree = useMemo(() => treeOf(data?.files ?? []), [data]);
  const { comments } = useComments(session.id);
  const [picked, setPicked] = useState<string | null>(null);
  const files = filesInTree(tree);
  // A wide screen shows the first one at once; a phone shows the list until one is tapped.
  const chosen = files.find(({ path }) => path === picked) ?? files[0];
  if (data === null && error !== null)
    return (
      <p role="alert" className="max-w-[60ch] p-6 text-muted">
        {error}
      </p>
    );
  if (data === null)
    return (
      <div role="status" aria-label="Looking for changes" className="p-6">
        <Skeleton className="h-4 w-64" />
        <Skeleton className="mt-3 h-4 w-48" />
      </div>
    );
  if (chosen === undefined)
    return (
      <div className="p-6">
        <h2 className="font-medium">Nothing has changed</h2>
        <p className="mt-1 max-w-[60ch] text-sm text-muted">
          Every file is as it was when the session began. What the agent edits appears here, whether it
          commits or not.
        </p>
      </div>
    );
  return (
    <>
      {error !== null && (
        <p role="alert" className="border-b border-line bg-needs-soft px-4 py-1.5 text-xs text-muted">
          As it was when last looked at: {error}
        </p>
      )}
      <div className="flex min-h-0 flex-1">
        <nav
          aria-label="Changed files"
          className={`w-[320px] shrink-0 overflow-y-auto border-r border-line py-2 phone:w-full phone:border-r-0 phone:pb-20 ${picked === null ? "" : "phone:hidden"}`}
        >
          <ChangeTree
            nodes={tree}
            chosen={chosen.path}
            picked={picked !== null}
            commentsOn={(path) => comments.filter((comment) => comment.path === path).length}
            onChoose={({ path }) => setPicked(path)}
          />
          {data.more === true && (
            <p className="px-3 py-2 text-sm text-faint">There are more; these are the first 5,000.</p>
          )}
        </nav>
        <div
          className={`min-w-0 flex-1 overflow-y-auto phone:pb-20 ${picked === null ? "phone:hidden" : ""}`}
        >
          <FileChange session={session.id} file={chosen} look={look} onBack={() => setPicked(null)} />
        </div>
      </div>
    </>
  );
}

interface FileProps {
  session: string;
  file: ChangeEntry;
  look: number;
  onBack(): void;
}

function FileChange({ session, file, look, onBack }: FileProps) {
  const { data, error } = useRefetched(`${file.path}\n${file.from ?? ""}`, look, async () => ({
    path: file.path,
    diff: await readDiff(session, file),
  }));
  return (
    <>
      <h2 className="sticky top-0 z-10 flex h-10 items-center gap-2 border-b border-line bg-panel px-4 font-mono text-sm phone:h-11 phone:px-1">
        <button
          type="button"
          aria-label="Back to the files"
          onClick={onBack}
          className="hidden size-11 items-center justify-center phone:flex"
        >
          <ChevronLeft size={18} aria-hidden />
        </button>
        <span className="min-w-0 truncate">{file.path}</span>
        <span className="ml-auto pr-1">
          <Lines file={file} />
        </span>
      </h2>
      {error !== null && data === null && (
        <p role="alert" className="p-4 text-sm text-failed">
          {error}
        </p>
      )}
      {data !== null && data.path === file.path && data.diff === null && (
        <p className="p-4 text-sm text-muted">
          This difference is too large to be read on a page. Look at it in an editor.
        </p>
      )}
      {data !== null && data.path === file.path && data.diff !== null && (
        <DiffReview key={file.path} session={session} file={file} diff={data.diff} />
      )}
    </>
  );
}
